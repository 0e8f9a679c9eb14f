internal import Raster
internal import Resampling
internal import Tiling

/// Encodes the tiles that a unit completes. One per worker.
final class TileOutput: UnitOutput {
    private let plan: PyramidPlan
    private let packer: TilePacker
    private let encoder: any TileEncoder
    private let staged: Set<TileCoordinate>

    /// - Parameters:
    ///   - tilesPerUnit: tiles of the finest level that a unit has at most.
    ///   - staged: the tiles that an interrupted run has left.
    init(
        plan: PyramidPlan, tilesPerUnit: Int, kernels: Kernels, encoder: any TileEncoder,
        staged: Set<TileCoordinate>
    ) {
        self.plan = plan
        self.encoder = encoder
        self.staged = staged
        packer = TilePacker(
            size: plan.options.tileSize, count: tilesPerUnit, background: plan.options.background,
            kernels: kernels)
    }

    func finish(_ unit: WorkUnit, of stage: Stage, in band: LevelBand) throws -> [UnitTile] {
        try stage.tileRows.flatMap { row in
            try encode(row: row, of: unit, plan.levels[stage.level], from: band)
        }
    }

    func tileRow(_ unit: WorkUnit, of stage: Stage) -> TileRow? {
        let level = plan.levels[stage.level]
        let matrix = level.matrix
        let tiles = matrix.tiles(ofPixels: unit.columns)
        guard let row = stage.tileRows.first, matrix.pixels(ofTile: row) == stage.rows,
            matrix.pixels(ofTile: tiles.lowerBound).lowerBound == unit.columns.lowerBound,
            matrix.pixels(ofTile: tiles.upperBound).lowerBound == unit.columns.upperBound
        else { return nil }
        return TileRow(row: row, columns: columns(inRow: row, of: unit, level), matrix: matrix, output: self)
    }

    /// Packs rows of pixels of a unit's tiles.
    func pack(_ rows: Range<Int>, of tiles: TileRow, from band: LevelBand) {
        let windows = tiles.windows
        for row in rows {
            for (index, window) in windows.enumerated() {
                packer.pack(row: row, of: window, at: index, from: band)
            }
        }
    }

    /// Encodes a unit's tiles, all rows of which are packed.
    func encode(_ tiles: TileRow) throws -> [UnitTile] {
        try tiles.columns.enumerated().map { index, column in
            try tile(TileCoordinate(zoom: tiles.matrix.zoom, column: column, row: tiles.row), column) {
                packer.opaqueTile(index)
            }
        }
    }

    private func columns(inRow row: Int, of unit: WorkUnit, _ level: PyramidLevel) -> [Int] {
        guard level.isWritten else { return [] }
        let wanted = level.matrix.tiles(ofPixels: unit.columns)
        return level.tileColumns(inRow: row).flatMap { $0.clamped(to: wanted) }
    }

    private func encode(
        row: Int, of unit: WorkUnit, _ level: PyramidLevel, from band: LevelBand
    ) throws -> [UnitTile] {
        try columns(inRow: row, of: unit, level).map { column in
            try tile(TileCoordinate(zoom: level.zoom, column: column, row: row), column) {
                packer.pack(
                    column: column, row: row, of: band, in: level.matrix,
                    keepsEmpty: plan.options.writesEmptyTiles)
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
