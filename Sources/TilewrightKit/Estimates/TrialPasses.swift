import Pyramid
import Raster
import Tiling

/// What the tiles of each zoom are tried of: images that were decoded once, or drawings.
struct TrialPasses {
    /// Images that say how much there is to see on a tile; none if they were not decoded.
    let images: [HeldImage]

    /// Seconds in which all images are decoded, or drawn for all zooms.
    let decodingSeconds: Double
    private let plan: TilesOnDemand

    /// An image that can be read in any order is not decoded as a whole if that takes longer, in seconds.
    private static let mostDecoding = 0.5
    /// Pixels of a drawing that are drawn to see where its detail lies.
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

    /// What renders the tiles of a zoom by itself; nil if that cannot be had cheaply.
    func pass(of zoom: Int) throws -> RenderPass? {
        if plan.isRedrawn { return plan.passes.first { $0.pyramid.options.zooms.contains(zoom) } }
        if images.isEmpty { return try undecoded(zoom) }
        let zoomsOut = plan.zooms.upperBound - zoom
        let sources = images.map { $0.source(zoomsOut: zoomsOut) }
        return try plan.pyramid.alone(zoom: zoom, of: sources.map(\.layer)).map { pyramid in
            RenderPass(pyramid: pyramid, sources: sources.map { .held($0.pixels, box: $0.box) })
        }
    }

    /// The drawings at the first zoom below those of the plan that is small.
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

    /// The images themselves, if tiles of a zoom do not cost much more than those of the finest: because their files
    /// have overviews, or it is near the finest.
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

    /// What decoding all images takes.
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
