import Georeferencing
import Platform
import Raster
package import Rendering
public import Tiling

/// The tiles of images, each rendered on request, byte for byte as a build writes it.
///
/// ```swift
/// let images = try PlacedImages([ImageRequest("ground.tif")])
/// let tiles = try TilesOnDemand(images: images.all)
/// let bytes = try await tiles.tile(at: TileCoordinate(zoom: 18, column: 134_768, row: 90_166))
/// ```
///
/// It chooses zooms, kernels and footprints as a build does. Unlike `TilesetPlan`, it neither counts the
/// tiles nor plans the rendering of all of them.
public struct TilesOnDemand: Sendable {
    /// The images, each over the ones before it.
    public let images: [PlacedImage]
    /// The request.
    public let request: PyramidRequest
    /// The resources that may be used.
    public let resources: BuildResources
    /// The zoom, with a fraction, at which a tile's pixels are as large as those of the finest image.
    public let nativeZoom: Double
    /// The zooms and tiles.
    package let pyramid: PyramidPlan
    /// The passes that render the tiles: all zooms together, or each separately.
    let passes: [RenderPass]

    /// Plans which tiles exist.
    ///
    /// Takes milliseconds, whatever the size of the images. Reads no pixels, except one or two dozen blocks
    /// of a TIFF whose overviews are used, to check that they show the image.
    ///
    /// - Parameters:
    ///   - images: at least one, each over the ones before it.
    ///   - request: the pyramid to make of them.
    ///   - resources: the resources that may be used; `maxTiles` does not apply.
    /// - Throws: a `Failure`: `usage` if there would be more pixels than allowed, `badInput` if no image is
    ///   on the map.
    public init(
        images: [PlacedImage], request: PyramidRequest = PyramidRequest(),
        resources: BuildResources = BuildResources()
    ) throws {
        try self.init(images: images, of: nil, request: request, resources: resources)
    }

    /// Plans a part that only some of the images touch.
    ///
    /// - Parameters:
    ///   - whole: the pyramid to which the part belongs; nil to plan the whole.
    ///   - request: the pyramid to make; for a part, it names all zooms and kernels.
    init(
        images: [PlacedImage], of whole: WholePyramid?, request: PyramidRequest, resources: BuildResources
    ) throws {
        try request.check()
        try resources.check()
        self.images = images
        self.request = request
        self.resources = resources
        let tileSize = request.tileSize.rawValue
        let cutline = try request.cutline.map(Cutline.init(file:))
        nativeZoom = request.nativeZoom(of: images)
        let zooms = request.zooms(of: images, cutTo: cutline)
        let matrix = TileMatrix(zoom: zooms.upperBound, tileSize: tileSize)
        let limits = PixelLimits(resources.maxPixels)
        try limits.check(images, at: matrix)
        if let whole { try limits.check(whole) }
        let isDrawn = images.allSatisfy { $0.drawn != nil }
        let kernels = request.kernels(
            zoomsBeyondNative: isDrawn ? 0 : Double(zooms.upperBound) - nativeZoom)
        var options = PyramidOptions(
            zooms: zooms, tileSize: tileSize, resampling: kernels.finest,
            overviewResampling: kernels.overviews,
            writesEmptyTiles: request.empty == .write, background: request.effectiveBackground)
        options.cutline = cutline
        let layers = try PlannedLayers(images, options: options, finest: whole?.finest)
        pyramid =
            try PyramidPlan(layers: layers.layers, options: options, of: whole)
        try limits.check(pyramid)
        for layer in pyramid.layers { try limits.check(width: layer.info.width, height: layer.info.height) }
        passes = try layers.passes(of: pyramid, images: images, overviews: request.overviews)
    }

    /// Whether each zoom is drawn separately.
    package var isRedrawn: Bool { passes.count > 1 }

    /// The number of pixels of each image, along an edge, that are read as one.
    package var reductionFactors: [Int] {
        passes[0].sources.map { if case .file(let factor) = $0 { factor } else { 1 } }
    }

    /// The zooms of the tiles.
    public var zooms: ClosedRange<Int> { pyramid.options.zooms }

    /// The rectangles of tiles per zoom, from the lowest; two at a zoom across the antimeridian. Some of the
    /// tiles may not exist, because no image touches them or because they are transparent.
    public var limits: [TileRange] {
        pyramid.levels.reversed().filter(\.isWritten).flatMap(\.limits)
    }

    /// The box around the visible part of the images, found from their boxes and those of a cutline's
    /// polygons: longitudes and latitudes in degrees; the east is beyond 180 across the antimeridian.
    public var bounds: BoundingBox {
        let boxes = pyramid.layers.map(\.mapping.lonLatBounds)
        let box = boxes.dropFirst().reduce(boxes[0]) { $0.hull(with: $1) }
        return pyramid.options.cutline?.box(within: box) ?? box
    }

    /// The number of polygons of the cutline; nil without a cutline.
    public var cutlinePolygons: Int? { pyramid.options.cutline?.polygons.count }

    /// The folder of scratch files.
    var scratchDirectory: String { resources.scratchDirectory ?? "." }

    /// Warnings about the zooms, a line each.
    public var warnings: [Warning] {
        // A drawing is sharp at every zoom.
        if images.contains(where: { $0.drawn?.isVector == true }) { return [] }
        let highest = zooms.upperBound
        let native = Int(nativeZoom.rounded())
        guard highest > native + 1 else { return [] }
        return [
            Warning(
                "beyond-resolution",
                "zoom \(highest) is \(highest - native) beyond the image's own resolution (zoom "
                    + "\(nativeZoom.text(decimals: 1))): more tiles, no more detail")
        ]
    }
}

