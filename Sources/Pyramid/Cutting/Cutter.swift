internal import Resampling
internal import Tiling

/// Makes pixels transparent as far as a mask leaves nothing of them.
struct Cutter {
    /// The polygons over the pixels.
    let mask: CutMask
    /// Whether pixels stay whole, and those whose centre lies within a polygon remain: kernels that copy
    /// pixels make no mixtures.
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

    /// Finds how much of each pixel of a row lies within the polygons.
    private func sum(_ edges: [CutEdge], row: Int, in run: inout CutRun) {
        run.clear()
        for (index, edge) in edges.enumerated() {
            if isHard { edge.addCentres(inRow: row, to: &run) } else { edge.addArea(inRow: row, to: &run) }
            let isLast = index + 1 == edges.count || edges[index + 1].polygon != edge.polygon
            if isLast { run.closePolygon() }
        }
    }
}
