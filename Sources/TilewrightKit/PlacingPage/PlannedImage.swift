import Codecs
import Georeferencing
import Platform
import Publishing
import Raster
import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An image for a page: a reduced picture, and its known position.
struct PlannedImage {
    /// The reduced picture.
    private(set) var picture: PlanPicture
    /// Whether the picture's address leads to a server.
    let isLinked: Bool
    private let image: ImageRequest
    private let position: KnownPosition

    /// Reads an image.
    ///
    /// - Parameter longestEdge: the longest edge of the picture.
    /// - Throws: a `Failure` if the image cannot be read.
    init(_ image: ImageRequest, longestEdge: Int) throws {
        (self.image, isLinked) = (image, false)
        picture = try PlanPicture(of: image, longestEdge: longestEdge)
        position = KnownPosition(of: image, info: picture.info)
    }

    /// An image whose picture a server makes.
    init(_ image: ImageRequest, info: RasterInfo, linkedAt address: String) {
        (self.image, isLinked) = (image, true)
        picture = PlanPicture(info: info, address: address)
        position = KnownPosition(of: image, info: picture.info)
    }

    /// The whole image.
    var info: RasterInfo { picture.info }

    /// A place at which the map may begin.
    var near: Point? { position.near ?? info.photoPlace }

    /// Warnings for the user, a line each.
    var warnings: [String] { info.warnings.map(\.text) + position.warnings }

    /// The image for the page. Its size and points are those of the stored image; `turn` makes it upright, and
    /// `isTagged` tells that coordinates in the upright image differ.
    var plan: JSONValue {
        .record([
            "path": .string(image.path), "name": .string(image.path.fileName),
            "width": .integer(info.width), "height": .integer(info.height),
            "turn": .integer(info.orientation.turn), "isTagged": .boolean(info.orientation != .upright),
            "scale": JSONValue(picture.scale), "picture": isLinked ? .string(picture.address) : nil,
            "crop": isLinked ? image.crop.map { .array($0.list.map { .integer($0) }) } : nil,
            "points": .array(position.points.map(JSONValue.init)),
            "corners": position.corners.map { .array($0.map(JSONValue.init)) },
            "page": image.pageNumber > 1 ? .integer(image.pageNumber) : nil,
            "pointsSize": position.pointsSize.map(JSONValue.string),
            "model": (image.position.transform?.rawValue).map(JSONValue.string),
            "kept": position.kept.map(JSONValue.number),
            "dpi": dpi.map(JSONValue.number),
        ])
    }

    /// Pixels per inch of paper; nil if that is unknown, or differs between the axes.
    private var dpi: Double? {
        guard let resolution = image.position.resolution(of: info) else { return nil }
        return resolution.isSquare ? resolution.across : nil
    }

    /// Bytes of the picture in the page.
    var pictureBytes: Int { picture.address.utf8.count }

    /// The longer edge of the picture.
    var pictureEdge: Int {
        Int(max(Double(info.width) / picture.scale.x, Double(info.height) / picture.scale.y).rounded(.up))
    }

    /// Makes a smaller picture.
    mutating func reduce(toEdge longestEdge: Int) throws {
        picture = try PlanPicture(of: image, longestEdge: longestEdge)
    }
}

extension Orientation {
    /// The clockwise turn, in degrees, that makes the stored image upright, mirrored or not.
    fileprivate var turn: Int {
        switch self {
        case .upright, .mirrored, .flipped: 0
        case .halfTurn: 180
        case .transposed, .quarterTurn: 90
        case .transversed, .threeQuarterTurn: 270
        }
    }
}

/// A reduced picture of an image as its file stores it.
///
/// Each pixel of the picture takes four bytes of memory, and another four while it is encoded. The image is
/// read once.
struct PlanPicture {
    /// The whole image.
    let info: RasterInfo
    /// Pixels of the image per pixel of the picture, along both axes.
    let scale: Point
    /// Columns and rows of the image that the picture covers: its last pixels may reach beyond the image's
    /// edges.
    let extent: Point
    /// The picture as an address: JPEG if the image is a photograph, else PNG.
    let address: String

