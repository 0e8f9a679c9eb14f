internal import Platform
internal import Resampling
internal import Tiling

/// Where a unit of the finest level is rendered, and halved to levels that keep no rings. One per worker.
final class UnitBands {
    private let bands: [LevelBand]
    /// The colours of the unit's cells in each level; none if pixels change once they are rendered.
    private let colors: [CellColors]

    /// - Throws: `Failure` if there is not enough memory.
    init(_ plan: PyramidPlan, _ resources: PyramidResources) throws {
        let sizes = plan.sizesOfUnits(resources)
        bands = try zip(plan.levels, sizes).map { level, size in
            try LevelBand(
                window: PixelWindow(columns: 0..<size.columns, rows: 0..<size.rows),
                worldEdge: level.grid.columnsPerTurn, capacity: size.rows, scratchDirectory: nil)
        }
        colors =
            plan.keepsColors
            ? sizes.indices.map { CellColors(standForPixels: plan.colorsStandForPixels(ofLevel: $0)) } : []
    }

    /// Room for a unit's pixels of a level; those of another unit that were there are gone.
    func begin(_ window: PixelWindow, level: Int) -> LevelBand {
        begin(window, level: level, band: bands[level].moved(to: window))
    }

    /// Room for a unit's pixels of the finest level, of which only so many rows stay.
    func begin(_ window: PixelWindow, keeping rows: Int) -> LevelBand {
        begin(window, level: 0, band: bands[0].moved(to: window, keeping: rows))
    }

    /// The same for planes.
    func beginPlanes(_ window: PixelWindow, keeping rows: Int) -> LevelBand {
        bands[0].moved(toPlanesOf: window, keeping: rows)
    }

    private func begin(_ window: PixelWindow, level: Int, band: LevelBand) -> LevelBand {
        if colors.isEmpty { return band }
        var band = band
        colors[level].begin(window, capacity: band.capacity)
        band.colors = colors[level]
        return band
    }
}