extension PyramidRequest {
    /// The zooms of images: as requested, or by the size of the images where the request leaves them open.
    ///
    /// - Throws: a `Failure` if the cutline cannot be read.
    func zooms(of images: [PlacedImage]) throws -> ClosedRange<Int> {
        zooms(of: images, cutTo: try cutline.map(Cutline.init(file:)))
    }

    /// The zoom, with a fraction, at which a tile's pixels are as large as those of the finest image.
    fileprivate func nativeZoom(of images: [PlacedImage]) -> Double {
        images.map { $0.nativeZoom(tileSize: tileSize) }.max() ?? 0
    }

    fileprivate func zooms(of images: [PlacedImage], cutTo cutline: Cutline?) -> ClosedRange<Int> {
        let nativeZoom = nativeZoom(of: images)
        let possible = ZoomRange.possible
        let native = min(max(Int(nativeZoom.rounded()), possible.lowerBound), possible.upperBound)
        let longer = Self.longerSide(of: images, cutTo: cutline)
        var overview = 0
        while overview < native,
            longer <= TileMatrix(zoom: overview + 1, tileSize: 1).cellSize
        {
            overview += 1
        }
        return zoom.zooms(native: native, overview: overview)
    }

    /// The longer side of an image, or of the box around several images or around the part inside a cutline,
    /// in Mercator metres.
    private static func longerSide(of images: [PlacedImage], cutTo cutline: Cutline?) -> Double {
        if let cutline {
            let boxes = images.compactMap { cutline.box(within: $0.bounds) }
            let places = boxes.flatMap(\.corners).map(WebMercator.metres)
            return BoundingBox(around: places).map { max($0.width, $0.height) } ?? 0
        }
        if images.count == 1, let image = images.first {
            let longer = max(image.info.width, image.info.height)
            return Double(longer) * image.mapping.mercatorCellSize
        }
        let box = BoundingBox(around: images.flatMap(\.mapping.outline))
        return box.map { max($0.width, $0.height) } ?? 0
    }
}

extension TilesOnDemand {
    /// One tile, rendered into memory: byte for byte the tile that a build writes.
    ///
    /// The cost of a tile of the maximum zoom depends on the pixels that it covers. Each zoom below costs
    /// four times as much, since its tiles are halved from finer ones. A tiled TIFF is decoded only under the
    /// tile, other files only down to the tile's last row.
    ///
    /// - Returns: the bytes of an image file; nil if there is no such tile: outside the zooms or the images,
    ///   or wholly transparent and not requested.
    /// - Throws: a `Failure` of kind `usage` if the tiles have a palette, which needs all tiles; the errors
    ///   of a build; `CancellationError` if the task was cancelled.
    public func tile(at coordinate: TileCoordinate) async throws -> [UInt8]? {
        guard coordinate.isInWorld else { return nil }
        return try await tiles(of: .tile(coordinate)).first?.bytes
    }

    /// The tiles of a rectangle, rendered into memory: byte for byte the tiles that a build writes, in the
    /// same order.
    ///
    /// - Parameter limits: the zoom and the rectangle.
    /// - Throws: as `tile(at:)`.
    public func tiles(in limits: TileRange) async throws -> [EncodedTile] {
        try await tiles(of: TileWindow(limits))
    }

    private func tiles(of window: TileWindow) async throws -> [EncodedTile] {
        try request.encoding.checkSingleTiles()
        let builder = try builder(of: passes.compactMap { $0.confined(to: window) })
        try builder.checkMemory()
        var sink = TileList()
        _ = try await builder.build(
            to: &sink, makeEncoder: { request.encoding.makeEncoder(palette: nil) }, progress: { _ in })
        return sink.tiles
    }

    /// The builder of all tiles, or of the passes that make a part of them.
    ///
    /// - Parameter makePacker: makes the packer for each pass's coarsest zoom; nil if no pixels are kept.
    /// - Throws: `.usage` if decoders need more memory than allowed.
    func builder(
        of passes: [RenderPass],
        keepingPixels makePacker: (@Sendable () throws -> any KeptPixels.Packer)? = nil
    ) throws -> BuildSequence {
        BuildSequence(
            try passes.map { [images] pass in
                var builder = try builder(
                    of: .images { try pass.open($0, of: images) }, plan: pass.pyramid)
                try builder.checkDecoders(memory: resources.memory / resources.sharers)
                builder.makePacker = makePacker
                return builder
            })
    }

    /// The builder of a pyramid's tiles. A part has no more jobs than it can use, since each job takes memory.
    func builder(of pixels: PyramidPixels, plan pyramid: PyramidPlan) throws -> PyramidBuilder {
        let jobs = resources.effectiveJobs
        return try PyramidBuilder(
            pixels, plan: pyramid,
            resources: PyramidResources(
                jobs: pyramid.isConfined ? min(jobs, pyramid.mostJobs) : jobs,
                memory: resources.pixelMemory(of: images),
                scratchDirectory: scratchDirectory,
                encoderBytes: request.encoding.encoderBytes(tileSize: request.tileSize.rawValue)),
            kernels: .wanted())
    }
}

extension TileEncoding {
    /// Refuses options that single tiles cannot have.
    ///
    /// - Throws: `.usage`.
    package func checkSingleTiles() throws(Failure) {
        guard palette != nil else { return }
        throw Failure(
            .usage, "a single tile cannot have a palette, which depends on all tiles",
            remedy: "build the tileset, or leave --palette out")
    }
}

/// Keeps tiles in memory.
struct TileList: TileSink {
    private(set) var tiles: [EncodedTile] = []

    var staged: Set<TileCoordinate> { [] }

    mutating func write(_ tile: EncodedTile) { tiles.append(tile) }
}
