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
            for row in stage.rows { pack(row, columns, from: band) }
        }
        return []
    }

    private func pack(_ row: Int, _ columns: Range<Int>, from band: LevelBand) {
        let pixels = band.pixel(column: columns.lowerBound, row: row)
        let result = picture.pixels(column: columns.lowerBound, row: row)
        if let background = plan.options.background {
            _ = kernels.pack(
                pixels, over: (background.red, background.green, background.blue), into: result,
                count: columns.count)
        } else {
            _ = kernels.pack(pixels, into: result, count: columns.count)
        }
    }
}
