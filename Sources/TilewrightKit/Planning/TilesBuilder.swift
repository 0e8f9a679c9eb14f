package import Pyramid
package import Raster
import Tiling

/// Renders the tiles of a plan in passes.
package struct TilesBuilder: Sendable {
    private let images: [PlacedImage]
    private let passes: [(pass: RenderPass, builder: PyramidBuilder)]
    private let makePacker: (@Sendable () throws -> any KeptPixels.Packer)?

    /// Prepares passes.
    ///
    /// - Parameter makePacker: makes what packs the pixels of the coarsest zoom of each pass, if they are kept.
    /// - Throws: `.usage` if decoders need more memory than allowed.
    init(
        _ plan: TilesOnDemand, passes: [RenderPass],
        keepingPixels makePacker: (@Sendable () throws -> any KeptPixels.Packer)? = nil
    ) throws {
        self.makePacker = makePacker
        images = plan.images
        self.passes = try passes.map { pass in
            let builder = try plan.builder(of: pass.pyramid)
            try builder.checkDecoders(memory: plan.resources.memory / plan.resources.sharers)
            return (pass, builder)
        }
    }

    /// Bytes of rows and buffers that are kept in memory.
    package var residentBytes: Int { passes.map(\.builder.residentBytes).reduce(0, max) }

    /// Bytes of scratch files that are needed because the memory budget is too small.
    package var scratchBytes: Int { passes.map(\.builder.scratchBytes).reduce(0, max) }

    /// Fails if the system would not grant the memory; see `PyramidBuilder.checkMemory`.
    func checkMemory(in group: CgroupMemory = .own) throws {
        for pass in passes { try pass.builder.checkMemory(in: group) }
    }

    /// Builds the tiles; see `BuildSequence.build`.
    package func build(
        to sink: inout some TileSink, makeEncoder: () throws -> any TileEncoder,
        semaphore: FairSemaphore? = nil,
        progress: (_ tilesDone: Int) -> Void
    ) async throws -> PyramidSummary {
        let images = images
        let builds = passes.map { pass, builder in
            BuildSequence.Build(builder, keepingPixels: makePacker) { try pass.open($0, of: images) }
        }
        return try await BuildSequence(builds).build(
            to: &sink, makeEncoder: makeEncoder, semaphore: semaphore, progress: progress)
    }
}
