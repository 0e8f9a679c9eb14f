import Platform
import Georeferencing
import Raster
import Tiling

/// What says where an image lies, of all that could: read, and in terms of a reference system.
enum Position {
    case bounds(BoundingBox, CRS)
    case corners([Point])
    case controlPoints([ControlPoint])
    case pointsFile(String, CRS?)
    case anchor(pixel: Point, lonLat: Point, metresPerPixel: Double, bearing: Double)
    case worldFile(String, CRS?)
    case kml(String, GroundOverlay)
    case stored(StoredPosition)
    case document(DocumentPosition)

    /// Takes what is asked for, or else what the image's file and those beside it say.
    ///
    /// - Parameters:
    ///   - image: the image; the position that it asks for does not count.
    ///   - info: what its file says.
    ///   - drawn: the page, if it is one that is drawn.
    init(
        _ request: PositionRequest, of image: ImageRequest, info: RasterInfo, drawn: PageImage? = nil
    ) throws {
        let crs = try request.crs.map { try CRS($0) }
        let files = try PositionFiles(
            of: image, info: info, drawn: drawn, crs: crs, keepsPoints: request.transform != nil)
        let resolution = request.dpi.flatMap { Resolution(across: $0, down: $0) } ?? info.resolution
        guard
            let position = try Self.explicit(
                request.source, image: image.path, files: files, resolution: resolution) ?? files.position()
        else { throw Self.unknown(image, info) }
        self = position
        try position.check(request, isDrawn: info.pageInfo != nil)
    }

    /// Whether people read the pixels off a viewer, which turns images upright, and not off a file.
    var isReadOffViewer: Bool {
        switch self {
        case .bounds, .corners, .controlPoints, .anchor, .kml: true
        case .pointsFile, .worldFile, .stored, .document: false
        }
    }

    /// Whether it says where the image's edges lie, and not its pixels.
    var isOfEdges: Bool {
        switch self {
        case .bounds, .corners, .kml: true
        case .controlPoints, .pointsFile, .anchor, .worldFile, .stored, .document: false
        }
    }

    /// What a document says of its page.
    var document: DocumentPosition? { if case .document(let position) = self { position } else { nil } }

    /// What is fitted, if there are control points.
    ///
    /// - Parameters:
    ///   - model: the family of transforms, if it was chosen.
    ///   - view: the image as its points see it.
    ///   - crop: the part of the view that counts.
    ///   - fits: those of other images, which may have the same points.
    func fit(
        model: TransformModel?, of view: ImageView, crop: PixelWindow?, fits: SharedFits = SharedFits()
    ) throws -> ControlPointFit? {
        guard let points = try controlPoints(width: view.width, height: view.height) else {
            return nil
        }
        return try fits.fit(points, model: model, of: view, crop: crop)
    }

    /// The control points, if there are such, also those that are switched off.
    func controlPoints(width: Int, height: Int) throws -> [ControlPoint]? {
        switch self {
        case .controlPoints(let points): points
        case .pointsFile(let path, let crs):
            try ControlPointFile.points(of: path, crs: crs, width: width, height: height)
        case .stored(let position): try position.controlPoints()
        default: nil
        }
    }

    /// Where the image lies, for every way but control points.
    func georeference(width: Int, height: Int) throws -> Georeference? {
        switch self {
        case .bounds(let box, let crs):
            try .bounds(box, crs: crs, width: width, height: height)
        case .corners(let lonLat):
            try .corners(lonLat, width: width, height: height)
        case .anchor(let pixel, let lonLat, let metresPerPixel, let bearing):
            try .anchor(
                pixel: pixel, lonLat: lonLat, metresPerPixel: metresPerPixel, bearing: bearing)
        case .worldFile(let path, let crs):
            try .worldFile(at: path, crs: crs)
        case .kml(_, let overlay): try overlay.georeference(width: width, height: height)
        case .stored(let position): position.georeference
        case .document(let position): position.georeference
        case .controlPoints, .pointsFile: nil
        }
    }

    /// How the position was given, for people.
    var summary: String {
        switch self {
        case .bounds: "bounds"
        case .corners(let corners): "\(corners.count) corners"
        case .controlPoints(let points): "\(points.count) control points"
        case .pointsFile(let path, _): "control points of '\(path)'"
        case .anchor: "an anchor and a scale"
        case .worldFile(let path, _): "world file '\(path)'"
        case .kml(let path, _): "ground overlay of '\(path)'"
        case .stored(let position): position.summary
        case .document(let position): position.source
        }
    }

