import Diagnostics
import Files
import Pyramid
import Shards
import Tilesets
import Tiling

/// A part of a job that is made: what `tilewright shard` does.
public struct ShardBuild: Sendable {
    private let folder: String
    private let index: Int
    private let job: ShardJob
    private let identity: ShardIdentity

    /// What a shard has come to.
    public enum Result: Hashable, Sendable {
        /// It is made, of so many tiles.
        case made(tiles: Int)
        /// It was there already.
        case present
    }

    /// Reads a job.
    ///
    /// - Parameters:
    ///   - folder: of the job.
    ///   - index: the shard, from 0.
    /// - Throws: a `Failure`: `missingInput` or `badInput` for the job, `usage` if it has no such shard, `badInput` if
    ///   this program would make other bytes than others.
    public init(job folder: String, index: Int) throws {
        self.folder = folder
        self.index = index
        job = try ShardJob(in: folder)
        guard job.shards.indices.contains(index) else {
            throw Failure(
                .usage,
                "there is no shard \(index): '\(folder)' has \(job.shards.count), from 0 to "
                    + "\(job.shards.count - 1)")
        }
        identity = try job.identity(index)
    }

    /// Makes the shard, unless it is there: its file appears whole, or not at all.
    ///
    /// - Parameters:
    ///   - resources: what may be used of the machine; the bytes do not depend on it.
    ///   - report: takes progress.
    /// - Throws: a `Failure`, as a build does; `badInput` if a source is not the one that was split;
    ///   `CancellationError` if the task was cancelled.
    public func run(
        resources: BuildResources = BuildResources(), report: BuildEventHandler = { _ in }
    ) async throws -> Result {
        let directory = try shards()
        if try isPresent(in: directory) { return .present }
        try job.checkMachine()
        try job.checkSources()
        var resources = resources
        resources.scratchDirectory = resources.scratchDirectory ?? folder.path(of: ShardJob.shardFolder)
        let builder = try builder(resources)
        try builder.builder.checkMemory()
        var writer = try ShardWriter(identity, in: directory)
        do {
            report(.began(.tiles, tileCount: builder.tileCount))
            defer { report(.ended) }
            _ = try await builder.builder.build(
                to: &writer, makeEncoder: { job.pyramid.encoding.makeEncoder(palette: nil) },
                progress: { report(.progressed(tilesDone: $0)) })
            try job.checkSources()
            try writer.finish()
        } catch {
            writer.discard()
            throw error
        }
        return .made(tiles: writer.tileCount)
    }

    private func shards() throws -> Directory {
        guard let directory = try Directory.open(folder)?.makeSubdirectory(ShardJob.shardFolder) else {
            throw Failure(.inputOutput, cannot: "write to '\(folder)'", "it was removed meanwhile")
        }
        return directory
    }

    /// Whether the shard is there, and all of it is what was written.
    private func isPresent(in directory: Directory) throws -> Bool {
        do {
            let reader = try ShardReader(identity, in: directory)
            for piece in reader.pieces { _ = try reader.bytes(of: piece) }
            return true
        } catch is ShardReader.Fault { return false }
    }

    private func builder(_ resources: BuildResources) throws -> (builder: TilesBuilder, tileCount: Int) {
        let placed = try PlacedImages(
            job.images, maxPixels: resources.maxPixels, scratchDirectory: resources.scratchDirectory)
        let tiles = try TilesOnDemand(images: placed.all, request: job.pyramid, resources: resources)
        try job.check(tiles)
        let passes = tiles.passes(ofShard: index, of: job)
        return (
            try TilesBuilder(tiles, passes: passes, keepingPixels: { try ShardPacker() }),
            passes.reduce(0) { $0 + $1.pyramid.tileCount }
        )
    }
}

extension TilesOnDemand {
    /// What a shard renders: the tiles that it owns, and of drawings that are drawn for each zoom anew all zooms below
    /// the cut, if it has the least to do.
    fileprivate func passes(ofShard index: Int, of job: ShardJob) -> [RenderPass] {
        let window = job.shards[index].tiles.map { TileWindow($0, downTo: ZoomRange.possible.upperBound) }
        let rest = job.shards.indices.min { job.shards[$0].work < job.shards[$1].work }
        return passes.compactMap { pass in
            if isRedrawn, pass.pyramid.options.zooms.upperBound < job.cut {
                return index == rest ? pass : nil
            }
            return window.flatMap(pass.pyramid.confined(to:)).map {
                RenderPass(pyramid: $0, sources: pass.sources)
            }
        }
    }
}
