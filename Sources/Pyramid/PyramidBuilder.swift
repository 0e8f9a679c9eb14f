internal import Georeferencing
package import Raster
package import Resampling
package import Tiling

/// Renders an image into the tiles of a plan.
///
/// Rows of the source are decoded while units of work, runs of tiles side by side, are rendered
/// from the rows that are there, encoded, and halved into the next coarser zoom. This task owns the
/// sink and is the only one that writes, in an order that is fixed by the plan.
///
/// Memory: see `MemoryPlan`, which a build keeps to. Time grows with the pixels of source and
/// tiles.
package struct PyramidBuilder: Sendable {
    private let plan: PyramidPlan
    private let resources: PyramidResources
    private let kernels: Kernels
    private let info: RasterInfo
    private let list: StageList
    private let schedule: SourceSchedule
    private let memory: MemoryPlan
    private let weights: (columns: AxisWeights, rows: AxisWeights)?

    /// Prepares a build: weights, stages, and how much memory they take.
    ///
    /// - Parameter info: the source, whose width and height are those of the plan.
    package init(
        plan: PyramidPlan, info: RasterInfo, resources: PyramidResources, kernels: Kernels = .best
    ) {
        self.plan = plan
        self.info = info
        self.resources = resources
        self.kernels = kernels
        weights = Self.weights(of: plan)
        let needs =
            weights.map { SourceNeeds.weights($0.rows) }
            ?? .grid(MappingGrid(plan), plan.levels[0])
        list = StageList(plan: plan) { rows in
            needs.rows(for: rows, sourceHeight: plan.sourceHeight)
        }
        schedule = SourceSchedule(stages: list.stages, sourceHeight: plan.sourceHeight)
        memory = MemoryPlan(
            plan: plan, info: info, sourceCapacity: schedule.capacity,
            capacities: list.capacities, resources: resources)
    }

    /// Bytes of rows and buffers that the build keeps in memory.
    package var residentBytes: Int { memory.residentBytes }

    /// Bytes of scratch files that the build needs because the memory budget is too small.
    package var scratchBytes: Int { memory.scratchBytes }

    /// Builds the pyramid.
    ///
    /// - Parameters:
    ///   - source: the image; it is read to its end.
    ///   - sink: where tiles go.
    ///   - makeEncoder: makes an encoder for a job.
    ///   - progress: called now and then with the number of tiles that are done, written or empty.
    /// - Throws: whatever the source, an encoder or the sink throws, and `CancellationError`.
    package func build(
        from source: any RasterSource, to sink: inout some TileSink,
        makeEncoder: () throws -> any TileEncoder, progress: (_ tilesDone: Int) -> Void
    ) async throws -> PyramidSummary {
        let sourceBand = try RowBand(
            rowBytes: info.width * info.pixelFormat.bytesPerPixel, marginBytes: 0,
            capacity: schedule.capacity, scratchDirectory: scratch(memory.spillsSource))
        let bands = try plan.levels.indices.map { level in
            try LevelBand(
                window: plan.levels[level].window, capacity: list.capacities[level],
                scratchDirectory: scratch(memory.spillsLevel[level]))
        }
        let workers = try (0..<max(1, resources.jobs)).map { _ in
            RenderWorker(
                plan: plan, bands: bands, base: base(over: sourceBand), kernels: kernels,
                encoder: try makeEncoder(), staged: sink.staged)
        }
        var run = BuildRun(
            stages: list.stages,
            progress: BuildProgress(
                plan: plan, list: list, schedule: schedule, tilesPerUnit: tilesPerUnit),
            decoder: SourceDecoder(source: source, band: sourceBand), workers: workers)
        return try await run.run(to: &sink, progress: progress)
    }

    private func scratch(_ spills: Bool) -> String? {
        spills ? resources.scratchDirectory : nil
    }

    private func base(over band: RowBand) -> BaseRenderer {
        var source = SourceBand(
            band: band, format: info.pixelFormat, width: info.width, height: info.height)
        if let weights {
            return .separable(
                SeparableResampler(
                    source: source, columns: weights.columns, rows: weights.rows, kernels: kernels))
        }
        source.edges = (plan.mapping.columns, plan.mapping.rows)
        let warper = Warper(source: source, method: plan.options.resampling, kernels: kernels)
        return .warped(warper, MappingGrid(plan))
    }

    /// Tiles side by side in a unit: at most 4, so that some of their pixels are still in the second
    /// cache when they are packed, and few enough that a row of them keeps every job busy.
    private var tilesPerUnit: Int {
        if let tilesPerUnit = resources.tilesPerUnit { return tilesPerUnit }
        let size = plan.options.tileSize
        let tilesAcross = plan.levels[0].matrix.tiles(ofPixels: plan.levels[0].window.columns).count
        let longest = 4 * CellCoverage.cellSize / size
        return max(1, min(longest, tilesAcross / (3 * max(1, resources.jobs))))
    }

    private static func weights(of plan: PyramidPlan) -> (columns: AxisWeights, rows: AxisWeights)?
    {
        guard plan.isSeparable, case .separable(let column, let row) = plan.mapping.shape else {
            return nil
        }
        let (matrix, window) = (plan.levels[0].matrix, plan.levels[0].window)
        let method = plan.options.resampling
        return (
            AxisWeights(pixels: window.columns, method: method, within: plan.mapping.columns) { x in
                column(matrix.mercator(ofPixel: Point(x: x, y: 0)).x)
            },
            AxisWeights(pixels: window.rows, method: method, within: plan.mapping.rows) { y in
                row(matrix.mercator(ofPixel: Point(x: 0, y: y)).y)
            }
        )
    }
}
