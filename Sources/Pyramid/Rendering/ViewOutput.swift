internal import Raster
internal import Resampling
internal import Tiling

/// Puts the pixels of a unit into a picture. One per worker.
final class ViewOutput: UnitOutput {
    private let picture: ViewPicture
    private let plan: PyramidPlan
    private let kernels: Kernels

    init(_ picture: ViewPicture, plan: PyramidPlan, kernels: Kernels) {
        (self.picture, self.plan, self.kernels) = (picture, plan, kernels)
    }

    func finish(_ unit: WorkUnit, of stage: Stage, in band: LevelBand) -> [UnitTile] {
        for columns in plan.levels[stage.level].part.columns(within: unit.columns) {
            _ = picture.packed.pack(
                PixelWindow(columns: columns, rows: stage.rows), of: band, over: plan.options.background,
                with: kernels)
        }
        return []
    }
}
