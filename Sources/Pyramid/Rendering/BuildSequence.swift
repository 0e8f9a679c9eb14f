package import Raster
package import Tiling

/// Builds of pyramids in a row, whose tiles go to one sink.
///
/// Tiles are written in the order of the builds. But near its end, and everywhere if it is small, a build has too
/// little to do for all jobs: then the next ones begin, if they have room in the memory that the largest takes.
package struct BuildSequence: Sendable {
    /// Opens the image of a layer; see `PyramidBuilder.build`.
    package typealias Open = @Sendable (_ layer: Int) throws -> any RasterSource

    /// A build that is to be done.
    package struct Build: Sendable {
        let builder: PyramidBuilder
        let open: Open
        /// Makes what packs the pixels of the coarsest level, if they are kept.
        let makePacker: (@Sendable () throws -> any KeptPixels.Packer)?

        /// Describes a build.
        ///
        /// - Parameter makePacker: makes what packs the pixels of the coarsest level for a job, if they are kept.
        package init(
            _ builder: PyramidBuilder,
            keepingPixels makePacker: (@Sendable () throws -> any KeptPixels.Packer)? = nil,
            open: @escaping Open
        ) {
            self.builder = builder
            self.open = open
            self.makePacker = makePacker
        }

        fileprivate func run(
            _ staged: Set<TileCoordinate>, _ makeEncoder: () throws -> any TileEncoder
        ) throws -> BuildRun {
            try builder.run(open, staged: staged, makeEncoder: makeEncoder, makePacker: makePacker)
        }
    }

    private let builds: [Build]

    /// Puts builds in a row.
    package init(_ builds: [Build]) { self.builds = builds }

    /// Builds the pyramids.
    ///
    /// - Parameters:
    ///   - sink: where tiles go.
    ///   - makeEncoder: makes an encoder for a job.
    ///   - semaphore: what they share jobs with others by; nil if they are alone.
    ///   - progress: called now and then with the number of tiles that are done, written or empty.
    /// - Throws: whatever an image, an encoder or the sink throws, and `CancellationError`.
    package func build(
        to sink: inout some TileSink, makeEncoder: () throws -> any TileEncoder,
        semaphore: FairSemaphore? = nil,
        progress: (_ tilesDone: Int) -> Void
    ) async throws -> PyramidSummary {
        let staged = sink.staged
        var loop = BuildLoop(builds.map(\.builder), semaphore: semaphore)
        return try await loop.run(to: &sink) {
            try builds[$0].run(staged, makeEncoder)
        } progress: {
            progress($0.tiles + $0.emptyTiles)
        }
    }
}
