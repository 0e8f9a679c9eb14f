import Raster
import Resampling
import Tiling

/// Encodes the tiles that a unit completes. One per worker.
final class TileOutput: UnitOutput {
    private let plan: PyramidPlan
    private let packer: TilePacker
    private let encoder: any TileEncoder
    private let staged: Set<TileCoordinate>
    /// The tiles of each level whose tiles are gathered.
    private let gathered: [Int: GatheredTiles]

    /// Makes an output for units of a given number of tiles. An interrupted run has left the tiles in
    /// `staged`.
    init(
        plan: PyramidPlan, tilesPerUnit: Int, kernels: Kernels, encoder: any TileEncoder,
        gathered: [Int: GatheredTiles], staged: Set<TileCoordinate>
    ) {
        self.plan = plan
        self.encoder = encoder
        self.staged = staged
        self.gathered = gathered
        packer = TilePacker(
            size: plan.options.tileSize, count: tilesPerUnit, background: plan.options.background,
            kernels: kernels)
    }

    func finish(_ unit: WorkUnit, of stage: Stage, in band: LevelBand) throws -> [UnitTile] {
        let matrix = plan.levels[stage.level].matrix
        return try finish(unit, of: stage) { coordinate, column in
            try tile(coordinate, column) {
                packer.pack(
                    column: column, row: coordinate.row, of: band, in: matrix,
                    keepsEmpty: plan.options.writesEmptyTiles)
            }
        }
    }

    func gather(_ window: PixelWindow, ofLevel level: Int, from band: LevelBand) {
        if let tiles = gathered[level] { packer.gather(window, of: band, into: tiles) }
    }

    func finishGathered(_ unit: WorkUnit, of stage: Stage) throws -> [UnitTile] {
        guard let tiles = gathered[stage.level] else { return [] }
        return try finish(unit, of: stage) { coordinate, column in
            defer { tiles.release(column: column, row: coordinate.row) }
            return try tile(coordinate, column) {
                packer.pack(
                    column: column, row: coordinate.row, of: tiles, keepsEmpty: plan.options.writesEmptyTiles)
            }
        }
    }

    func tileRow(_ unit: WorkUnit, of stage: Stage) -> TileRow? {
        let (level, row) = (plan.levels[stage.level], stage.tileRows.lowerBound)
        // A stage of the finest level completes one row of tiles, or none that is to be written.
        let columns = stage.tileRows.isEmpty ? [] : columns(inRow: row, of: unit, level)
        let windows = columns.map {
            PixelWindow(columns: level.matrix.pixels(ofTile: $0), rows: level.matrix.pixels(ofTile: row))
        }
        packer.begin(windows, of: PixelWindow(columns: unit.columns, rows: stage.rows))
        return TileRow(row: row, columns: columns, level: level, output: self)
    }

    /// Packs rows of the tiles of a unit.
    func pack(_ rows: Range<Int>, of band: LevelBand) { packer.pack(rows, of: band) }

    /// Encodes the tiles of a unit.
    func encode(_ tiles: TileRow) throws -> [UnitTile] {
        try tiles.columns.enumerated().map { index, column in
            try tile(TileCoordinate(zoom: tiles.level.zoom, column: column, row: tiles.row), column) {
                packer.finish(index, keepsEmpty: plan.options.writesEmptyTiles)
            }
        }
    }

    private func columns(inRow row: Int, of unit: WorkUnit, _ level: PyramidLevel) -> [Int] {
        guard level.isWritten else { return [] }
        let wanted = level.matrix.tiles(ofPixels: unit.columns)
        return level.tileColumns(inRow: row).flatMap { $0.clamped(to: wanted) }
    }

    /// Makes a unit's tiles that a stage completes.
    ///
    /// - Parameter tile: makes one tile; its column may be beyond the antimeridian.
    private func finish(
        _ unit: WorkUnit, of stage: Stage,
        tile: (_ coordinate: TileCoordinate, _ column: Int) throws -> UnitTile
    ) throws -> [UnitTile] {
        let level = plan.levels[stage.level]
        return try stage.tileRows.flatMap { row in
            try columns(inRow: row, of: unit, level).map { column in
                try tile(TileCoordinate(zoom: level.zoom, column: column, row: row), column)
            }
        }
    }

    private func tile(
        _ coordinate: TileCoordinate, _ column: Int, pixels: () -> TilePixels?
    ) throws -> UnitTile {
        let content: UnitTile.Content =
            if staged.contains(coordinate) {
                .staged
            } else if let pixels = pixels() {
                .encoded(try encoder.encode(pixels))
            } else {
                .empty
            }
        return UnitTile(coordinate: coordinate, column: column, content: content)
    }
}

/// The tiles of a unit of the finest level. Their rows are packed some at a time, while they are in a cache.
/// The tiles are encoded when all rows are packed.
///
/// Their pixels belong to the output, which has room for one unit at a time.
struct TileRow {
    /// The row of tiles.
    let row: Int
    /// The columns of the tiles to write, from the west.
    let columns: [Int]
    /// The level.
    let level: PyramidLevel
    /// The output that packs and encodes them.
    let output: TileOutput

    /// Packs rows of pixels of a band.
    func pack(_ rows: Range<Int>, of band: LevelBand) { output.pack(rows, of: band) }

    /// Encodes the tiles.
    func encode() throws -> [UnitTile] { try output.encode(self) }
}
