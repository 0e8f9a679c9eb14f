import Platform
import Pyramid
import Tilesets
import Tiling

/// The shards of a job, put together: what `tilewright merge` does.
public struct ShardMerge: Sendable {
    private let build: TilesetBuild

    /// Prepares a merge: reads the job, and looks at all shards.
    ///
    /// - Parameters:
    ///   - folder: of the job.
    ///   - output: where the tiles go, as for a build on one machine.
    ///   - resources: what may be used of the machine.
    /// - Throws: a `Failure`: `missingInput` if shards are missing, `badInput` if they are damaged or of another job; it
    ///   lists their numbers, as job arrays take them.
    public init(
        job folder: String, output: OutputRequest, resources: BuildResources = BuildResources()
    ) throws {
        let job = try ShardJob(in: folder)
        try job.checkMachine()
        try SourceCheck.checkNames(of: job, images: Array(job.images.indices))
        var request = BuildRequest(job.images.map(\.request), pyramid: job.pyramid, output: output)
        request.resources = resources
        request.lists = job.lists
        let shards = try ShardSet(job, in: folder, ReadingBudget(tiles: resources.maxTiles))
        var build = try TilesetBuild(request, deferringRows: true) {
            try PlacedImages($0.images, resources: $0.resources)
        }
        try job.check(build.plan.onDemand, images: Array(job.images.indices))
        try build.check(sparing: ReadFiles(shards.paths + [folder.path(of: ShardJob.fileName)]))
        build.shards = shards
        self.build = build
    }

    /// What was asked for.
    public var request: BuildRequest { build.request }

    /// What is not an error, and what the user should know: a line each.
    public var warnings: [Warning] { build.warnings }

    /// Makes the zooms below the cut, and writes all tiles and documents.
    ///
    /// - Throws: as `TilesetBuild.run`; `badInput` if a shard turns out to be damaged.
    public func run(report: BuildEventHandler = { _ in }) async throws -> BuildSummary {
        try await build.run(report: report)
    }

    /// Chooses the palette of a job by the surveys of its shards, and leaves it in the job's folder.
    ///
    /// - Throws: a `Failure`: `usage` if the job has no palette, `missingInput` or `badInput` for its surveys.
    public static func chooseColors(
        of folder: String, resources: BuildResources = BuildResources(), report: BuildEventHandler = { _ in }
    ) async throws {
        let job = try ShardJob(in: folder)
        guard job.needsSurvey else {
            throw Failure(
                .usage, "--survey has no meaning for '\(folder)', whose tiles have no palette",
                remedy: "leave it out")
        }
        try job.checkMachine()
        try SourceCheck.checkNames(of: job, images: Array(job.images.indices))
        let surveys = try ShardSet(job, in: folder, ReadingBudget(tiles: resources.maxTiles), .survey)
        let placed = try PlacedImages(job.images.map(\.request), resources: resources)
        let plan = try TilesetPlan(deferringRowsOf: placed.all, request: job.pyramid, resources: resources)
        try job.check(plan.onDemand, images: Array(job.images.indices))
        let inputs = try BuildInputs(job.images.map(\.request), others: job.lists + job.pyramid.files)
        try ReadFiles(inputs.paths).check(folder: folder, isWritten: ShardJob.isFile)
        report(.began(.colors, tileCount: plan.tileCount))
        defer { report(.ended) }
        let palette = try await surveys.palette(of: plan) { report(.progressed(tilesDone: $0)) }
        try JobPalette(palette, of: job).write(to: folder)
    }
}