    /// A picture that a server makes.
    init(info: RasterInfo, address: String) {
        (self.info, self.address, scale) = (info, address, Point(x: 1, y: 1))
        extent = Point(x: Double(info.width), y: Double(info.height))
    }

    /// Reads an image.
    ///
    /// - Parameter longestEdge: the longer edge of the picture, at most.
    /// - Throws: a `Failure` if the image cannot be read.
    init(of image: ImageRequest, longestEdge: Int) throws {
        let options = try image.reading().options
        let limits = PixelLimits(BuildResources.standardMaxPixels, isAdjustable: false)
        let content = try ImageContent(of: image)
        let whole = try content.open(options: options, checkingSize: limits.check)
        info = whole.info
        let (source, factor) = try Self.smaller(whole, content, options, longestEdge)
        let longer = max(source.info.width, source.info.height)
        let box = (longer + longestEdge - 1) / longestEdge
        let boxed = BoxedSource(source, box: box)
        let reduction = Self.reduction(from: whole.info, to: source.info, by: factor)
        scale = Point(x: Double(box) * reduction.x, y: Double(box) * reduction.y)
        let rgba = try Self.rgba(of: boxed)
        let (width, height) = (boxed.info.width, boxed.info.height)
        extent = Point(x: Double(width) * scale.x, y: Double(height) * scale.y)
        let isPhotograph = whole.info.isLossy && whole.info.pixelFormat != .rgba8
        let bytes = try rgba.withUnsafeBufferPointer { pixels in
            isPhotograph
                ? try JPEGImage.encode(rgba: pixels, width: width, height: height, quality: 85)
                : try PNGImage.encode(rgba: pixels, width: width, height: height)
        }
        address = Self.address(of: bytes, isJPEG: isPhotograph)
    }

    /// Reads the image by the largest reduction that leaves enough pixels.
    static func smaller(
        _ whole: any RasterSource, _ content: ImageContent, _ options: ReadOptions, _ longestEdge: Int
    ) throws -> (any RasterSource, factor: Int) {
        let longer = max(whole.info.width, whole.info.height)
        for factor in whole.info.reductions.reversed() where longer >= factor * longestEdge {
            var options = options
            options.reduction = factor
            options.range = whole.info.sampleRange.map { SampleRange($0) } ?? options.range
            // A TIFF's overview may turn out to hold no averages.
            if let reduced = try? content.open(options: options) { return (reduced, factor) }
        }
        return (whole, 1)
    }

    /// Pixels of the whole image per pixel of the reduced one. The last pixel may cover fewer, if the
    /// reduction is not stretched to the image's edges.
    private static func reduction(from whole: RasterInfo, to reduced: RasterInfo, by factor: Int) -> Point {
        guard whole.reductionsCoverEdges else { return Point(x: Double(factor), y: Double(factor)) }
        return Point(
            x: Double(whole.width) / Double(reduced.width), y: Double(whole.height) / Double(reduced.height))
    }

    /// The pixels of an image of 8 bits, read to its end.
    static func rgba(of source: any RasterSource) throws -> [UInt8] {
        let (width, samples) = (source.info.width, source.info.pixelFormat.bytesPerPixel)
        var line = [UInt8](repeating: 0, count: width * samples)
        var rgba = [UInt8](repeating: 255, count: width * source.info.height * 4)
        for row in 0..<source.info.height {
            try line.withAddress { try source.readRows(1, into: $0, stride: width * samples) }
            for column in 0..<width {
                let (from, to) = (column * samples, (row * width + column) * 4)
                for channel in 0..<3 { rgba[to + channel] = line[samples == 1 ? from : from + channel] }
                if samples == 4 { rgba[to + 3] = line[from + 3] }
            }
        }
        return rgba
    }

    /// The bytes of a picture as its address.
    static func address(of bytes: [UInt8], isJPEG: Bool = false) -> String {
        "data:image/\(isJPEG ? "jpeg" : "png");base64,\(Data(bytes).base64EncodedString())"
    }
}

