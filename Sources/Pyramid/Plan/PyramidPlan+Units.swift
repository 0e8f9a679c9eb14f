import Georeferencing
import Raster
import Resampling
import Tiling

/// The division of a level's work.
extension PyramidPlan {
    /// The maximum number of rows of a stage of the finest level, if it keeps a ring of rows.
    static let rowsPerStage = CellCoverage.cellSize

    /// Pixels around a unit of the finest level that are rendered with it; nil if the level keeps a ring of
    /// rows instead.
    ///
    /// A unit that renders everything that the next level reads of it halves its pixels at once, while they
    /// are in a cache. Nothing else reads them, so the finest level, with three quarters of all pixels, takes
    /// no memory beyond one unit for each job. Its neighbours render again the pixels that a kernel reaches
    /// beyond the unit, which costs some percent. Kept pixels with such a kernel stay in a ring, as
    /// looking them up again would cost more.
    var haloOfUnits: Int? {
        let finest = levels[0]
        let isTurn = finest.grid.columnsPerTurn.map { finest.part.hull.width >= $0 } ?? false
        guard finest.part.columns.count == 1, !finest.isWrapped, !isTurn, !isView, stagesPerCell == 1
        else { return nil }
        let reach = levels.count > 1 ? Reducer.reach(of: reducing(toLevel: 1)) : 0
        return reach == 0 || !isOfKeptPixels ? reach : nil
    }

    /// The number of levels, from the second one on, that units of the finest level fill; 0 if the finest
    /// level keeps a ring of rows.
    ///
    /// If halving reads only pairs of pixels, a unit's part of each level depends only on the unit. The unit
    /// halves it further while it is in a cache, and no level waits for the tiles of another level. This ends
    /// at the level where a unit no longer fills whole cells of `CellColors`.
    var levelsFilledByUnits: Int {
        guard let haloOfUnits, levels.count > 1 else { return 0 }
        let further = (2..<max(2, haloOfUnits == 0 ? levels.count : 2)).prefix { level in
            Reducer.reach(of: reducing(toLevel: level)) == 0 && options.tileSize >> level >= CellColors.size
        }
        return 1 + further.count
    }

    /// The number of these levels that keep no ring of deep pixels: their tiles are gathered as units make
    /// them, and each unit keeps its own pixels for halving them to the next level.
    var levelsGathered: Int {
        (1..<max(1, levelsFilledByUnits)).prefix { !levels[$0].isWrapped }.count
    }

    /// Whether the tiles of a level are gathered.
    func gathersTiles(ofLevel level: Int) -> Bool { level > 0 && level <= levelsGathered }

    /// Whether a level has a ring of deep pixels.
    func keepsRing(ofLevel level: Int) -> Bool {
        level == 0 ? haloOfUnits == nil : !gathersTiles(ofLevel: level)
    }

    /// Whether the single-coloured cells of a level are known. They are if units of the finest level are
    /// rendered by themselves and pixels do not change once they are rendered.
    var keepsColors: Bool {
        haloOfUnits != nil && levels[0].cut == nil && layers.count <= 1
    }

    /// Whether all readers of a level's pixels ask for the colours of cells first. Tiles and halving without
    /// a halo do; keeping the pixels of the last level does not.
    func colorsStandForPixels(ofLevel level: Int) -> Bool {
        level + 1 < levels.count && Reducer.reach(of: reducing(toLevel: level + 1)) == 0
    }

    /// Rows of a unit of the finest level that are rendered, packed and halved at a time: as many as make a
    /// row of cells of `CellColors` in the second level. They stay in the L2 cache: 4 adjacent tiles take
    /// half a megabyte. Tiles whose pixels were kept are unpacked as a whole.
    var rowsPerTurn: Int { isOfKeptPixels ? rowsOfFinestStage : 2 * CellColors.size }

    /// The same for planes: with the planes that halving reads in addition, they take less than 300 KB.
    static let planesPerTurn = 32

