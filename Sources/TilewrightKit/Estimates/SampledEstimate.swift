import Codecs
import Platform
import Raster
import Rendering
import Tiling

/// The cost of a zoom's tiles.
struct ZoomCost {
    /// The zoom.
    var zoom: Int
    /// Bytes of its tiles.
    var bytes: Double
    /// The variance of the bytes.
    var variance: Double
    /// Seconds to encode the tiles, on one core.
    var seconds: Double

    /// The cost of another zoom, of which only the ratio to this one is known.
    fileprivate func scaled(by factor: Double, zoom: Int) -> ZoomCost {
        let bytes = bytes * factor
        // Such a guess is seldom wrong by more than a half.
        return ZoomCost(zoom: zoom, bytes: bytes, variance: bytes * bytes / 16, seconds: seconds * factor)
    }
}

/// The cost of a plan's tiles, estimated from some of them.
///
/// The images are decoded once. The images' detail decides which tiles are tried, and how tried tiles compare
/// to the others.
struct SampledEstimate {
    /// The cost of each zoom that is written, from the finest.
    let zooms: [ZoomCost]
    /// Seconds to decode or draw the images, on one core.
    let decodingSeconds: Double

    /// Tries tiles.
    ///
    /// - Throws: what a build throws: an image may be damaged.
    init(_ plan: TilesetPlan) async throws {
        let passes = try TrialPasses(plan.onDemand)
        let work = TrialWork(plan)
        let levels = plan.pyramid.levels.filter(\.isWritten)
        var samples: [(zoom: Int, tiles: SampledTiles)] = []
        var trials: [TileTrial.Zoom] = []
        for level in levels {
            let zoomsOut = plan.zooms.upperBound - level.zoom
            guard let wanted = work.tiles(zoomsOut: zoomsOut, of: level.tileCount),
                let pass = try passes.pass(of: level.zoom),
                let tiles = SampledTiles(
                    of: level, zoomsOut: zoomsOut, images: passes.images, kinds: plan.kinds,
                    wanted: wanted)
            else { continue }
            samples.append((level.zoom, tiles))
            trials.append(
                TileTrial.Zoom(
                    pass: pass, tiles: tiles.tiles, footprints: pass.pyramid.sharedFootprints()))
        }
        let results = try await TileTrial(plan.onDemand, zooms: trials).results()
        let known = zip(samples, results).map { sample, tried in
            let (bytes, variance) = sample.tiles.sum(tried.map { Double($0.bytes) })
            return ZoomCost(
                zoom: sample.zoom, bytes: bytes, variance: variance,
                seconds: sample.tiles.sum(tried.map(\.seconds)).sum)
        }
        zooms = levels.map { Self.cost(ofZoom: $0.zoom, known) }
        decodingSeconds = passes.decodingSeconds
    }

    /// The cost of a zoom, as tried, or interpolated between a finer and a coarser one.
    private static func cost(ofZoom zoom: Int, _ known: [ZoomCost]) -> ZoomCost {
        if let found = known.first(where: { $0.zoom == zoom }) { return found }
        let (finer, coarser) = (known.last { $0.zoom > zoom }, known.first { $0.zoom < zoom })
        if let finer, let coarser, finer.bytes > 0, coarser.bytes > 0 {
            let share = Double(finer.zoom - zoom) / Double(finer.zoom - coarser.zoom)
            return finer.scaled(by: pow(coarser.bytes / finer.bytes, share), zoom: zoom)
        }
        guard let nearest = finer ?? coarser else {
            return ZoomCost(zoom: zoom, bytes: 0, variance: 0, seconds: 0)
        }
        // Tiles of a coarser zoom are fuller: a zoom takes a third of the next one's bytes, not a quarter.
        return nearest.scaled(by: pow(3, Double(zoom - nearest.zoom)), zoom: zoom)
    }
}

extension TilesetPlan {
    /// A blank JPEG has more bytes than a blank PNG or WebP. With `auto`, opaque tiles are JPEG and the
    /// others PNG.
    fileprivate var kinds: SampledTiles.Weights {
        let request = onDemand.request
        let format = request.encoding.format
        return (
            blank: [.jpeg, .auto].contains(format) ? 0.6 : 0.25,
            edge: format == .auto && request.background == nil ? 4 : 1
        )
    }
}

/// The number of tiles to try: a trial costs a twentieth of the build, and less than a second.
struct TrialWork {
    /// The share of the tiles that are tried.
    private static let share = 0.04
    /// The fewest tiles that are tried, even of a small tileset.
    private static let fewest = 32.0
    /// Seconds that all trials may take, on all jobs together.
    private static let mostSeconds = 0.8
    /// The factor for more trials if some tiles are JPEG and others PNG: they differ more from each other.
    private static let ofTwoFormats = 1.5

    /// Tiles in all.
    private let tiles: Double

    init(_ plan: TilesetPlan) {
        let encoding = plan.request.encoding
        let pixels = Double(plan.request.tileSize.rawValue * plan.request.tileSize.rawValue)
        let seconds =
            pixels * (EncodingCost.renderSeconds + encoding.secondsPerPixel)
            * (encoding.palette == nil ? 1 : 2)
        let spread = encoding.format == .auto ? Self.ofTwoFormats : 1
        tiles = min(
            spread * max(Self.fewest, Double(plan.tileCount) * Self.share), Self.mostSeconds / seconds)
    }

    /// The number of tiles of a zoom to try: half as many as for the next finer zoom, since the zoom has a
    /// quarter of the tiles but is as uncertain.
    ///
    /// - Returns: nil if the zoom counts for too little.
    func tiles(zoomsOut: Int, of count: Int) -> Int? {
        let wanted = tiles / Double(2 << min(zoomsOut, 40))
        if wanted < 0.6 { return nil }
        return min(count, max(2, Int(wanted.rounded(.up))))
    }
}
