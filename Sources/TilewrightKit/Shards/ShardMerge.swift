import Palettes
import Platform
import Rendering
import Tilesets
import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The merge of a job's shards, as `tilewright merge` does it.
public struct ShardMerge: Sendable {
    private let build: TilesetBuild

    /// Prepares a merge: reads the job, and checks all shards.
    ///
    /// - Throws: a `Failure`: `missingInput` if shards are missing, `badInput` if they are damaged or of
    ///   another job. The message lists their numbers, as job arrays take them.
    public init(
        job folder: String, output: OutputRequest, resources: BuildResources = BuildResources()
    ) throws {
        let job = try ShardJob(in: folder)
        try job.checkMachine()
        FarSources.useScratch(in: resources.scratchDirectory ?? output.path.existingParent)
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

    /// The request.
    public var request: BuildRequest { build.request }

    /// Warnings for the user, a line each.
    public var warnings: [Warning] { build.warnings }

    /// Makes the zooms below the cut, and writes all tiles and documents.
    ///
    /// - Throws: as `TilesetBuild.run`; `badInput` if a shard turns out to be damaged.
    public func run(report: BuildEventHandler = { _ in }) async throws -> BuildSummary {
        try await build.run(report: report)
    }

    /// Chooses the palette of a job from the surveys of its shards, and writes it into the job's folder.
    ///
    /// - Throws: a `Failure`: `usage` if the job has no palette, `missingInput` or `badInput` if a survey is
    ///   missing or damaged.
    public static func chooseColors(
        of folder: String, resources: BuildResources = BuildResources(), report: BuildEventHandler = { _ in }
    ) async throws {
        let job = try ShardJob(in: folder)
        try job.checkSurvey(in: folder)
        try job.checkMachine()
        FarSources.useScratch(in: resources.scratchDirectory ?? folder)
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

/// The palette of a job, which `merge --survey` chooses from the surveys of all shards.
struct JobPalette: Codable, Hashable {
    /// The name of its file in the job's folder.
    static let fileName = "palette.json"

    /// The maximum number of bytes: 256 colours take a hundredth of them.
    private static let largest = 1 << 20

    /// The digest of its job.
    let job: String
    /// Its colours: red, green, blue, alpha; nil if the tiles have fewer colours than the palette may have.
    let colors: [[Int]]?

    /// Keeps a palette.
    init(_ palette: Palette?, of job: ShardJob) throws {
        self.job = ContentHash(of: try job.json).hex
        colors = palette?.colors.map { [$0.red, $0.green, $0.blue, $0.alpha] }
    }

    /// Reads the palette of a job.
    ///
    /// - Throws: `.missingInput` if there is no palette, `.badInput` if it is damaged or belongs to another
    ///   job.
    init(of job: ShardJob, in folder: String) throws {
        let path = folder.path(of: Self.fileName)
        let remedy =
            "run tilewright shard \(ShellWord.quoted(folder)) INDEX --survey for each shard, then "
            + "tilewright merge \(ShellWord.quoted(folder)) --survey"
        guard let bytes = try Failure.ofInput({ try WholeFile.found(path, atMost: Self.largest) }) else {
            throw Failure(
                .missingInput, cannot: "make tiles of '\(folder)'", "its palette has not been chosen yet",
                remedy: remedy)
        }
        guard let read = try? JSONDecoder().decode(Self.self, from: Data(bytes)),
            read.colors?.allSatisfy({ $0.count == 4 && $0.allSatisfy { 0...255 ~= $0 } }) ?? true,
            read.colors.map({ 1...256 ~= $0.count }) ?? true,
            read.job == ContentHash(of: try job.json).hex
        else {
            throw Failure(
                .badInput, cannot: "read '\(path)'", "it is damaged or of another job", remedy: remedy)
        }
        self = read
    }

    /// The colours that pixels are reduced to; nil for all.
    var palette: Palette? { colors.map { Palette($0.map { RGBA($0[0], $0[1], $0[2], $0[3]) }) } }

    /// Writes the file.
    func write(to folder: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try WholeFile.write(
            Array(encoder.encode(self)) + Array("\n".utf8), to: folder.path(of: Self.fileName), isTyped: false
        )
    }
}
