import Codecs
public import Georeferencing
import Platform
package import Raster
import Rendering
public import Tiling

/// An image with its position on the Earth. Its pixels are not read yet.
public struct PlacedImage: Sendable {
    /// The request.
    public let request: ImageRequest
    /// The properties of the pixels that count: cropped, with the nodata colour and the paper transparent.
    package private(set) var info: RasterInfo
    /// Columns and rows of the pieces that can be read in any order, if they can.
    let blockSize: (width: Int, height: Int)?
    /// The properties of the whole image, as stored.
    package private(set) var fileInfo: RasterInfo
    /// The place of the pixels.
    let placement: Placement
    /// The source of the position.
    let position: Position
    /// The corners of the part that counts, as seen upright: top left, top right, bottom right, bottom left,
    /// in longitude and latitude in degrees on WGS 84, or (nan, nan) if a corner is not on the Earth.
    public let corners: [Point]
    /// Warnings for the user, a line each.
    public let warnings: [Warning]

    /// The options for reading the file.
    let readOptions: ReadOptions
    private let content: ImageContent
    /// The colour that becomes transparent.
    let nodata: ColorKey?

    /// Reads the head of an image's file, and finds the image's position.
    ///
    /// Reads files next to the image, too, and all data of a TIFF of more than 8 bits without a range.
    ///
    /// - Throws: a `Failure`: `missingInput` or `badInput` if the image cannot be read or has no position,
    ///   `usage` if the request contradicts itself or the image has more than `maxPixels`.
    public init(_ request: ImageRequest, maxPixels: Int = BuildResources.standardMaxPixels) throws {
        try self.init(request, limits: PixelLimits(maxPixels, isAdjustable: false))
    }

    /// Reads and places an image, with limits that the user may be able to raise, and with fits that images
    /// with the same points share.
    ///
    /// - Parameters:
    ///   - resources: the folder for an image in an archive, and the limits of renderers.
    ///   - reads: records the parts of files that are read.
    init(
        _ request: ImageRequest, limits: PixelLimits, resources: BuildResources = BuildResources(),
        fits: SharedFits = SharedFits(), reads: FileReads? = nil
    ) throws {
        self.request = request
        (readOptions, nodata) = try request.reading()
        content = try ImageContent(of: request, resources: resources, reads: reads)
        let file = try content.open(options: readOptions, checkingSize: limits.check)
        let drawn = content.drawn
        let (position, placement) = try request.placing {
            let position = try Position(request.position, of: request, info: file.info, drawn: drawn)
            return (
                position,
                try Placement(
                    position, of: file.info, crop: request.crop, request: request.position,
                    fits: fits)
            )
        }
        (self.position, self.placement) = (position, placement)
        let source = Self.counting(file, window: placement.window, nodata: nodata, paper: request.paper)
        info = source.info
        blockSize = source.windows?.blockSize
        fileInfo = content.described(file.info)
        corners = placement.view.corners(placement.mapping.lonLatCorners())
        let placed = PlacementWarnings(
            position: position, placement: placement, pixel: GroundPixel(placement), request: request,
            info: file.info)
        warnings =
            file.info.warnings
            + (position.document?.warnings ?? []).map { Warning("document", "\(request.title): \($0)") }
            + placed.all + PixelWarnings(file, nodata: nodata, request: request).all
    }

    /// The file.
    public var path: String { request.path }

    /// The fit, if the position is control points.
    public var fit: ControlPointFit? { placement.fit }

    /// Columns of the whole image, in the orientation of its position.
    public var width: Int { placement.view.width }

    /// Rows of the whole image, in the orientation of its position.
    public var height: Int { placement.view.height }

    /// The pixels that count, in the whole image as stored.
    var window: PixelWindow { placement.window }

    /// The place of the pixels that count.
    package var mapping: ImageMapping { placement.mapping }

    /// The source of the position, in words: `4 corners`, `world file 'plan.pgw'`.
    public var positionSource: String { position.summary }

    /// The name of the reference system of the position.
    public var crsName: String { placement.georeference.crs.name }

    /// The box around the footprint in degrees; the east is beyond 180 across the antimeridian.
    public var bounds: BoundingBox { mapping.lonLatBounds }

    /// The edge of a pixel on the ground at the image's middle, in metres.
    public var groundCellSize: Double { mapping.groundCellSize }

    /// The zoom, with a fraction, whose pixels are as large as the image's, or as those of the picture if a
    /// page is only a picture.
    public func nativeZoom(tileSize: PyramidRequest.TileSize = .standard) -> Double {
        mapping.nativeZoom(tileSize: tileSize.rawValue) + (drawn?.zoomsToPicture ?? 0)
    }

    /// The page, if the file is a document whose pages are drawn.
    var drawn: PageImage? { content.drawn }

    /// The libraries whose versions decide the pixels, with their versions.
    var libraries: String { get throws { try content.libraries } }

    /// Whether some of the file's pixels do not count.
    var isCropped: Bool { window.width < fileInfo.width || window.height < fileInfo.height }

    /// Opens the pixels that count.
    ///
    /// - Parameter factor: 1, or one of the `RasterInfo.reductions`: squares with this edge are read as one
    ///   pixel.
    func open(reducedBy factor: Int) throws -> any RasterSource {
        try counting(openFile(reducedBy: factor), reducedBy: factor)
    }

