internal import Raster
internal import Resampling
internal import Tiling

/// What one job needs to render and encode: buffers, resamplers, an encoder. Handed from one unit
/// of work to the next, it is used by one task at a time.
final class RenderWorker: @unchecked Sendable {
    // Unchecked, because the compiler cannot see that the builder gives a worker to one task at a
    // time.

    private let plan: PyramidPlan
    private let bands: [LevelBand]
    private let base: BaseRenderer
    private let reducers: [Reducer]
    private let packer: TilePacker
    private let encoder: any TileEncoder
    private let staged: Set<TileCoordinate>

    init(
        plan: PyramidPlan, bands: [LevelBand], readers: [LayerReader], kernels: Kernels,
        encoder: any TileEncoder, staged: Set<TileCoordinate>
    ) {
        self.plan = plan
        self.bands = bands
        base = BaseRenderer(target: plan.target, readers: readers, kernels: kernels)
        self.encoder = encoder
        self.staged = staged
        reducers = plan.levels.indices.map { level in
            Reducer(method: plan.reducing(toLevel: level), kernels: kernels)
        }
        packer = TilePacker(
            size: plan.options.tileSize, background: plan.options.background, kernels: kernels)
    }

    /// Renders a unit's pixels and encodes the tiles that they complete.
    func run(_ unit: WorkUnit, of stage: Stage) throws -> [UnitTile] {
        for columns in plan.levels[stage.level].part.columns(within: unit.columns) {
            try render(stage.rows, columns, level: stage.level)
        }
        guard plan.levels[stage.level].isWritten else { return [] }
        return try stage.tileRows.flatMap { row in
            try encode(row: row, columns: unit.columns, level: stage.level)
        }
    }

    /// Renders rows of a level, a row of cells at a time.
    private func render(_ rows: Range<Int>, _ columns: Range<Int>, level index: Int) throws {
        let level = plan.levels[index]
        let size = CellCoverage.cellSize
        var top = rows.lowerBound
        while top < rows.upperBound {
            let cellRow = floorDivide(top, size)
            let bottom = min(rows.upperBound, (cellRow + 1) * size)
            let covered = level.coverages.pixels(inCellRow: cellRow, of: columns)
            for gap in columns.gaps(between: covered) {
                bands[index].clear(PixelWindow(columns: gap, rows: top..<bottom))
            }
            if index == 0 {
                let window = PixelWindow(columns: columns, rows: top..<bottom)
                try base.render(window, into: bands[0])
            } else {
                for part in covered {
                    reducers[index].render(
                        PixelWindow(columns: part, rows: top..<bottom), from: bands[index - 1],
                        into: bands[index])
                }
            }
            top = bottom
        }
        bands[index].continueAround(PixelWindow(columns: columns, rows: rows))
    }

    private func encode(row: Int, columns: Range<Int>, level index: Int) throws -> [UnitTile] {
        let level = plan.levels[index]
        let wanted = level.matrix.tiles(ofPixels: columns)
        let columns = level.tileColumns(inRow: row).flatMap { $0.clamped(to: wanted) }
        return try columns.map { column in
            let coordinate = TileCoordinate(zoom: level.matrix.zoom, column: column, row: row)
            if staged.contains(coordinate) {
                return UnitTile(coordinate: coordinate, column: column, content: .staged)
            }
            let pixels = packer.pack(
                column: column, row: row, of: bands[index], in: level.matrix,
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

/// A part of a stage: some columns, whole tiles wide.
struct WorkUnit: Sendable {
    /// The stage's index in the list.
    var stage: Int
    /// The unit's place in the stage, from the west.
    var index: Int
    /// The columns, in pixels of the level.
    var columns: Range<Int>
}

/// What a unit made of a tile.
struct UnitTile: Sendable {
    /// The tile's address.
    var coordinate: TileCoordinate
    /// Its column before it was brought back into the world.
    var column: Int
    /// Its bytes, or why there are none.
    var content: Content

    /// Bytes, or why there are none.
    enum Content: Sendable {
        /// A file's bytes.
        case encoded([UInt8])
        /// An interrupted run has left the tile already.
        case staged
        /// Wholly transparent, and not wanted.
        case empty
    }
}
