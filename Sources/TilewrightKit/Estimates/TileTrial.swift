import Palettes
import Platform
import Raster
import Rendering
import Tiling

/// Makes some tiles of a plan as a build would, to measure their bytes and time.
struct TileTrial: Sendable {
    /// The tiles of a zoom that are tried, and their sources.
    struct Zoom: Sendable {
        /// How the tiles are rendered.
        var pass: RenderPass
        /// The tiles.
        var tiles: [TileCoordinate]
        /// The footprints, shared by all tiles.
        let footprints: FootprintTables
    }

    private let plan: TilesOnDemand
    private let zooms: [Zoom]

    /// Prepares a trial of tiles of several zooms.
    init(_ plan: TilesOnDemand, zooms: [Zoom]) { (self.plan, self.zooms) = (plan, zooms) }

    /// The cost of a tile.
    struct Tried: Sendable {
        /// Its bytes; 0 if it is not written.
        var bytes = 0
        /// Seconds to encode it.
        var seconds = 0.0
    }

    /// Makes the tiles.
    ///
    /// - Returns: the cost of each tile, by zoom.
    /// - Throws: what a build throws; `CancellationError`.
    func results() async throws -> [[Tried]] {
        guard let size = plan.request.encoding.palette else {
            return try await run { plan.request.encoding.makeEncoder(palette: nil) }
        }
        // The colours of some tiles represent those of all.
        var parts = CensusParts()
        let counted = try await run { parts.make() }
        let palette = try parts.sum().palette(size: size)
        let written = try await run { plan.request.encoding.makeEncoder(palette: palette) }
        return zip(counted, written).map {
            zip($0, $1).map { Tried(bytes: $1.bytes, seconds: $0.seconds + $1.seconds) }
        }
    }

    /// A tile: the numbers of its zoom and of its place among the zoom's tiles.
    private typealias Job = (zoom: Int, tile: Int)

    /// Distributes the tiles among as many tasks as a build has jobs.
    private func run(_ makeEncoder: () -> any TileEncoder) async throws -> [[Tried]] {
        let jobs = zooms.indices.flatMap { zoom in
            zooms[zoom].tiles.indices.map { (zoom: zoom, tile: $0) }
        }
        let workers = max(1, min(plan.resources.effectiveJobs, jobs.count))
        var all = zooms.map { [Tried](repeating: Tried(), count: $0.tiles.count) }
        let done = await (0..<workers).map { ($0, TimedEncoder(makeEncoder())) }
            .concurrentMap { worker, encoder in
                var done: [(Job, Tried)] = []
                for job in stride(from: worker, to: jobs.count, by: workers).map({ jobs[$0] }) {
                    done.append((job, try await result(of: job, encoder)))
                }
                return done
            }
        for (job, tried) in try done.flatMap({ try $0.get() }) { all[job.zoom][job.tile] = tried }
        return all
    }

    private func result(of job: Job, _ encoder: TimedEncoder) async throws -> Tried {
        let zoom = zooms[job.zoom]
        let (pass, tile) = (zoom.pass, zoom.tiles[job.tile])
        guard let part = pass.pyramid.confined(to: .tile(tile)) else { return Tried() }
        let resources = PyramidResources(
            jobs: 1, memory: plan.resources.pixelMemory(of: plan.images),
            scratchDirectory: plan.scratchDirectory, encoderBytes: 0)
        let images = plan.images
        var builder = PyramidBuilder(
            .images { try pass.open($0, of: images) }, plan: part, resources: resources,
            kernels: try .wanted())
        builder.footprints = zoom.footprints
        var sink = TileList()
        encoder.seconds = 0
        _ = try await BuildSequence([builder]).build(
            to: &sink, makeEncoder: { encoder }, progress: { _ in })
        return Tried(bytes: sink.tiles.reduce(0) { $0 + $1.bytes.count }, seconds: encoder.seconds)
    }
}

/// An encoder that measures its time.
private final class TimedEncoder: TileEncoder, @unchecked Sendable {
    // Unchecked: each encoder belongs to one task, which awaits each of its builds.

    /// Seconds since this was set to 0.
    var seconds = 0.0
    private let base: any TileEncoder

    init(_ base: any TileEncoder) { self.base = base }

    func encode(_ pixels: TilePixels) throws -> [UInt8] {
        let (clock, base) = (ContinuousClock(), base)
        let start = clock.now
        let bytes = try base.encode(pixels)
        seconds += (clock.now - start).seconds
        return bytes
    }
}