    /// - Returns: nil if it is left to files.
    private static func explicit(
        _ source: PositionRequest.Source, image: String, files: PositionFiles, resolution: Resolution?
    ) throws -> Position? {
        switch source {
        case .files: nil
        case .bounds(let box): .bounds(box, files.crs ?? .wgs84)
        case .corners(let lonLat): .corners(lonLat)
        case .controlPoints(let points): .controlPoints(points)
        case .pointsFile(let path): .pointsFile(path, files.crs)
        case .anchor(let pixel, let lonLat, let scale, let bearing):
            .anchor(
                pixel: pixel, lonLat: lonLat, metresPerPixel: try scale.metresPerPixel(resolution),
                bearing: bearing)
        case .worldFile(let path): try files.worldFile(path)
        case .kml(let path): .kml(path, try KMLFile(contentsOf: path).overlay(for: image))
        }
    }

    /// Options that have no meaning together with this position are errors, not silence.
    private func check(_ request: PositionRequest, isDrawn: Bool) throws {
        var stray: [String] = []
        switch self {
        case .controlPoints:
            if request.crs != nil { stray.append("--crs") }
        case .pointsFile: break
        case .stored(let position) where position.georeference == nil: break
        case .corners, .anchor, .kml:
            if request.crs != nil { stray.append("--crs") }
            fallthrough
        default:
            if request.transform != nil { stray.append("--transform") }
        }
        if request.dpi != nil, !request.source.isDrawingScale, !isDrawn { stray.append("--dpi") }
        guard let first = stray.first else { return }
        throw Failure(
            .usage, "\(first) has no meaning for \(summary)",
            remedy: first == "--crs"
                ? "corners, control points, anchors and KML are longitude and latitude on WGS 84"
                : first == "--dpi"
                    ? "it goes with --scale 1:N, and with a PDF or SVG; or leave it out" : "leave it out")
    }

    private static func unknown(_ image: ImageRequest, _ info: RasterInfo) -> Failure {
        let advice = UnreadNeighbour.advice(on: image.path, hasRPC: !info.fileTags.numbers(50844).isEmpty)
        let beginning = info.photoPlace.map {
            "; by its EXIF data it was taken near \($0.x.text(upTo: 6)),\($0.y.text(upTo: 6)): "
                + "begin there"
        }
        return Failure(
            .badInput, cannot: "place \(image.title)", "nothing says where it lies",
            remedy: (advice.map { "\($0); or " } ?? "")
                + "add --corners \"LON,LAT LON,LAT LON,LAT LON,LAT\" (top left, top right, "
                + "bottom right, bottom left of the image), or --gcp, --bounds, --anchor with "
                + "--scale, --kml, or a world file beside it; or lay it on a map by hand: 'tilewright place'"
                + (beginning ?? ""))
    }
}

extension PlanScale {
    /// The edge of a pixel on the ground.
    ///
    /// - Parameter resolution: of the image; nil if nobody says it.
    /// - Throws: `.usage` if the scale is that of a drawing, and the resolution is not known, or not the same
    ///   along both axes.
    fileprivate func metresPerPixel(_ resolution: Resolution?) throws -> Double {
        switch self {
        case .metresPerPixel(let metres): return metres
        case .oneTo(let denominator):
            let option = "--scale 1:\(denominator.shortText)"
            guard let resolution else {
                throw Failure(
                    .usage,
                    "\(option) needs the resolution of the image, and its file does not say it",
                    remedy: "add --dpi N, as it was scanned or exported, or give --scale METRES_PER_PIXEL")
            }
            // Half a pixel of a sheet of 10 000.
            guard abs(resolution.across / resolution.down - 1) < 0.5e-4 else {
                throw Failure(
                    .usage,
                    "\(option) needs square pixels, and the image has \(resolution.across.shortText) x "
                        + "\(resolution.down.shortText) to the inch",
                    remedy: "add --dpi N if that is wrong, or give --corners")
            }
            return denominator * Resolution.metresPerInch / resolution.across
        }
    }
}

extension PositionRequest.Source {
    /// Whether a resolution has a meaning.
    fileprivate var isDrawingScale: Bool {
        if case .anchor(_, _, .oneTo, _) = self { true } else { false }
    }
}
