import Diagnostics
import Georeferencing
import Palettes
package import Pyramid
import Raster
public import Resampling
public import Tiling

/// What a build will do, decided before the first pixel is read: zooms, tiles, memory.
public struct TilesetPlan: Sendable {
    /// The images, each over the ones before it, and where they lie.
    public let images: [PlacedImage]
    /// What was asked for.
    public let request: PyramidRequest
    /// What may be used of the machine.
    public let resources: BuildResources
    /// How many pixels of each image, along an edge, are read as one.
    package let reductionFactors: [Int]
    /// The zooms and tiles.
    package let pyramid: PyramidPlan
    /// Rows, stages and memory.
    package let builder: PyramidBuilder
    /// The zoom, with a fraction, at which a tile's pixels are as large as those of the finest image.
    public let nativeZoom: Double
    /// Where scratch files go.
    let scratchDirectory: String

    /// Plans the tiles of images.
    ///
    /// Takes milliseconds for an image. Reads no pixels, but for one or two dozen blocks of a TIFF with
    /// overviews, to see that they show the image.
    ///
    /// - Parameters:
    ///   - images: at least one, each over the ones before it.
    ///   - request: what to build of them.
    ///   - resources: what may be used of the machine.
    /// - Throws: a `Failure`: `usage` if there would be more tiles or pixels than allowed, `badInput` if
    ///   nothing lies on the map.
    public init(
        images: [PlacedImage], request: PyramidRequest = PyramidRequest(),
        resources: BuildResources = BuildResources()
    ) throws {
        try request.check()
        try resources.check()
        self.images = images
        self.request = request
        self.resources = resources
        scratchDirectory = resources.scratchDirectory ?? "."
        let tileSize = request.tileSize.rawValue
        let nativeZoom = images.map { $0.mapping.nativeZoom(tileSize: tileSize) }.max() ?? 0
        self.nativeZoom = nativeZoom
        let zooms = Self.zooms(request, images: images, nativeZoom: nativeZoom)
        let matrix = TileMatrix(zoom: zooms.upperBound, tileSize: tileSize)
        let limits = PixelLimits(resources.maxPixels)
        try limits.check(images, at: matrix)
        let kernels = KernelChoice(request, zoomsBeyondNative: Double(zooms.upperBound) - nativeZoom)
        let layers = try images.map { image in
            try image.layer(for: matrix, resampling: kernels.resampling)
        }
        reductionFactors = layers.map(\.factor)
        pyramid = try PyramidPlan(
            layers: layers.map(\.layer),
            options: PyramidOptions(
                zooms: zooms, tileSize: tileSize, resampling: kernels.resampling,
                overviewResampling: kernels.overviewResampling,
                writesEmptyTiles: request.empty == .write, background: request.effectiveBackground))
        try Self.checkTiles(pyramid, limit: resources.maxTiles)
        try limits.check(pyramid)
        builder = try PyramidBuilder(
            plan: pyramid,
            resources: PyramidResources(
                jobs: resources.effectiveJobs, memory: resources.memoryBudget(in: .own),
                scratchDirectory: scratchDirectory,
                encoderBytes: request.encoding.palette == nil ? 0 : ColorHistogram.mostBytes),
            kernels: .wanted())
        try Self.checkDecoders(builder, memory: resources.memory)
    }

    /// The zooms that are built.
    public var zooms: ClosedRange<Int> { pyramid.options.zooms }

    /// The number of tiles that the images touch, over all zooms: at most this many are written, fewer if
    /// some are wholly transparent. An estimate if a zoom has very many.
    public var tileCount: Int { pyramid.tileCount }

    /// The kernel at the maximum zoom.
    public var resampling: ResamplingMethod { pyramid.options.resampling }

    /// The kernel for the zooms below it.
    public var overviewResampling: ResamplingMethod { pyramid.options.overviewResampling }

    /// The tiles of each zoom, from the lowest.
    public var levels: [PlannedLevel] {
        pyramid.levels.reversed().filter(\.isWritten).map { level in
            PlannedLevel(zoom: level.matrix.zoom, limits: level.limits, tileCount: level.tileCount)
        }
    }

    /// The rectangles of tiles per zoom, from the lowest; two at a zoom across the antimeridian.
    public var limits: [TileMatrixLimits] { levels.flatMap(\.limits) }

    /// The box around all images: longitudes and latitudes in degrees; the east is beyond 180 across the
    /// antimeridian.
    public var bounds: BoundingBox {
        let boxes = pyramid.layers.map(\.mapping.lonLatBounds)
        return boxes.dropFirst().reduce(boxes[0]) { box, other in
            BoundingBox(
                minX: min(box.minX, other.minX), minY: min(box.minY, other.minY),
                maxX: max(box.maxX, other.maxX), maxY: max(box.maxY, other.maxY))
        }
    }