/// The sources of the tiles to try, by zoom: images that were decoded once, or drawings.
struct TrialPasses {
    /// Images that give the detail of a tile; empty if the images were not decoded.
    let images: [HeldImage]
    /// Seconds to decode all images, or to draw them for all zooms.
    let decodingSeconds: Double
    private let plan: TilesOnDemand

    /// If an image can be read in any order, and its decoding takes more seconds than this, it is not decoded
    /// as a whole.
    private static let mostDecoding = 0.5
    /// Pixels of a drawing that are drawn to find its detail.
    private static let mostDrawn = 4 << 20

    /// Decodes the images, or draws a small picture of the drawings.
    init(_ plan: TilesOnDemand) throws {
        self.plan = plan
        let pass = plan.passes[0]
        if plan.isRedrawn {
            let coarse = try plan.passes.first { $0.pixels <= Self.mostDrawn } ?? Self.small(plan)
            images = try coarse.held(plan, mostBytes: .max)
            let drawn = images.reduce(0) { $0 + $1.decodingSeconds }
            decodingSeconds =
                drawn * Double(plan.passes.reduce(0) { $0 + $1.pixels }) / Double(max(1, coarse.pixels))
        } else if pass.canBeReadInAnyOrder, pass.decodingSeconds > Self.mostDecoding {
            images = []
            decodingSeconds = pass.decodingSeconds
        } else {
            images = try pass.held(plan, mostBytes: HeldImage.mostBytes)
            decodingSeconds = images.reduce(0) { $0 + $1.decodingSeconds }
        }
    }

    /// The pass that renders only a zoom's tiles; nil if it would cost too much.
    func pass(of zoom: Int) throws -> RenderPass? {
        if plan.isRedrawn { return plan.passes.first { $0.pyramid.options.zooms.contains(zoom) } }
        if images.isEmpty { return try undecoded(zoom) }
        let zoomsOut = plan.zooms.upperBound - zoom
        let sources = images.map { $0.source(zoomsOut: zoomsOut) }
        return try plan.pyramid.alone(zoom: zoom, of: sources.map(\.layer)).map { pyramid in
            RenderPass(pyramid: pyramid, sources: sources.map { .held($0.pixels, box: $0.box) })
        }
    }

    /// The drawings at the highest zoom below the plan's at which they have few enough pixels.
    private static func small(_ plan: TilesOnDemand) throws -> RenderPass {
        var zoom = plan.zooms.lowerBound
        while true {
            zoom -= 1
            let pass = try Self.plan(plan, onlyZoom: max(0, zoom)).passes[0]
            if zoom <= 0 || pass.pixels <= mostDrawn { return pass }
        }
    }

    private static func plan(_ plan: TilesOnDemand, onlyZoom zoom: Int) throws -> TilesOnDemand {
        var request = plan.request
        request.zoom = ZoomRange(zoom: zoom)
        return try TilesOnDemand(images: plan.images, request: request, resources: plan.resources)
    }

    /// The images themselves, if a zoom's tiles do not cost much more than those of the finest zoom, because
    /// the files have overviews or the zoom is near the finest.
    private func undecoded(_ zoom: Int) throws -> RenderPass? {
        let single = try Self.plan(plan, onlyZoom: zoom)
        let cell = TileMatrix(zoom: zoom, tileSize: plan.request.tileSize.rawValue).cellSize
        let pixels = single.passes[0].pyramid.layers.map { $0.mapping.fewestPixels(inCell: cell) }
        return pixels.allSatisfy { $0 <= 8 } ? single.passes[0] : nil
    }
}

extension RenderPass {
    /// The pixels of all images.
    fileprivate var pixels: Int { pyramid.layers.reduce(0) { $0 + $1.info.width * $1.info.height } }

    fileprivate var canBeReadInAnyOrder: Bool { pyramid.layers.allSatisfy { $0.blockSize != nil } }

    /// The time to decode all images.
    fileprivate var decodingSeconds: Double {
        pyramid.layers.reduce(0) {
            $0 + Double($1.info.width) * Double($1.info.height) * $1.info.secondsPerPixel
        }
    }

    /// Decodes or draws all images.
    fileprivate func held(_ plan: TilesOnDemand, mostBytes: Int) throws -> [HeldImage] {
        let finest = TileMatrix(zoom: pyramid.options.zooms.upperBound, tileSize: pyramid.options.tileSize)
        return try pyramid.layers.indices.map { index in
            try HeldImage(
                open(index, of: plan.images), layer: pyramid.layers[index], finest: finest,
                isCopied: pyramid.options.resampling.copiesPixels,
                mostBytes: mostBytes / pyramid.layers.count)
        }
    }
}
