import Codecs
import Platform
import Palettes
import Rendering
import Tilesets
import Tiling

/// The build of a part of a job, as `tilewright shard` does it.
public struct ShardBuild: Sendable {
    private let folder: String
    private let index: Int
    private let job: ShardJob
    private let shard: ShardJob.Shard
    private let identity: ShardIdentity
    private let palette: JobPalette?

    /// The result of a shard.
    public enum Result: Hashable, Sendable {
        /// It was made, with this many tiles.
        case made(tiles: Int)
        /// It already existed.
        case present
    }

    /// Reads a job.
    ///
    /// - Parameters:
    ///   - folder: the job.
    ///   - index: the shard, from 0.
    ///   - survey: whether to count colours instead of making tiles.
    /// - Throws: a `Failure`: `missingInput` or `badInput` for the job, or for its palette, `usage` if the
    ///   job has no such shard, or needs no survey.
    public init(job folder: String, index: Int, survey: Bool = false) throws {
        self.folder = folder
        self.index = index
        job = try ShardJob(in: folder)
        guard job.shards.indices.contains(index) else {
            throw Failure(
                .usage,
                "there is no shard \(index): '\(folder)' has \(job.shards.count) shards, from 0 to "
                    + "\(job.shards.count - 1)")
        }
        shard = job.shards[index]
        if survey { try job.checkSurvey(in: folder) }
        palette = try !survey && job.needsSurvey ? JobPalette(of: job, in: folder) : nil
        identity = try job.identity(index, survey ? .survey : .shard, palette: palette)
    }

    /// Makes the shard, unless it exists. Its file appears whole or not at all.
    ///
    /// - Throws: a `Failure`, as a build does; `badInput` if a source differs from the one that was split;
    ///   `CancellationError` if the task was cancelled.
    public func run(
        resources: BuildResources = BuildResources(), report: BuildEventHandler = { _ in }
    ) async throws -> Result {
        let directory = try shards()
        let budget = ReadingBudget(tiles: resources.maxTiles)
        if try isPresent(in: directory, budget) {
            // Of a worker that was killed while another one made the shard.
            try TemporaryFile.removeAbandoned(of: identity.fileName, in: directory)
            return .present
        }
        try job.checkMachine()
        var resources = resources
        resources.scratchDirectory = resources.scratchDirectory ?? folder.path(of: ShardJob.shardFolder)
        FarSources.useScratch(in: resources.scratchDirectory)
        try SourceCheck.checkNames(of: job, images: shard.images)
        let inputs = try BuildInputs(
            shard.images.map { job.images[$0].request }, others: job.pyramid.files)
        try ReadFiles(inputs.paths).check(folder: folder, isWritten: ShardJob.isFile)
        let sources = try SourceCheck(job.sources(ofImages: shard.images))
        var writer = try ShardWriter(identity, in: directory)
        do {
            if !shard.images.isEmpty { try await render(sources.reads, into: &writer, resources, report) }
            if let change = inputs.change() { throw change }
            try sources.checkWhatWasRead()
            try writer.finish()
        } catch {
            writer.discard()
            // Another worker may have made the shard first. On a network disk, this worker's file may then be
            // gone.
            if (error as? Failure)?.kind == .inputOutput, try isPresent(in: directory, budget) {
                return .present
            }
            // A file that looks damaged may be a different file than the job's.
            if (error as? Failure)?.kind == .badInput { try sources.checkWhatWasRead() }
            throw error
        }
        return .made(tiles: writer.tileCount)
    }

    private func shards() throws -> Directory {
        guard let directory = try Directory.open(folder)?.makeSubdirectory(ShardJob.shardFolder) else {
            throw Failure(.inputOutput, cannot: "write to '\(folder)'", "it was removed in the meantime")
        }
        return directory
    }

    /// Whether the shard exists, undamaged.
    private func isPresent(in directory: Directory, _ budget: ReadingBudget) throws -> Bool {
        do {
            let reader = try ShardReader(identity, in: directory, budget: budget)
            for piece in reader.pieces { _ = try reader.bytes(of: piece) }
            return true
        } catch is ShardReader.Fault { return false }
    }

    private func render(
        _ reads: FileReads, into writer: inout ShardWriter, _ resources: BuildResources,
        _ report: BuildEventHandler
    ) async throws {
        let placed = try PlacedImages(
            shard.images.map { job.images[$0].request }, resources: resources, reads: reads)
        let tiles = try TilesOnDemand(
            images: placed.all, of: job.whole, request: job.pyramid, resources: resources)
        try job.check(tiles, images: shard.images)
        let passes = tiles.passes(of: shard, cut: job.cut)
        let tileCount = passes.reduce(0) { $0 + $1.pyramid.tileCount }
        try resources.checkTiles(tileCount)
        // Zooms that are drawn are not made from finer ones.
        let keepsPixels = !tiles.isRedrawn && tiles.zooms.lowerBound < job.cut
        let makePacker: @Sendable () throws -> any KeptPixels.Packer = { try PackedPixels() }
        let builder = try tiles.builder(of: passes, keepingPixels: keepsPixels ? makePacker : nil)
        try builder.checkMemory()
        let isSurvey = identity.round == .survey
        report(.began(isSurvey ? .colors : .tiles, tileCount: tileCount))
        defer { report(.ended) }
        if isSurvey {
            writer = try await survey(builder, to: writer) { report(.progressed(tilesDone: $0)) }
            return
        }
        _ = try await builder.build(
            to: &writer, makeEncoder: { job.pyramid.encoding.makeEncoder(palette: palette?.palette) },
            progress: { report(.progressed(tilesDone: $0)) })
    }

    /// Counts the colours of tiles, and keeps the pixels at the cut, for the colours of the zooms below.
    private func survey(
        _ builder: BuildSequence, to writer: ShardWriter, progress: (_ tilesDone: Int) -> Void
    ) async throws -> ShardWriter {
        var sink = SurveySink(writer: writer)
        var parts = CensusParts()
        _ = try await builder.build(to: &sink, makeEncoder: { parts.make() }, progress: progress)
        try sink.writer.write(colors: parts.sum().bytes)
        return sink.writer
    }
}

/// Writes the pixels that a survey keeps, but no tiles.
private struct SurveySink: TileSink {
    var writer: ShardWriter
    let staged: Set<TileCoordinate> = []

    mutating func write(_ tile: EncodedTile) {}

    mutating func keep(_ pixels: EncodedTile) throws { try writer.keep(pixels) }
}

extension TilesOnDemand {
    /// The passes of a shard: its tiles, and all zooms below the cut if the shard makes the rest.
    fileprivate func passes(of shard: ShardJob.Shard, cut: Int) -> [RenderPass] {
        passes.flatMap { pass in
            if isRedrawn, pass.pyramid.options.zooms.upperBound < cut { return shard.makesRest ? [pass] : [] }
            return shard.tiles.compactMap {
                pass.confined(to: TileWindow($0, downTo: ZoomRange.possible.upperBound))
            }
        }
    }
}
