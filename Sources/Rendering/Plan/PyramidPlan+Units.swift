import Georeferencing
import Raster
import Tiling

/// The division of the finest level's work.
///
/// A unit of the finest level renders everything that the next level reads of it, and halves its pixels at
/// once, while they are in a cache. So the finest level, with three quarters of all pixels, takes no memory
/// beyond one unit for each job. Its neighbours render again the pixels that a kernel reaches beyond the unit,
/// which costs some percent.
extension PyramidPlan {
    /// The number of rows of a unit that are rendered, packed and halved at a time. They stay in the L2 cache: 4
    /// adjacent tiles take half a megabyte.
    static let rowsPerTurn = 64

    /// Pixels around a unit that are rendered with it, because the second level reads them.
    var halo: Int { levels.count > 1 ? Reducer.reach(of: reducing(toLevel: 1)) : 0 }

    /// The maximum number of rows of a stage: a row of tiles and of cells, or a band of a view. If the image
    /// shrinks, it is a part of a row of tiles, so that a stage needs about the same number of its rows.
    var rowsPerStage: Int {
        isView ? Self.rowsPerBand : max(CellCoverage.cellSize, options.tileSize) / stagesPerTile
    }

    /// Stages per row of tiles: a power of two; at most 8, so that a stage stays worth its overhead.
    var stagesPerTile: Int {
        let finest = layers.map(\.mapping.mercatorCellSize).reduce(.infinity, min)
        let scale = levels[0].matrix.cellSize / finest
        var stages = 1
        while stages < 8, scale >= Double(2 * stages) { stages *= 2 }
        return stages
    }

    /// Adjacent tiles in a unit: at most 4, so that some of their pixels are still in the L2 cache when they
    /// are packed, and few enough that a row of tiles keeps every job busy.
    func tilesPerUnit(_ resources: PyramidResources) -> Int {
        if let tilesPerUnit = resources.tilesPerUnit { return tilesPerUnit }
        let size = options.tileSize
        let tilesAcross = levels[0].matrix.tiles(ofPixels: levels[0].part.hull.columns).count
        let longest = 4 * CellCoverage.cellSize / size
        return max(1, min(longest, tilesAcross / (3 * max(1, resources.jobs))))
    }

    /// Rows of a unit that are kept at a time: those of a turn, and those of earlier turns that the next row of
    /// the second level reads.
    var rowsOfUnit: Int { Self.rowsPerTurn + 2 * halo + 1 }

    /// Columns of the largest unit, with its halo.
    func columnsOfUnit(_ resources: PyramidResources) -> Int {
        tilesPerUnit(resources) * levels[0].tileSize + 2 * halo
    }
}

extension Range<Int> {
    /// The range, extended by `count` at both ends.
    func widened(by count: Int) -> Range<Int> { lowerBound - count..<upperBound + count }

    /// The range, extended to whole pairs of pixels.
    var paired: Range<Int> { 2 * halved.lowerBound..<2 * halved.upperBound }
}
