package import Raster
import Tiling

/// Renders images into the tiles of a plan.
///
/// Rows of the source are decoded while units of work (runs of adjacent tiles) are rendered from the decoded
/// rows, halved into coarser zooms, and encoded. The task that builds owns the sink. It is the only one that
/// writes, in an order that the plan fixes.
///
/// Memory: see `MemoryPlan`, which a build adheres to. Time grows with the number of pixels of source and
/// tiles.
package struct PyramidBuilder: Sendable {
    private let plan: PyramidPlan
    /// What the build may use of the machine.
    package let resources: PyramidResources
    private let kernels: Kernels
    /// The weights of the only image.
    private let weights: SeparableWeights?
    /// The columns of each image that are read: all, unless it can be read by windows.
    private let sourceColumns: [Range<Int>]
    private let list: StageList
    private let memory: MemoryPlan
    private let pixels: PyramidPixels
    /// Makes a job's packer for the pixels of the coarsest level; nil if they are not kept.
    package var makePacker: (@Sendable () throws -> any KeptPixels.Packer)?
    /// Footprint tables that builds of the same images share: this build reads them and adds to them.
    package var footprints: FootprintTables?

    /// Prepares a build: weights, stages, and how much memory they take.
    package init(
        _ pixels: PyramidPixels, plan: PyramidPlan, resources: PyramidResources, kernels: Kernels = .best
    ) {
        if case .kept = pixels { precondition(plan.layers.isEmpty, "kept pixels have no images") }
        (self.plan, self.pixels) = (plan, pixels)
        self.resources = resources
        self.kernels = kernels
        let target = plan.target
        let needs = plan.layers.indices.map { RequiredRows(target, layer: $0) }
        list = StageList(plan: plan) { rows in target.sources(of: rows, needs) }
        sourceColumns = zip(needs, plan.layers).map { needs, layer in
            plan.isConfined
                ? needs.sourceColumns(for: target.part.hull.columns, of: layer)
                : 0..<layer.info.width
        }
        let reads = zip(sourceColumns, needs).map {
            SourceMemory.Read(columns: $0, weightBytes: $1.weights?.bytes ?? 0)
        }
        // The weights of a single image are kept; those of hundreds would take more memory than its rows.
        weights = needs.count == 1 ? needs[0].weights : nil
        memory = MemoryPlan(plan: plan, list: list, reads: reads, resources: resources)
    }

    /// Bytes of rows and buffers that the build keeps in memory.
    package var residentBytes: Int { memory.residentBytes }

    /// The maximum number of bytes of decoders that are open at a time.
    package var decoderBytes: Int { memory.sources.decoderBytes }

    /// Bytes of scratch files that the build needs because the memory budget is too small.
    package var scratchBytes: Int { memory.scratchBytes }

    /// Draws a view.
    ///
    /// - Parameters:
    ///   - picture: the destination of the pixels, with the size and the background of the plan.
    ///   - progress: called now and then with the numbers of finished and of all parts.
    /// - Throws: errors of images, and `CancellationError`.
    package func draw(
        _ picture: ViewPicture, progress: (_ done: Int, _ total: Int) -> Void
    ) async throws {
        var sink = NoTiles()
        let run = try run({ nil }) {
            [plan, kernels] in ViewOutput(picture, background: plan.options.background, kernels: kernels)
        }
        var loop = BuildLoop([self], semaphore: nil)
        _ = try await loop.run(to: &sink) { _ in
            run
        } progress: {
            progress($0.units, run.unitCount)
        }
    }

    /// Begins a build of tiles: makes its buffers and workers.
    func run(staged: Set<TileCoordinate>, makeEncoder: () throws -> any TileEncoder) throws -> BuildRun {
        let tilesPerUnit = plan.tilesPerUnit(resources)
        let keptZoom = makePacker == nil ? nil : plan.levels[plan.levels.count - 1].zoom
        return try run {
            TileEncoders(encoder: try makeEncoder(), packer: try makePacker?(), staged: staged)
        } makeOutput: { [plan, kernels] in
            TileOutput(plan.options, tilesPerUnit: tilesPerUnit, keptZoom: keptZoom, kernels: kernels)
        }
    }

    private func run(
        _ makeEncoders: () throws -> TileEncoders?, makeOutput: @escaping () -> any UnitOutput
    ) throws -> BuildRun {
        let rings = try plan.levels.indices.map { $0 == 0 ? nil : try ring(ofLevel: $0) }
        let pool = BlockPool(limit: memory.sources.bytes - memory.sources.rowBytes)
        let readers = plan.layers.indices.map { reader(ofLayer: $0, pool) }
        let footprints = footprints ?? FootprintTables(plan.target.footprints)
        let workers = try (0..<max(1, resources.jobs)).map { _ in
            RenderWorker(
                plan: plan, rings: rings, buffer: try buffer(), base: base(readers, footprints),
                kernels: kernels, encoders: try makeEncoders())
        }
        return BuildRun(
            stages: list.stages,
            progress: BuildProgress(
                plan: plan, list: list, schedules: memory.sources.schedules,
                readings: memory.sources.readings,
                tilesPerUnit: plan.tilesPerUnit(resources)),
            readers: readers, workers: workers, makeOutput: makeOutput)
    }

    private func ring(ofLevel level: Int) throws -> LevelBand {
        try LevelBand(
            window: plan.levels[level].part.hull, worldEdge: plan.levels[level].grid.columnsPerTurn,
            capacity: list.capacities[level],
            scratchDirectory: memory.spillsLevel[level] ? resources.scratchDirectory : nil)
    }

    /// The buffer of a unit of the finest level.
    private func buffer() throws -> LevelBand {
        let size = PixelWindow(columns: 0..<plan.columnsOfUnit(resources), rows: 0..<plan.rowsOfUnit)
        return try LevelBand(
            window: size, worldEdge: plan.levels[0].grid.columnsPerTurn, capacity: size.height)
    }

    private func base(_ readers: [LayerReader], _ footprints: FootprintTables) -> any FinestRenderer {
        if case .kept(let source) = pixels {
            return KeptRenderer(matrix: plan.levels[0].matrix, source: source)
        }
        return BaseRenderer(
            target: plan.target, cut: plan.levels[0].cut, readers: readers, kernels: kernels,
            footprints: footprints)
    }

    private func reader(ofLayer index: Int, _ pool: BlockPool) -> LayerReader {
        guard case .images(let open) = pixels else { preconditionFailure("kept pixels have no layers") }
        return LayerReader(
            plan.layers[index], access: memory.access[index], columns: sourceColumns[index],
            pool: pool,
            source: { try open(index) },
            weights: { [plan, weights] in weights ?? plan.target.weights(ofLayer: index) },
            expected: { expectedWindows(ofLayer: index) })
    }

    /// The parts of an image that are read, in about this order.
    private func expectedWindows(ofLayer index: Int) -> [PixelWindow] {
        if case .rows = memory.access[index] {
            return [PixelWindow(columns: sourceColumns[index], rows: memory.sources.readings[index].rows)]
        }
        let rows = list.stages.filter { $0.level == 0 }.map { $0.rows.widened(by: plan.halo) }
        return plan.target.sourceWindows(ofLayer: index, under: rows)
    }
}

