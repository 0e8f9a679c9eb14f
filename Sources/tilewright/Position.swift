import Diagnostics
import Georeferencing
import Tiling

/// Which of the ways to say where an image lies was taken.
enum Position {
    case bounds(BoundingBox, CRS)
    case corners([Point])
    case controlPoints([ControlPoint])
    case pointsFile(String, CRS?)
    case anchor(ControlPoint, metresPerPixel: Double, bearing: Double)
    case worldFile(String, CRS?)
    case kml(String, GroundOverlay)
    case stored(StoredPosition)

    /// Decides from the options, then from what the image's file and those beside it say.
    ///
    /// - Parameters:
    ///   - image: the path of the image.
    ///   - tags: where the image is a TIFF with such tags.
    init(_ options: PositionOptions, image: String, tags: GeoTIFFTags?) throws {
        let crs = try options.crs.map { try CRS($0) }
        let files = try PositionFiles(
            image: image, tags: tags, crs: crs, keepsPoints: options.transform != nil)
        let given = try Self.explicit(options, image: image, files: files)
        guard given.count <= 1 else {
            let names = given.map(\.optionName).joined(separator: " and ")
            throw Failure(
                .usage, "\(names) both say where the image lies", remedy: "leave one of them out")
        }
        try Self.checkAnchor(options)
        guard let position = try given.first ?? files.position() else {
            throw Self.unknown(image)
        }
        self = position
        try position.check(options)
    }

    /// Whether people read the pixels off a viewer, which turns images upright, and not off a file.
    var isReadOffViewer: Bool {
        switch self {
        case .bounds, .corners, .controlPoints, .anchor, .kml: true
        case .pointsFile, .worldFile, .stored: false
        }
    }

    /// What is fitted, where control points are.
    ///
    /// - Parameters:
    ///   - model: the family of transforms, if it was chosen.
    ///   - view: the image as its points see it.
    ///   - crop: the part of the view that counts.
    func fit(
        model: TransformModel?, of view: ImageView, crop: PixelWindow?
    ) throws -> ControlPointFit? {
        guard let points = try controlPoints(width: view.width, height: view.height) else {
            return nil
        }
        return try ControlPointFit(
            points, model: model, width: view.width, height: view.height, crop: crop)
    }

    private func controlPoints(width: Int, height: Int) throws -> [ControlPoint]? {
        switch self {
        case .controlPoints(let points): points
        case .pointsFile(let path, let crs):
            try QGISPoints(contentsOf: path, crs: crs, width: width, height: height).points
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
        case .anchor(let point, let metresPerPixel, let bearing):
            try .anchor(
                pixel: point.pixel, lonLat: point.lonLat, metresPerPixel: metresPerPixel,
                bearing: bearing)
        case .worldFile(let path, let crs):
            try .worldFile(at: path, crs: crs)
        case .kml(_, let overlay): try overlay.georeference(width: width, height: height)
        case .stored(let position): position.georeference
        case .controlPoints, .pointsFile: nil
        }
    }

    /// How the position was given, for people.
    var summary: String {
        switch self {
        case .bounds: "--bounds"
        case .corners(let corners): "\(corners.count) corners"
        case .controlPoints(let points): "\(points.count) control points"
        case .pointsFile(let path, _): "control points of '\(path)'"
        case .anchor: "--anchor and --scale"
        case .worldFile(let path, _): "world file '\(path)'"
        case .kml(let path, _): "ground overlay of '\(path)'"
        case .stored(let position): position.summary
        }
    }

    private var optionName: String {
        switch self {
        case .bounds: "--bounds"
        case .corners: "--corners"
        case .controlPoints: "--gcp"
        case .pointsFile: "--gcps"
        case .anchor: "--anchor"
        case .worldFile: "--world-file"
        case .kml: "--kml"
        case .stored(let position): position.source
        }
    }

    private static func explicit(
        _ options: PositionOptions, image: String, files: PositionFiles
    ) throws -> [Position] {
        let crs = files.crs
        var given: [Position] = []
        if let box = options.bounds { given.append(.bounds(box, crs ?? .wgs84)) }
        if let corners = options.corners { given.append(.corners(corners.lonLat)) }
        if !options.gcp.isEmpty { given.append(.controlPoints(options.gcp)) }
        if let path = options.gcps { given.append(.pointsFile(path, crs)) }
        if let anchor = options.anchor {
            guard let scale = options.scale else {
                throw Failure(
                    .usage, "--anchor needs the plan's scale",
                    remedy: "add --scale METRES_PER_PIXEL: 0.02 where a pixel is 2 cm on the ground"
                )
            }
            given.append(.anchor(anchor, metresPerPixel: scale, bearing: options.bearing ?? 0))
        }
        if let path = options.worldFile { given.append(try files.worldFile(path)) }
        if let path = options.kml {
            given.append(.kml(path, try KMLFile(contentsOf: path).overlay(for: image)))
        }
        return given
    }

    /// Without an anchor its scale and bearing have no meaning, whatever else is given.
    private static func checkAnchor(_ options: PositionOptions) throws {
        if options.anchor != nil { return }
        let stray = options.scale != nil ? "--scale" : options.bearing != nil ? "--bearing" : nil
        guard let stray else { return }
        throw Failure(
            .usage, "\(stray) has no meaning without --anchor",
            remedy: "add --anchor COL,ROW,LON,LAT, a point of the image and its place, or leave "
                + "\(stray) out")
    }

    /// Options that have no meaning together with this position are errors, not silence.
    private func check(_ options: PositionOptions) throws {
        var stray: [String] = []
        switch self {
        case .controlPoints:
            if options.crs != nil { stray.append("--crs") }
        case .pointsFile: break
        case .stored(let position) where position.georeference == nil: break
        case .corners, .anchor, .kml:
            if options.crs != nil { stray.append("--crs") }
            fallthrough
        default:
            if options.transform != nil { stray.append("--transform") }
        }
        guard let first = stray.first else { return }
        throw Failure(
            .usage, "\(first) has no meaning for \(summary)",
            remedy: first == "--crs"
                ? "corners, control points, anchors and KML are longitude and latitude on WGS 84"
                : "leave it out")
    }

    private static func unknown(_ image: String) -> Failure {
        Failure(
            .badInput, "cannot place '\(image)': nothing says where it lies",
            remedy: "add --corners \"LON,LAT LON,LAT LON,LAT LON,LAT\" (top left, top right, "
                + "bottom right, bottom left of the image), or --gcp, --bounds, --anchor with "
                + "--scale, --kml, or a world file beside it")
    }
}
