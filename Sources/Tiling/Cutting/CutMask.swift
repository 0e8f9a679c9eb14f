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