    /// Opens all of the file's pixels in the same way.
    func openFile(reducedBy factor: Int) throws -> any RasterSource {
        var options = readOptions
        options.reduction = factor
        // The range of all data applies to overviews, too, and is not searched again.
        options.range = fileInfo.sampleRange.map { SampleRange($0) } ?? options.range
        return try content.open(options: options)
    }

    /// The pixels of the file that count.
    ///
    /// - Throws: a `Failure` if the file's size has changed since the image was placed.
    func counting(_ file: any RasterSource, reducedBy factor: Int) throws -> any RasterSource {
        let reduced = factor == 1 ? window : reduction(by: factor).reducedWindow
        let whole = file.info.window
        let isSame = factor > 1 || (whole.width, whole.height) == (fileInfo.width, fileInfo.height)
        guard isSame, whole.columns.contains(reduced.columns), whole.rows.contains(reduced.rows) else {
            throw Failure.changed(path)
        }
        return Self.counting(file, window: reduced, nodata: nodata, paper: request.paper)
    }

    /// The same image with other sample values for black and white.
    func scaled(to range: ClosedRange<Double>) -> PlacedImage {
        var image = self
        image.fileInfo.sampleRange = range
        image.info.sampleRange = range
        return image
    }

    /// The mapping of pixels that are read with a factor above 1.
    func mapping(reducedBy factor: Int) -> ImageMapping {
        mapping.inPixels(reduction(by: factor).reducedFromWindow)
    }

    private func reduction(by factor: Int) -> Reduction {
        guard fileInfo.reductionsCoverEdges else { return Reduction(of: window, by: factor) }
        let whole = (width: fileInfo.width, height: fileInfo.height)
        return Reduction(
            of: window, from: whole,
            to: ((whole.width + factor - 1) / factor, (whole.height + factor - 1) / factor))
    }

    /// Opens a page as it is drawn onto a grid.
    func open(on grid: PageGrid, style: PageStyle) throws -> any RasterSource {
        guard let drawn else { preconditionFailure("an image that was planned as a drawing is none") }
        let source = PageSource(drawn.drawing, on: grid, style: style, info: drawn.info)
        return Self.counting(source, window: source.info.window, nodata: nodata, paper: request.paper)
    }

    private static func counting(
        _ file: any RasterSource, window: PixelWindow, nodata: ColorKey?, paper: ColorKey?
    ) -> any RasterSource {
        let isWhole = window.width == file.info.width && window.height == file.info.height
        // Before cropping: the pixels that are cut off help to find the ink at the edge.
        let drawing = paper.map { paper in
            LiftedSource(nodata.map { ConvertedSource(file, nodata: $0) } ?? file, paper: paper)
        }
        if let drawing { return isWhole ? drawing : CroppedSource(drawing, window: window) }
        let part = isWhole ? file : CroppedSource(file, window: window)
        return nodata.map { ConvertedSource(part, nodata: $0) } ?? part
    }
}

extension ImageMapping {
    /// The footprint's box in degrees; the east is beyond 180 across the antimeridian.
    package var lonLatBounds: BoundingBox {
        BoundingBox(around: outline.map(WebMercator.lonLat)).unwrapped("a mapping has an outline")
    }
}

/// The images of a build, each placed.
public struct PlacedImages: Sendable {
    /// At least one image, each on top of the ones before it.
    public let all: [PlacedImage]

    /// Reads the heads of images' files, and finds their positions.
    ///
    /// - Parameters:
    ///   - requests: the images, at least one.
    ///   - resources: limit the pixels of an image and the memory of renderers. Images in archives are
    ///     copied, while they are used, into `scratchDirectory`, or else into the system's folder.
    /// - Throws: a `Failure`, as `PlacedImage` does.
    public init(_ requests: [ImageRequest], resources: BuildResources = BuildResources()) throws {
        try self.init(requests, resources: resources, fits: SharedFits())
    }

    /// Does the same, with fits that images with the same points share.
    ///
    /// - Parameter reads: records the parts of files that are read.
    init(
        _ requests: [ImageRequest], resources: BuildResources, fits: SharedFits = SharedFits(),
        reads: FileReads? = nil
    ) throws {
        if requests.isEmpty {
            throw Failure(.usage, "there is no image", remedy: "name at least one")
        }
        let limits = PixelLimits(resources.maxPixels, isAdjustable: true)
        let images = try requests.map {
            try PlacedImage($0, limits: limits, resources: resources, fits: fits, reads: reads)
        }
        all = Self.scaledAlike(images)
    }

    /// Warnings for the user, each once.
    public var warnings: [Warning] { all.flatMap(\.warnings).uniqued }

    /// Gives all images their common range of samples, so that sheets of one survey do not differ in
    /// brightness.
    private static func scaledAlike(_ images: [PlacedImage]) -> [PlacedImage] {
        // The data decide which values become black and white.
        let isScaledByData = { (image: PlacedImage) in
            image.request.rescale?.values == nil && image.fileInfo.sampleRange != nil
        }
        let ranges = images.filter(isScaledByData).compactMap(\.fileInfo.sampleRange)
        guard ranges.count > 1, let low = ranges.map(\.lowerBound).min(),
            let high = ranges.map(\.upperBound).max()
        else { return images }
        return images.map { isScaledByData($0) ? $0.scaled(to: low...high) : $0 }
    }
}
