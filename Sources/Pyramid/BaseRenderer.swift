internal import Resampling
internal import Tiling

/// Renders pixels of the finest level from the source. One per worker.
enum BaseRenderer {
    case separable(SeparableResampler)
    case warped(Warper, MappingGrid)

    /// Renders a window, no pixel of which lies in an uncovered cell.
    func render(_ window: PixelWindow, into band: LevelBand) {
        switch self {
        case .separable(let resampler):
            resampler.render(window, into: band)
        case .warped(let warper, let grid):
            for part in MappingGrid.parts(of: window) {
                warper.render(grid.positions(of: part)) { row in
                    band.pixel(
                        column: part.columns.lowerBound, row: part.rows.lowerBound + row)
                }
            }
        }
    }
}
