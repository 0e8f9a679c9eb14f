internal import Tiling

/// Polygons over a grid of pixels, outside of which nothing is seen.
struct CutMask: Sendable {
    /// The pixels that an edge or the inside of a polygon can touch.
    let window: PixelWindow

    /// In the order of their polygons.
    private let edges: [CutEdge]
    private let index: CutEdgeIndex

    /// Takes polygons in.
    ///
    /// - Parameter polygons: of each its rings, in pixels of the grid; none is farther from its origin than
    ///   2^45 pixels.
    /// - Returns: nil if none of them has an area.
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
                // An edge between two rows is found with those around it: it matters to both of them together.
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

    /// The columns of squares, in a row of them, that a polygon touches.
    ///
    /// - Parameters:
    ///   - row: the row of squares.
    ///   - size: pixels along a square's edge.
    func columns(inRow row: Int, ofSquares size: Int) -> RangeSet<Int> {
        let rows = row * size..<(row + 1) * size
        let edges = edges(inRows: rows)
        var touched = RangeSet(edges.map { squares($0.columns(inRows: rows), size) })
        // A square that no edge touches lies within a polygon if its upper edge does.
        var first = edges.startIndex
        while first < edges.endIndex {
            let polygon = edges[first].polygon
            let end = edges[first...].firstIndex { $0.polygon != polygon } ?? edges.endIndex
            let crossings = edges[first..<end].compactMap { $0.crossing(rows.lowerBound * CutEdge.unit) }
                .sorted()
            for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
                let columns =
                    floorDivide(
                        crossings[pair], CutEdge.unit)..<floorDivide(
                        crossings[pair + 1] + CutEdge.unit - 1, CutEdge.unit)
                touched.insert(contentsOf: squares(columns, size))
            }
            first = end
        }
        return touched
    }

    private func squares(_ columns: Range<Int>, _ size: Int) -> Range<Int> {
        if columns.isEmpty { return 0..<0 }
        return floorDivide(columns.lowerBound, size)..<floorDivide(columns.upperBound - 1, size) + 1
    }
}
