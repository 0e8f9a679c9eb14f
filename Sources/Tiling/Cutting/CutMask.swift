/// Polygons over a grid of pixels; nothing outside of them is visible.
package struct CutMask: Sendable {
    /// The pixels that an edge or the inside of a polygon can touch.
    package let window: PixelWindow

    /// The edges in the order of their polygons.
    private let edges: [CutEdge]
    private let index: CutEdgeIndex

    /// Makes a mask of polygons.
    ///
    /// - Parameter polygons: the rings of each polygon, in pixels of the grid, at most 2^45 pixels from its
    ///   origin.
    /// - Returns: nil if no polygon has an area.
    package init?(polygons: [[[Point]]]) {
        edges = polygons.indices.flatMap { polygon in
            polygons[polygon].flatMap { ring in
                ring.indices.compactMap { index in
                    CutEdge(
                        from: ring[index == 0 ? ring.count - 1 : index - 1], to: ring[index],
                        ofPolygon: polygon)
                }
            }
        }
        guard let first = edges.first else { return nil }
        let rows = edges.reduce(first.rows) { $0.hull(with: $1.rows) }
        let columns = edges.reduce(first.columns(inRows: rows)) { $0.hull(with: $1.columns(inRows: rows)) }
        if columns.isEmpty || rows.isEmpty { return nil }
        window = PixelWindow(columns: columns, rows: rows)
        index = CutEdgeIndex(
            edges.map { edge in
                // An edge between two rows is found with the edges around it: it only matters together with
                // them.
                edge.rows.isEmpty ? edge.rows.lowerBound - 1..<edge.rows.lowerBound : edge.rows
            })
    }

    /// The edges that some rows of pixels cross, in the order of their polygons.
    package func edges(inRows rows: Range<Int>) -> [CutEdge] {
        index.candidates(inRows: rows).lazy.map { edges[$0] }.filter { $0.crosses(rows) }
    }

    /// Whether an edge of a polygon leads through a window.
    package func crosses(_ window: PixelWindow) -> Bool {
        edges(inRows: window.rows).contains { $0.columns(inRows: window.rows).overlaps(window.columns) }
    }

    /// The columns of squares, in one row of squares, that a polygon touches.
    ///
    /// - Parameter size: pixels along a square's edge.
    package func columns(inRow row: Int, ofSquares size: Int) -> RangeSet<Int> {
        let rows = row * size..<(row + 1) * size
        let edges = edges(inRows: rows)
        var touched = RangeSet(edges.map { squares($0.columns(inRows: rows), size) })
        // A square that no edge touches is inside a polygon if its upper edge is.
        var first = edges.startIndex
        while first < edges.endIndex {
            let polygon = edges[first].polygon
            let end = edges[first...].firstIndex { $0.polygon != polygon } ?? edges.endIndex
            let crossings = edges[first..<end].compactMap { $0.crossing(rows.lowerBound * CutEdge.unit) }
                .sorted()
            for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
                let columns = (crossings[pair]..<crossings[pair + 1]).cells(of: CutEdge.unit)
                touched.insert(contentsOf: squares(columns, size))
            }
            first = end
        }
        return touched
    }

    private func squares(_ columns: Range<Int>, _ size: Int) -> Range<Int> {
        columns.isEmpty ? 0..<0 : columns.cells(of: size)
    }
}

/// An index that finds the ranges, among many, that meet some rows: a list for each band of equal height.
struct CutEdgeIndex: Sendable {
    private let first: Int
    private let rowsPerBand: Int
    /// The indices of the ranges that meet each band.
    private let lists: [[Int32]]

    /// The most bands: one for each row of cells of a pyramid of a million rows.
    private static let mostBands = 4096

