import Georeferencing
import Raster
package import Tiling

extension PyramidPlan {
    /// The same pyramid with only some tiles built; their bytes are those of the whole pyramid.
    ///
    /// Everything that depends on the whole pyramid is unchanged: zooms, kernels, windows and footprints.
    /// Only the rendered part shrinks, and with it the rows of images that are read. Each finer level is
    /// rendered as far as the kernels of the halvings reach. Tiles are halved from finer ones: a tile of zoom
    /// 16 needs everything below it, down to the finest level.
    ///
    /// - Returns: a plan without the levels above the tiles. Nil if none of the tiles exists, because no
    ///   footprint touches them or their zooms are not written.
    package func confined(to asked: TileWindow) -> PyramidPlan? {
        var levels = Array(levels.prefix { $0.matrix.zoom >= asked.zooms.lowerBound })
        var halved = LevelPart.none
        for index in levels.indices.reversed() {
            levels[index].confine(
                to: asked, halvedInto: halved, wholeCells: index == 0 && whole.isMosaic)
            let reach = Reducer.reach(of: reducing(toLevel: index))
            halved = levels[index].part.doubled(reach: reach)
        }
        levels = Array(levels.prefix { !$0.part.isEmpty })
        guard levels.contains(where: \.hasTiles) else { return nil }
        var plan = self
        (plan.levels, plan.isConfined) = (levels, true)
        return plan
    }

    /// Tables that builds of several parts can share.
    package func sharedFootprints() -> FootprintTables { FootprintTables(target.footprints) }

    /// The zooms below a zoom whose pixels were kept; their bytes are those of the whole pyramid.
    ///
    /// - Parameter zoom: one of the zooms to be written, whose tiles are not part of the result.
    /// - Returns: nil if there are no zooms below.
    package func below(_ zoom: Int) -> PyramidPlan? {
        var levels = Array(levels.drop { $0.zoom > zoom })
        guard levels.count > 1 else { return nil }
        levels[0].isWritten = false
        var plan = self
        (plan.layers, plan.levels) = ([], levels)
        plan.isConfined = true
        return plan
    }

    /// The most jobs that can work at a time: one for each cell of the finest level, and one that decodes.
    package var mostJobs: Int {
        let window = levels[0].part.hull
        let size = CellCoverage.cellSize
        return window.columns.cells(of: size).count * window.rows.cells(of: size).count + 1
    }

    /// The layers that touch the rendered part.
    package var touchedLayers: [Int] {
        let (part, coverages) = (levels[0].part.hull, target.coverages)
        return layers.indices.filter { !coverages[$0].window.intersection(part).isEmpty }
    }

    /// Folders of a tree of tiles, one for each zoom and each column. They count twice, because they exist
    /// twice while tiles are staged and published.
    package var folderCount: Int {
        let written = levels.filter(\.isWritten)
        return 2 * written.reduce(0) { $0 + $1.tileColumns.count + 1 }
    }

    /// The ranges of existing tiles among those of the plan, per zoom from the lowest: the smallest
    /// rectangles around them, two at a zoom across the antimeridian.
    package func limits(of tiles: some Sequence<TileCoordinate>) -> [TileRange] {
        var extents: [Int: TileRange] = [:]
        let firstColumns = Dictionary(
            uniqueKeysWithValues: levels.map { ($0.matrix.zoom, $0.tileColumns.lowerBound) })
        for tile in tiles {
            // Columns continue across the antimeridian.
            let first = firstColumns[tile.zoom] ?? 0
            let column = first + ((tile.column - first) & ((1 << tile.zoom) - 1))
            let single = TileRange(zoom: tile.zoom, column: column, row: tile.row)
            extents[tile.zoom, default: single].extend(toColumn: column, row: tile.row)
        }
        return extents.values.sorted { $0.zoom < $1.zoom }.flatMap {
            TileRange.wrapping(zoom: $0.zoom, columns: $0.columns, rows: $0.rows)
        }
    }
}

extension LevelPart {
    /// The pixels of the next finer level that are halved into this part.
    ///
    /// - Parameter reach: finer pixels that a coarser pixel reads beyond its own pair.
    fileprivate func doubled(reach: Int) -> LevelPart {
        func doubled(_ range: Range<Int>) -> Range<Int> {
            2 * range.lowerBound - reach..<2 * range.upperBound + reach
        }
        return isEmpty ? self : LevelPart(columns: columns.map(doubled), rows: doubled(rows))
    }
}

extension PyramidLevel {
    /// Whether a footprint touches any tile to be written.
    fileprivate var hasTiles: Bool {
        isWritten && tileRows.contains { !tileColumns(inRow: $0).isEmpty }
    }