/// The source of the pixels of a pyramid's finest level.
package enum PyramidPixels: Sendable {
    /// The images of the plan's layers. Each is opened once, when its turn comes, by any task. It is read to its
    /// end, or as far as a confined plan needs it; images that such a plan does not need are not opened.
    case images(open: @Sendable (_ layer: Int) throws -> any RasterSource)
    /// Pixels that another build kept.
    case kept(any KeptPixels.Source)
}

/// A sink without tiles, as a view has none.
private struct NoTiles: TileSink {
    var staged: Set<TileCoordinate> { [] }

    mutating func write(_ tile: EncodedTile) { preconditionFailure("a view has no tiles") }
}

/// The results of a build.
package struct PyramidSummary: Sendable {
    /// Tiles that were written to the sink, or left there by an interrupted run.
    package var tiles = 0
    /// Tiles of the footprint that are fully transparent and were left out.
    package var emptyTiles = 0
    /// Bytes of the tiles that were encoded by this run.
    package var encodedBytes = 0
    /// Units of work that are done.
    var units = 0

    /// An empty summary.
    package init() {}

    /// Adds the results of another build.
    package mutating func add(_ other: PyramidSummary) {
        tiles += other.tiles
        emptyTiles += other.emptyTiles
        encodedBytes += other.encodedBytes
        units += other.units
    }

    /// Counts a tile that exists.
    mutating func count(_ tile: UnitTile) {
        switch tile.content {
        case .empty:
            emptyTiles += 1
            return
        case .encoded(let bytes): encodedBytes += bytes.count
        case .staged: break
        }
        tiles += 1
    }
}