    /// Makes an index of at most 2^31 ranges, none of which is empty.
    init(_ ranges: [Range<Int>]) {
        let rows = ranges.dropFirst().reduce(ranges.first ?? 0..<1) { $0.hull(with: $1) }
        var bands = min(Self.mostBands, max(1, ranges.count))
        var height = 0
        func bandsOf(_ range: Range<Int>) -> Range<Int> {
            range.moved(by: -rows.lowerBound).cells(of: height)
        }
        // Long edges are in many lists; all lists together take at most eight times the memory of the edges.
        while true {
            height = (rows.count + bands - 1) / bands
            let count = ranges.reduce(0) { $0 + bandsOf($1).count }
            if bands == 1 || count <= 8 * ranges.count { break }
            bands /= 2
        }
        var lists = Array(repeating: [Int32](), count: bands)
        for (index, range) in ranges.enumerated() {
            for band in bandsOf(range) { lists[band].append(Int32(index)) }
        }
        (first, rowsPerBand, self.lists) = (rows.lowerBound, height, lists)
    }

    /// The indices of ranges that may meet some rows, ascending, each once.
    func candidates(inRows rows: Range<Int>) -> [Int] {
        let bands = rows.moved(by: -first).cells(of: rowsPerBand).clamped(to: lists.indices)
        let listed = lists[bands].joined()
        return (bands.count > 1 ? Set(listed).sorted() : Array(listed)).map(Int.init)
    }
}

/// An edge of a polygon over a grid of pixels, in whole 256ths of a pixel.
///
/// Its results for a pixel depend only on the edge and the pixel. So a mask is the same on every machine, and
/// however the work is divided.
package struct CutEdge: Sendable {
    /// 256ths along a pixel's side.
    static let unit = 256
    /// Twice the area of a pixel, in squares of a 256th of its side: areas are doubled to stay whole numbers.
    static let wholePixel = 2 * unit * unit

    /// The columns and rows of the upper and of the lower end.
    private let upper: (x: Int, y: Int)
    private let lower: (x: Int, y: Int)
    /// 1 if the ring runs down along the edge, -1 if it runs up.
    private let direction: Int
    /// The polygon's index.
    package let polygon: Int

    /// Rounds an edge; nil if its rounded ends are equal.
    init?(from start: Point, to end: Point, ofPolygon polygon: Int) {
        func rounded(_ point: Point) -> (x: Int, y: Int) {
            (Int((point.x * Double(Self.unit)).rounded()), Int((point.y * Double(Self.unit)).rounded()))
        }
        let (start, end) = (rounded(start), rounded(end))
        if start == end { return nil }
        (upper, lower) = start.y < end.y ? (start, end) : (end, start)
        direction = start.y < end.y ? 1 : -1
        self.polygon = polygon
    }

    /// The rows of pixels that it crosses; empty if it is on the line between two rows.
    var rows: Range<Int> {
        (upper.y..<lower.y).cells(of: Self.unit)
    }

    /// Whether at least a part of it is inside some rows of pixels.
    func crosses(_ rows: Range<Int>) -> Bool {
        upper.y < rows.upperBound * Self.unit && lower.y > rows.lowerBound * Self.unit
    }

    /// Whether it crosses some rows of pixels completely, without touching some columns there.
    package func passes(_ columns: Range<Int>, inRows rows: Range<Int>) -> Bool {
        upper.y <= rows.lowerBound * Self.unit && rows.upperBound * Self.unit <= lower.y
            && !self.columns(inRows: rows).overlaps(columns)
    }

    /// The column at a height, in 256ths. Above and below the edge, it is that of the nearer end.
    private func column(at y: Int) -> Int {
        if y <= upper.y { return upper.x }
        if y >= lower.y { return lower.x }
        let share = Double(y - upper.y) / Double(lower.y - upper.y)
        return upper.x + Int((share * Double(lower.x - upper.x)).rounded())
    }

    /// The columns of pixels that it touches in some rows; empty if it is on the line between two columns.
    func columns(inRows rows: Range<Int>) -> Range<Int> {
        let top = column(at: rows.lowerBound * Self.unit)
        let bottom = column(at: rows.upperBound * Self.unit)
        return (min(top, bottom)..<max(top, bottom)).cells(of: Self.unit)
    }

    /// The column, in 256ths, at which it crosses a height; nil if it does not. The upper end is included,
    /// the lower one is not.
    func crossing(_ y: Int) -> Int? { upper.y <= y && y < lower.y ? column(at: y) : nil }

    /// Adds the area to the right of it in a row of pixels.
    package func addArea(inRow row: Int, to run: inout CutRun) {
        let top = max(upper.y, row * Self.unit)
        let bottom = min(lower.y, (row + 1) * Self.unit)
        if top >= bottom { return }
        let (first, last) = (column(at: top), column(at: bottom))
        let (left, right) = (min(first, last), max(first, last))
        let height = bottom - top
        // The height that it has passed between its left end and a column.
        func passed(_ x: Int) -> Int {
            x <= left ? 0 : x >= right ? height : (x - left) * height / (right - left)
        }
        run.addBefore(direction * passed(run.columns.lowerBound * Self.unit))
        let columns = floorDivide(left, Self.unit)..<floorDivide(right, Self.unit) + 1
        for column in columns.clamped(to: run.columns) {
            let edge = column * Self.unit
            let (from, to) = (max(left, edge), min(right, edge + Self.unit))
            // An upright edge counts entirely in its column.
            let end = column == columns.upperBound - 1 ? height : passed(to)
            let part = direction * (end - passed(from))
            run.add(column: column, height: part, left: part * (from + to - 2 * edge))
        }
    }

    /// Adds the pixels whose centre is on it or to the right of it in a row of pixels.
    package func addCentres(inRow row: Int, to run: inout CutRun) {
        guard let x = crossing(row * Self.unit + Self.unit / 2) else { return }
        let column = floorDivide(x + Self.unit / 2 - 1, Self.unit)
        run.add(column: column, height: direction * Self.unit, left: 0)
    }
}