    /// Confines the level to the requested tiles and to the pixels that the next coarser level reads.
    ///
    /// - Parameters:
    ///   - halved: the pixels that the next coarser level reads; they may be outside the window.
    ///   - wholeCells: whether columns are rounded to whole cells of positions. With several images, the way
    ///     that edges are joined is decided per row of a cell, see `Warper.interior`.
    fileprivate mutating func confine(
        to asked: TileWindow, halvedInto halved: LevelPart, wholeCells: Bool
    ) {
        isWritten = isWritten && asked.zooms.contains(matrix.zoom)
        tiles = isWritten ? existing(asked.tiles(atZoom: matrix.zoom)) : .none
        let needed = pixels(of: tiles).union(halved)
        let columns = needed.columns.flatMap { columns in
            aroundTheWorld(wholeCells ? MappingGrid.wholeCells(columns) : columns)
        }
        part = LevelPart(columns: columns, rows: needed.rows.clamped(to: window.rows))
    }

    /// The tiles of a rectangle that this level has. A column may have several numbers, a turn apart.
    private func existing(_ asked: PixelWindow) -> LevelPart {
        let turn = matrix.tilesPerEdge
        let rows = asked.rows.clamped(to: tiles.rows)
        let first = floorDivide(tiles.hull.columns.lowerBound - asked.columns.upperBound, turn) + 1
        let last = floorDivide(tiles.hull.columns.upperBound - 1 - asked.columns.lowerBound, turn)
        let turns = first...max(first, last)
        return LevelPart(
            columns: turns.flatMap { index in
                tiles.columns(within: asked.columns.moved(by: index * turn))
            }, rows: rows)
    }

    private func pixels(of tiles: LevelPart) -> LevelPart {
        LevelPart(
            columns: tiles.columns.map { $0.multiplied(by: matrix.tileSize) },
            rows: tiles.rows.multiplied(by: matrix.tileSize))
    }

    /// The columns of the window for some columns: if a window leads around the world, columns beyond one of
    /// its ends are at its other end.
    private func aroundTheWorld(_ columns: Range<Int>) -> [Range<Int>] {
        let turn = matrix.pixelsPerEdge
        let turns = window.width == turn ? [-turn, 0, turn] : [0]
        return turns.map { columns.moved(by: $0).clamped(to: window.columns) }
    }
}

/// The facts about a whole pyramid that a plan with only some of the images needs.
package struct WholePyramid: Hashable, Codable, Sendable {
    /// The zoom that images are rendered at.
    package let finest: Int
    /// The existing pixels of that zoom, before a cutline.
    package let window: PixelWindow
    /// Whether there are several images.
    package let isMosaic: Bool
}

extension WholePyramid {
    init(of layers: [ImageLayer], _ options: PyramidOptions) throws {
        precondition(!layers.isEmpty, "a pyramid is made of an image")
        finest = PyramidPlan.finestZoom(of: layers, options: options)
        let matrix = TileMatrix(zoom: finest, tileSize: options.tileSize)
        let footprints = try layers.broughtTogether().map {
            try PyramidPlan.footprint($0.mapping.outline, in: matrix)
        }
        window = try PyramidPlan.finestWindow(of: footprints, matrix: matrix)
        isMosaic = layers.count > 1
    }
}

/// Requested tiles of a pyramid: a rectangle at one zoom, and the tiles below it down to another zoom.
package struct TileWindow: Hashable, Sendable {
    /// The rectangle at the lowest of the zooms. Its columns may continue beyond the antimeridian.
    package let limits: TileRange
    /// The requested zooms.
    package let zooms: ClosedRange<Int>

    /// Requests the tiles of a rectangle, and the tiles below it.
    ///
    /// - Parameter finest: the finest requested zoom; nil for only the rectangle's own.
    package init(_ limits: TileRange, downTo finest: Int? = nil) {
        self.limits = limits
        zooms = limits.zoom...max(limits.zoom, finest ?? limits.zoom)
    }

    /// Exactly one tile.
    package static func tile(_ tile: TileCoordinate) -> TileWindow {
        TileWindow(TileRange(zoom: tile.zoom, column: tile.column, row: tile.row))
    }

    /// The tiles of one of the zooms, as columns and rows.
    func tiles(atZoom zoom: Int) -> PixelWindow {
        let scale = 1 << (zoom - zooms.lowerBound)
        func scaled(_ range: ClosedRange<Int>) -> Range<Int> {
            range.lowerBound * scale..<(range.upperBound + 1) * scale
        }
        return PixelWindow(columns: scaled(limits.columns), rows: scaled(limits.rows))
    }
}