    /// Fails if the system would not grant the memory of a build. A scratch file takes addresses
    /// too, which `ulimit -v` counts.
    ///
    /// - Throws: `.systemLimit`.
    func checkMemory(in group: ControlGroup = .own) throws {
        let need = builder.residentBytes + builder.scratchBytes + BuildResources.baseBytes
        let resident = builder.residentBytes + BuildResources.baseBytes
        if let bound = group.memory, resident > bound {
            throw Failure(
                .systemLimit,
                "cannot build in \(bound.byteText) of memory, which is all that the control group of "
                    + "this process has: \(resident.byteText) are needed",
                remedy: "allow the container more, or ask for fewer --jobs and a lower --zoom")
        }
        try RowBand.checkMemory(need)
    }

    /// Opens the pixels of an image that the plan wants.
    ///
    /// - Throws: a `Failure`, also if they are not of the form that was planned: memory is laid out for it.
    func open(_ index: Int) throws -> any RasterSource {
        let source = try images[index].open(reducedBy: reductionFactors[index])
        let (info, planned) = (source.info, pyramid.layers[index])
        guard info.width == planned.info.width, info.height == planned.info.height,
            info.pixelFormat == planned.info.pixelFormat,
            (source.windows == nil) == (planned.blockSize == nil)
        else { throw Failure.changed(images[index].path) }
        return source
    }

    /// The pixels of the maximum zoom that exist; columns go on counting beyond the antimeridian.
    var window: PixelWindow {
        pyramid.levels.filter(\.isWritten)[0].window
    }

    /// What is not an error, and what the user should know of the zooms: a line each.
    public var warnings: [String] {
        let highest = pyramid.options.zooms.upperBound
        let native = Int(nativeZoom.rounded())
        guard highest > native + 1 else { return [] }
        return [
            "zoom \(highest) is \(highest - native) beyond the image's own resolution (zoom "
                + "\(nativeZoom.text(decimals: 1))): more tiles, no more detail"
        ]
    }

    private static func zooms(
        _ request: PyramidRequest, images: [PlacedImage], nativeZoom: Double
    ) -> ClosedRange<Int> {
        let possible = ZoomRange.possible
        let native = min(max(Int(nativeZoom.rounded()), possible.lowerBound), possible.upperBound)
        let longer = longerSide(of: images)
        var overview = 0
        while overview < native,
            longer <= TileMatrix(zoom: overview + 1, tileSize: 1).cellSize
        {
            overview += 1
        }
        return request.zoom.zooms(native: native, overview: overview)
    }

    /// The longer side of an image, or of the box around several, in Mercator metres.
    private static func longerSide(of images: [PlacedImage]) -> Double {
        if images.count == 1, let image = images.first {
            let longer = max(image.info.width, image.info.height)
            return Double(longer) * image.mapping.mercatorCellSize
        }
        let box = BoundingBox(around: images.flatMap(\.mapping.outline))
        return box.map { max($0.width, $0.height) } ?? 0
    }

    /// Bytes that a decoder may take whatever the budget: a strip of the largest size that is decoded
    /// whole.
    private static let smallDecoder = 64 << 20

    /// What a decoder keeps cannot go to a scratch file, and a file of a few kilobytes can ask for any
    /// amount of it.
    private static func checkDecoders(_ builder: PyramidBuilder, memory: Int) throws {
        guard builder.decoderBytes > max(memory, Self.smallDecoder) else { return }
        throw Failure(
            .usage,
            "decoding takes \(builder.decoderBytes.byteText) of memory, and --memory allows "
                + memory.byteText,
            remedy: "raise --memory, or store the image as PNG without interlacing, as baseline "
                + "JPEG, or as TIFF in smaller blocks")
    }

    private static func checkTiles(_ pyramid: PyramidPlan, limit: Int) throws {
        guard pyramid.tileCount > limit else { return }
        throw Failure(
            .usage,
            "this would make \(pyramid.tileCount) tiles, and --max-tiles allows "
                + Count(limit).description,
            remedy: "ask for a lower --zoom, or raise --max-tiles")
    }
}

/// The tiles of a zoom that a plan has.
public struct PlannedLevel: Hashable, Sendable {
    /// The zoom.
    public let zoom: Int
    /// The rectangle of tiles; two across the antimeridian.
    public let limits: [TileMatrixLimits]
    /// The number of tiles that the images touch; an estimate if there are very many.
    public let tileCount: Int
}

extension PyramidLevel {
    /// The rectangle of the zoom's tiles; two across the antimeridian.
    package var limits: [TileMatrixLimits] {
        let columns = matrix.tiles(ofPixels: window.columns)
        let rows = tileRows
        return TileMatrixLimits.wrapping(
            zoom: matrix.zoom, columns: columns.lowerBound...columns.upperBound - 1,
            rows: rows.lowerBound...rows.upperBound - 1)
    }
}