/// The coverage of each pixel of a row by polygons: the sums of their edges, one polygon after another.
package struct CutRun {
    /// The effect of an edge on a pixel, and on all pixels to the right of it.
    private struct Step {
        var column: Int
        /// The height that the edge passes there, in 256ths.
        var height: Int
        /// Twice the area to the left of it.
        var left: Int
    }

    /// The columns of pixels that are examined.
    let columns: Range<Int>
    /// The coverage of each pixel, from 0 to 256.
    package private(set) var coverage: [UInt16]

    /// The height of edges to the left of all columns.
    private var before = 0
    private var steps: [Step] = []

    /// Starts without polygons.
    package init(columns: Range<Int>) {
        self.columns = columns
        coverage = Array(repeating: 0, count: columns.count)
    }

    /// Starts another row.
    package mutating func clear() {
        for index in coverage.indices { coverage[index] = 0 }
    }

    /// Adds an edge to the left of all columns.
    mutating func addBefore(_ height: Int) { before += height }

    /// Adds an edge at a column, in units of `CutEdge`; `left` is twice the area on its left in the pixel.
    mutating func add(column: Int, height: Int, left: Int) {
        if column < columns.lowerBound {
            before += height
        } else if column < columns.upperBound, height != 0 {
            steps.append(Step(column: column, height: height, left: left))
        }
    }

    /// Completes the polygon of the edges that were added. Polygons that meet in a pixel fill it together.
    package mutating func closePolygon() {
        steps.sort { $0.column < $1.column }
        var (height, column) = (before, columns.lowerBound)
        var index = 0
        while index < steps.count {
            let here = steps[index].column
            fill(column..<here, area: height * 2 * CutEdge.unit)
            var left = 0
            while index < steps.count, steps[index].column == here {
                height += steps[index].height
                left += steps[index].left
                index += 1
            }
            fill(here..<here + 1, area: height * 2 * CutEdge.unit - left)
            column = here + 1
        }
        fill(column..<columns.upperBound, area: height * 2 * CutEdge.unit)
        before = 0
        steps.removeAll(keepingCapacity: true)
    }

    /// - Parameter area: twice the area, in squares of a 256th, with the sign of the ring's direction. Places
    ///   that rings surround twice are outside, like holes.
    private mutating func fill(_ columns: Range<Int>, area: Int) {
        let turned = abs(area) % (2 * CutEdge.wholePixel)
        let folded = min(turned, 2 * CutEdge.wholePixel - turned)
        let share = UInt16((folded + CutEdge.unit) / (2 * CutEdge.unit))
        if share == 0 { return }
        for column in columns {
            let index = column - self.columns.lowerBound
            coverage[index] = min(coverage[index] + share, UInt16(CutEdge.unit))
        }
    }
}