/// The known position of an image: from a manifest, the image's file, or files next to it.
struct KnownPosition {
    /// The corners, clockwise from the top left of the stored image, in degrees.
    private(set) var corners: [Point]?
    /// The centre of the part on the Earth, in degrees, if a corner is not on the Earth.
    private var middle: Point?
    /// The control points, in pixels of the stored image.
    private(set) var points: [ControlPoint] = []
    /// The size of the image that the points were set on, if their file names it.
    private(set) var pointsSize: String?
    /// Metres per pixel that the fit of the points keeps, or would keep.
    private(set) var kept: Double?
    /// Warnings for the user, a line each.
    private(set) var warnings: [String] = []

    /// Looks for a position. An incomplete position, such as a single point, is not an error: the page
    /// completes it.
    init(of image: ImageRequest, info: RasterInfo) {
        do { try readPoints(of: image, info) } catch {
            warnings.append("\(error); the page begins without these points")
        }
        if case .pointsFile(let path) = image.position.source, !InputFile.exists(path) { return }
        var whole = image
        whole.crop = nil
        guard let placed = try? PlacedImage(whole) else { return }
        let corners = placed.mapping.lonLatCorners()
        if corners.allSatisfy(\.isFinite) { self.corners = corners } else { middle = placed.bounds.center }
    }

    /// A place of the image, if any is known.
    var near: Point? { corners?.first ?? middle ?? points.first?.lonLat }

    private mutating func readPoints(of image: ImageRequest, _ info: RasterInfo) throws {
        let crs = try image.position.crs.map { try CRS($0) }
        var keptByFile: KeptScale?
        defer {
            kept = try? FitChoice(image.position, ofFile: keptByFile, info: info).kept?.metresPerPixel
        }
        switch image.position.source {
        case .files:
            guard let file = try QGISPoints.find(nextTo: image, crs: crs, info: info) else { return }
            (points, pointsSize, keptByFile) = (file.points, file.imageSize, file.kept)
        case .pointsFile(let path):
            // In a guide, floors share points before there are any.
            guard InputFile.exists(path) else { return }
            let position = Position.pointsFile(path, crs)
            var found: [ControlPoint] = []
            if let file = try position.controlPoints(width: info.width, height: info.height) {
                (found, keptByFile) = file
            }
            if path.hasEnding(".points") { pointsSize = try QGISPoints(path, crs: crs, info: info).imageSize }
            points = Self.stored(found, of: position, image, info)
        case .controlPoints(var typed):
            // Points that were typed have no names, only numbers.
            for index in typed.indices { typed[index].name = "\(index + 1)" }
            points = Self.stored(typed, of: .controlPoints(typed), image, info)
        default: break
        }
    }

    /// Converts points to pixels of the stored image. Points that were read off a viewer count pixels of the
    /// upright image.
    private static func stored(
        _ points: [ControlPoint], of position: Position, _ image: ImageRequest, _ info: RasterInfo
    ) -> [ControlPoint] {
        let view = ImageView(info, position: position, orient: image.position.orient)
        return points.map { point in
            var point = point
            point.pixel = view.storedFromView(point.pixel)
            return point
        }
    }
}

extension JSONValue {
    /// A control point in the stored image, for the page.
    init(_ point: ControlPoint) {
        self = .record([
            "pixel": JSONValue(point.pixel), "place": JSONValue(point.lonLat), "name": .string(point.name),
            "enabled": .integer(point.isEnabled ? 1 : 0),
        ])
    }
}

extension QGISPoints {
    /// Reads the file of an image's points.
    ///
    /// - Parameter crs: the system of its map coordinates, which replaces that of the file.
    fileprivate init(_ path: String, crs: CRS?, info: RasterInfo) throws {
        try self.init(
            parsing: InputFile.text(of: path), path: path, crs: crs, width: info.width, height: info.height)
    }

    /// Reads the file of points next to an image; nil if there is none.
    static func find(nextTo image: ImageRequest, crs: CRS? = nil, info: RasterInfo) throws -> QGISPoints? {
        try find(nextTo: image.path, page: image.pageNumber).map {
            try QGISPoints($0, crs: crs, info: info)
        }
    }
}
