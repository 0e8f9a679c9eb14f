import Tiling

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
