internal import Raster
internal import Resampling
internal import Tiling

/// Encodes the tiles that a unit completes. One per worker.
final class TileOutput: UnitOutput {
    private let plan: PyramidPlan
    private let packer: TilePacker
    private let encoder: any TileEncoder
    private let staged: Set<TileCoordinate>

    /// - Parameter staged: the tiles that an interrupted run has left.
    init(
        plan: PyramidPlan, kernels: Kernels, encoder: any TileEncoder, staged: Set<TileCoordinate>
    ) {
        self.plan = plan
        self.encoder = encoder
        self.staged = staged
        packer = TilePacker(
            size: plan.options.tileSize, background: plan.options.background, kernels: kernels)
    }

    func finish(_ unit: WorkUnit, of stage: Stage, in band: LevelBand) throws -> [UnitTile] {
        let level = plan.levels[stage.level]
        guard level.isWritten else { return [] }
        return try stage.tileRows.flatMap { row in
            try encode(row: row, columns: unit.columns, of: level, from: band)
        }
    }

    private func encode(
        row: Int, columns: Range<Int>, of level: PyramidLevel, from band: LevelBand
    ) throws -> [UnitTile] {
        let wanted = level.matrix.tiles(ofPixels: columns)
        let columns = level.tileColumns(inRow: row).flatMap { $0.clamped(to: wanted) }
        return try columns.map { column in
            let coordinate = TileCoordinate(zoom: level.zoom, column: column, row: row)
            if staged.contains(coordinate) {
                return UnitTile(coordinate: coordinate, column: column, content: .staged)
            }
            let pixels = packer.pack(
                column: column, row: row, of: band, in: level.matrix,
                keepsEmpty: plan.options.writesEmptyTiles)
            guard let pixels else {
                return UnitTile(coordinate: coordinate, column: column, content: .empty)
            }
            return UnitTile(
                coordinate: coordinate, column: column,
                content: .encoded(try encoder.encode(pixels)))
        }
    }
}