    /// Rows of a unit that are kept at a time, if its tiles are made in turns: those of a turn, and those of
    /// earlier turns that the next row of the second level reads.
    func rowsKept(perTurn rows: Int) -> Int { rows + 2 * (haloOfUnits ?? 0) + 1 }

    /// Rows of the finest level in a stage.
    var rowsOfFinestStage: Int {
        if isView { return Self.rowsPerBand }
        // A unit on its own makes whole tiles.
        return haloOfUnits != nil
            ? max(Self.rowsPerStage, options.tileSize) : Self.rowsPerStage / stagesPerCell
    }

    /// Stages of the finest level per row of cells: more if the image shrinks, so that a stage needs about
    /// the same number of its rows. A power of two; at most 8, so that a stage stays worth its overhead.
    private var stagesPerCell: Int {
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

    /// The largest windows of a unit of the finest level, in that level and in the levels whose tiles are
    /// gathered; empty if the finest level keeps a ring of rows.
    func sizesOfUnits(_ resources: PyramidResources) -> [(columns: Int, rows: Int)] {
        guard let haloOfUnits else { return [] }
        let finest = (columns: tilesPerUnit(resources) * options.tileSize, rows: rowsOfFinestStage)
        return [(finest.columns + 2 * haloOfUnits, finest.rows + 2 * haloOfUnits)]
            + (1..<levelsGathered + 1).map { (finest.columns >> $0, finest.rows >> $0) }
    }

    /// The pixels that a unit of the finest level renders.
    func window(ofUnit columns: Range<Int>, rows: Range<Int>, halo: Int) -> PixelWindow {
        let all = levels[0].part.hull
        return PixelWindow(
            columns: columns.widened(by: halo).clamped(to: all.columns),
            rows: rows.widened(by: halo).clamped(to: all.rows))
    }

    /// Whether opaque units of the finest level may be made as planes: units of one upright image without
    /// alpha, whose pixels are read only by halving and tiles.
    var makesPlanes: Bool {
        layers.count == 1 && levels.count > 1 && levels[0].cut == nil && target.isSeparable(0)
            && layers[0].info.pixelFormat != .rgba8
    }

    /// The pixels of each level's ring that are in planes: those that read only opaque pixels of the image.
    /// None if halving reads only pairs of pixels: then tiles are gathered.
    ///
    /// - Parameter weights: the weights of the only image.
    func planesOfRings(_ weights: SeparableWeights?, kernels: Kernels) -> [OpaquePlanes?] {
        let none = [OpaquePlanes?](repeating: nil, count: levels.count)
        guard makesPlanes, haloOfUnits != nil, let weights else { return none }
        let info = layers[0].info
        let opaque = weights.opaqueWindow(ofSource: (info.width, info.height))
        var (window, planes) = (opaque?.intersection(levels[0].part.hull), none)
        for level in levels.indices.dropFirst() {
            let reducer = Reducer(method: reducing(toLevel: level), kernels: kernels)
            guard reducer.takesPlanes, reducer.reach > 0, let fine = window else { break }
            let pixels = reducer.pixels(reading: fine).intersection(levels[level].part.hull)
            guard !leadsAround(level),
                let opaque = OpaquePlanes(count: info.pixelFormat.bytesPerPixel, blocksIn: pixels)
            else { break }
            (planes[level], window) = (opaque, opaque.window)
        }
        return planes
    }

    /// Whether a level may hold pixels of both ends of the world.
    private func leadsAround(_ index: Int) -> Bool {
        let level = levels[index]
        let isTurn = level.grid.columnsPerTurn.map { level.part.hull.width >= $0 } ?? false
        return isTurn || level.isWrapped || level.part.columns.count != 1
    }
}

extension Range<Int> {
    /// The range, extended by `count` at both ends.
    func widened(by count: Int) -> Range<Int> { lowerBound - count..<upperBound + count }

    /// The range, extended to whole pairs of pixels.
    var paired: Range<Int> { 2 * halved.lowerBound..<2 * halved.upperBound }
}
