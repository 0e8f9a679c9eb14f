import Tiling

/// Polygons over a grid of pixels; nothing outside of them is visible.
struct CutMask: Sendable {
    /// The pixels that an edge or the inside of a polygon can touch.
    let window: PixelWindow

    /// The edges in the order of their polygons.
    private let edges: [CutEdge]
    private let index: CutEdgeIndex

    /// Makes a mask of polygons.
    ///
    /// - Parameter polygons: the rings of each polygon, in pixels of the grid, at most 2^45 pixels from its
    ///   origin.
    /// - Returns: nil if no polygon has an area.
    init?(polygons: [[[Point]]]) {
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
    func edges(inRows rows: Range<Int>) -> [CutEdge] {
        index.candidates(inRows: rows).lazy.map { edges[$0] }.filter { $0.crosses(rows) }
    }

    /// Whether an edge of a polygon leads through a window.
    func crosses(_ window: PixelWindow) -> Bool {
        edges(inRows: window.rows).contains { $0.columns(inRows: window.rows).overlaps(window.columns) }
    }

    /// The columns of squares, in one row of squares, that a polygon touches.
    ///
    /// - Parameter size: pixels along a square's edge.
    func columns(inRow row: Int, ofSquares size: Int) -> RangeSet<Int> {
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

/// The part of a level inside a cutline.
struct LevelCut: Sendable {
    /// The mask over the pixels of the finest level.
    let mask: CutMask
    /// The edge of this level's pixels, in pixels of the finest level.
    let scale: Int

    /// The columns of squares, in one row of squares, that a polygon touches.
    ///
    /// - Parameter size: pixels of this level along a square's edge.
    func columns(inRow row: Int, ofSquares size: Int) -> RangeSet<Int> {
        mask.columns(inRow: row, ofSquares: size * scale)
    }
}

/// Makes pixels transparent according to a mask.
struct Cutter {
    /// The polygons over the pixels.
    let mask: CutMask
    /// Whether pixels stay whole: those whose centre is inside a polygon remain. This suits kernels that copy
    /// pixels, which never mix them.
    let isHard: Bool

    /// Cuts the pixels of a window.
    func cut(_ window: PixelWindow, of band: LevelBand) {
        let edges = mask.edges(inRows: window.rows)
        var run = CutRun(columns: window.columns)
        let isUniform = edges.allSatisfy { $0.passes(window.columns, inRows: window.rows) }
        for row in window.rows {
            if row == window.rows.lowerBound || !isUniform { sum(edges, row: row, in: &run) }
            band.cover(row: row, firstColumn: window.columns.lowerBound, by: run.coverage)
        }
    }

    /// Finds the coverage of each pixel of a row by the polygons.
    private func sum(_ edges: [CutEdge], row: Int, in run: inout CutRun) {
        run.clear()
        for (index, edge) in edges.enumerated() {
            if isHard { edge.addCentres(inRow: row, to: &run) } else { edge.addArea(inRow: row, to: &run) }
            let isLast = index + 1 == edges.count || edges[index + 1].polygon != edge.polygon
            if isLast { run.closePolygon() }
        }
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
