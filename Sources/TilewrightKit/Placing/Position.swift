import Georeferencing
import Platform
import Raster
import Tiling

/// The position of an image, as it was read, with its reference system.
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

    /// Takes the requested position, or else that of the image's file or of a file next to it.
    ///
    /// - Parameters:
    ///   - image: the image, whose own request for a position is ignored.
    ///   - info: the properties of its file.
    ///   - drawn: the page, if it is drawn.
    init(
        _ request: PositionRequest, of image: ImageRequest, info: RasterInfo, drawn: PageImage? = nil
    ) throws {
        let crs = try request.crs.map { try CRS($0) }
        let files = try PositionFiles(
            of: image, info: info, drawn: drawn, crs: crs, keepsPoints: request.transform != nil)
        guard
            let position = try Self.explicit(
                request, image: image.path, files: files, info: info) ?? files.position()
        else { throw Self.unknown(image, info, drawn) }
        self = position
        try position.check(request, isDrawn: info.pageInfo != nil)
    }

    /// Whether its pixel coordinates come from a viewer, which turns images upright, and not from a file.
    var isReadOffViewer: Bool {
        switch self {
        case .bounds, .corners, .controlPoints, .anchor, .kml: true
        case .pointsFile, .worldFile, .stored, .document: false
        }
    }

    /// Whether it places the image's edges instead of pixels.
    var isOfEdges: Bool {
        switch self {
        case .bounds, .corners, .kml: true
        case .controlPoints, .pointsFile, .anchor, .worldFile, .stored, .document: false
        }
    }

    /// The position in a document.
    var document: DocumentPosition? { if case .document(let position) = self { position } else { nil } }

    /// The fit, if there are control points.
    ///
    /// - Parameters:
    ///   - request: the family of transforms, if it was chosen, and the scale that a rigid one keeps.
    ///   - info: the whole image.
    ///   - view: the image in the orientation of the points.
    ///   - crop: the part of the view that counts.
    ///   - fits: the fits of other images, which may have the same points.
    func fit(
        _ request: PositionRequest, info: RasterInfo, of view: ImageView, crop: PixelWindow?,
        fits: SharedFits = SharedFits()
    ) throws -> ControlPointFit? {
        guard let found = try controlPoints(width: view.width, height: view.height) else { return nil }
        let choice = try FitChoice(request, ofFile: found.kept, info: info)
        return try fits.fit(found.points, choice, of: view, crop: crop)
    }

    /// The control points, if there are any, including those that are switched off; and the scale, if their
    /// file asks for a rigid transform.
    func controlPoints(width: Int, height: Int) throws -> (points: [ControlPoint], kept: KeptScale?)? {
        switch self {
        case .controlPoints(let points): (points, nil)
        case .pointsFile(let path, let crs):
            try ControlPointFile.points(of: path, crs: crs, width: width, height: height)
        case .stored(let position): try position.controlPoints().map { ($0, nil) }
        default: nil
        }
    }

    /// The georeference of the image; nil for control points.
    func georeference(width: Int, height: Int) throws -> Georeference? {
        switch self {
        case .bounds(let box, let crs): try .bounds(box, crs: crs, width: width, height: height)
        case .corners(let lonLat): try .corners(lonLat, width: width, height: height)
        case .anchor(let pixel, let lonLat, let metresPerPixel, let bearing):
            try .anchor(
                pixel: pixel, lonLat: lonLat, metresPerPixel: metresPerPixel, bearing: bearing)
        case .worldFile(let path, let crs): try .worldFile(at: path, crs: crs)
        case .kml(_, let overlay): try overlay.georeference(width: width, height: height)
        case .stored(let position): position.georeference
        case .document(let position): position.georeference
        case .controlPoints, .pointsFile: nil
        }
    }

    /// The source of the position, for people.
    var summary: String {
        switch self {
        case .bounds: "bounds"
        case .corners(let corners): "\(corners.count) corners"
        case .controlPoints(let points): points.count.counted("control point")
        case .pointsFile(let path, _): "control points of '\(path)'"
        case .anchor: "an anchor and a scale"
        case .worldFile(let path, _): "world file '\(path)'"
        case .kml(let path, _): "ground overlay of '\(path)'"
        case .stored(let position): position.summary
        case .document(let position): position.source
        }
    }

    /// - Returns: nil if the position is in files.
    private static func explicit(
        _ request: PositionRequest, image: String, files: PositionFiles, info: RasterInfo
    ) throws -> Position? {
        switch request.source {
        case .files: nil
        case .bounds(let box): .bounds(box, files.crs ?? .wgs84)
        case .corners(let lonLat): .corners(lonLat)
        case .controlPoints(let points): .controlPoints(points)
        case .pointsFile(let path): .pointsFile(path, files.crs)
        case .anchor(let pixel, let lonLat, let scale, let bearing):
            .anchor(
                pixel: pixel, lonLat: lonLat,
                metresPerPixel: try request.metresPerPixel(scale, of: info), bearing: bearing)
        case .worldFile(let path): try files.worldFile(path)
        case .kml(let path): .kml(path, try KMLFile(contentsOf: path).overlay(for: image))
        }
    }

    private func check(_ request: PositionRequest, isDrawn: Bool) throws {
        var stray: [String] = []
        switch self {
        case .controlPoints: if request.crs != nil { stray.append("--crs") }
        case .pointsFile: break
        case .stored(let position) where position.georeference == nil: break
        case .corners, .anchor, .kml:
            if request.crs != nil { stray.append("--crs") }
            fallthrough
        default: if request.transform != nil { stray.append("--transform") }
        }
        if request.dpi != nil, !isDrawn {
            if case .oneTo = request.anyScale {} else { stray.append("--dpi") }
        }
        guard let first = stray.first else { return }
        throw Failure(
            .usage, "\(first) does not apply to \(summary)",
            remedy: first == "--crs"
                ? "corners, control points, anchors and KML are longitude and latitude on WGS 84"
                : first == "--dpi"
                    ? "use it with --scale 1:N, or with a PDF, SVG or CAD drawing; else leave it out"
                    : "leave it out")
    }

    private static func unknown(_ image: ImageRequest, _ info: RasterInfo, _ drawn: PageImage?) -> Failure {
        let advice =
            drawn?.coordinatesAdvice
            ?? UnreadNeighbour.advice(on: image.path, hasRPC: !info.fileTags.numbers(50844).isEmpty)
        let beginning = info.photoPlace.map {
            " opens near \($0.x.text(upTo: 6)),\($0.y.text(upTo: 6)), where its EXIF data says it was "
                + "taken"
        }
        return Failure(
            .badInput, cannot: "place \(image.title)", "it has no position",
            remedy: (advice.map { "\($0); or " } ?? "")
                + "add --corners \"LON,LAT LON,LAT LON,LAT LON,LAT\" (top left, top right, "
                + "bottom right, bottom left of the image), or --gcp, --bounds, --anchor with "
                + "--scale, --kml, or a world file next to it; or place it by hand: 'tilewright place'"
                + (beginning ?? ""))
    }
}

/// The model to fit to control points, and the scale that a rigid one keeps.
struct FitChoice: Hashable {
    /// The family of transforms; nil for the standard one.
    let model: TransformModel?
    /// The scale; not nil if the model is rigid.
    let kept: KeptScale?

    /// Chooses: the request precedes the file of the points.
    ///
    /// - Parameters:
    ///   - kept: the scale of the rigid transform that the file asks for.
    ///   - info: the whole image.
    /// - Throws: `.usage` if the scale of a rigid transform is unknown.
    init(_ request: PositionRequest, ofFile kept: KeptScale?, info: RasterInfo) throws {
        model = request.transform ?? (kept == nil ? nil : .rigid)
        guard model == .rigid else {
            self.kept = nil
            return
        }
        let asked = try request.scale?.metresPerPixel(request.resolution(of: info))
        guard let metres = asked ?? kept?.metresPerPixel ?? info.pageInfo?.metresPerPixel else {
            throw Failure.unknownScale
        }
        self.kept = KeptScale(metresPerPixel: metres, bearing: request.bearing ?? kept?.bearing)
    }
}

extension PositionRequest {
    /// The resolution of the image on paper; nil if it is unknown.
    func resolution(of info: RasterInfo) -> Resolution? {
        dpi.flatMap { Resolution(across: $0, down: $0) } ?? info.resolution
    }

    /// The edge of a pixel on the ground for the scale of an anchor; nil for that of a CAD drawing.
    fileprivate func metresPerPixel(_ scale: PlanScale?, of info: RasterInfo) throws -> Double {
        if let scale { return try scale.metresPerPixel(resolution(of: info)) }
        guard let own = info.pageInfo?.metresPerPixel else { throw Failure.anchorWithoutScale }
        return own
    }
}

extension Resolution {
    /// Whether pixels are square on paper: within half a pixel at the edge of a sheet of 10 000 pixels.
    var isSquare: Bool { abs(across / down - 1) < 0.5e-4 }
}

extension PlanScale {
    /// The edge of a pixel on the ground.
    ///
    /// - Parameter resolution: the resolution of the image; nil if it is unknown.
    /// - Throws: `.usage` if the scale is that of a drawing, but the resolution is unknown, or differs
    ///   between the axes.
    func metresPerPixel(_ resolution: Resolution?) throws -> Double {
        switch self {
        case .metresPerPixel(let metres): return metres
        case .oneTo(let denominator):
            let option = "--scale 1:\(denominator.shortText)"
            guard let resolution else {
                throw Failure(
                    .usage,
                    "\(option) needs the resolution of the image, which its file does not state",
                    remedy: "add --dpi N, as scanned or exported, or give --scale METRES_PER_PIXEL")
            }
            guard resolution.isSquare else {
                throw Failure(
                    .usage,
                    "\(option) needs square pixels, but the image has \(resolution.across.shortText) x "
                        + "\(resolution.down.shortText) pixels per inch",
                    remedy: "add --dpi N if this is wrong, or give --corners")
            }
            return denominator * Resolution.metresPerInch / resolution.across
        }
    }
}

/// The positions in an image's file and in the files next to it, in their order of precedence.
struct PositionFiles {
    /// The system of the command line, which replaces those of the files.
    let crs: CRS?

    private let image: ImageRequest
    private let info: RasterInfo
    private let drawn: PageImage?
    private let auxiliary: PAMFile?
    private let keepsPoints: Bool

    /// Looks for the files of an image.
    ///
    /// - Parameters:
    ///   - image: the image, whose own request for a position is ignored.
    ///   - info: the properties of its file.
    ///   - drawn: the page, if it is drawn.
    ///   - crs: the system that replaces those of the files.
    ///   - keepsPoints: whether points are fitted even if an affine transform passes through all of them.
    init(
        of image: ImageRequest, info: RasterInfo, drawn: PageImage? = nil, crs: CRS?, keepsPoints: Bool
    ) throws {
        (self.image, self.info, self.drawn) = (image, info, drawn)
        (self.crs, self.keepsPoints) = (crs, keepsPoints)
        auxiliary = try PAMFile.find(nextTo: image.path, page: image.pageNumber)
    }

    /// The first position; nil if no file has one.
    func position() throws -> Position? {
        for find in candidates { if let position = try find() { return position } }
        return nil
    }

    /// All positions that can be read, in order of precedence.
    func positions() -> [Position] { candidates.compactMap { try? $0() } }

    private var candidates: [() throws -> Position?] {
        let points = { try QGISPoints.find(nextTo: image.path, page: image.pageNumber) }
        let ofFile: [() throws -> Position?] = [
            { try points().map { .pointsFile($0, crs) } },
            { try WorldFile.find(nextTo: image.path).map(worldFile) },
            { try drawn?.coordinatesPosition(crs: crs).map { .document($0) } },
        ]
        if image.pageNumber == 1 || auxiliary?.isOfPage == true {
            return [ofAuxiliary, ofOverlay, ofTags, ofDocument] + ofFile
        }
        // The position of a page, in the file or next to it, precedes that of the file.
        let own = QGISPoints.path(nextTo: image.path, page: image.pageNumber)
        return [
            ofOverlay, ofTags, ofDocument, { try points() == own ? .pointsFile(own, crs) : nil }, ofAuxiliary,
        ] + ofFile
    }

    private func ofAuxiliary() throws -> Position? {
        guard let auxiliary, let form = try auxiliary.eastFirstForm(on: info.pixelUnits) else { return nil }
        return try stored("'\(auxiliary.path)'", form)
    }

    private func ofOverlay() throws -> Position? {
        guard try KMZFile.isKMZ(image.path) else { return nil }
        return .kml(image.path, try KMZFile(contentsOf: image.path).position(image.page))
    }

    private func ofDocument() throws -> Position? {
        try drawn?.position(crs: crs).map { .document($0) }
    }

    private func ofTags() throws -> Position? {
        try info.geoTIFFTags?.positionForm().map { try stored("GeoTIFF tags", $0) }
    }

    /// A world file; without a `.prj`, its system is that of another file of the image.
    func worldFile(_ path: String) throws -> Position {
        if let crs { return .worldFile(path, crs) }
        let isNamed = try WorldFile.findProjection(nextTo: path) != nil
        return .worldFile(path, isNamed ? nil : try ownCRS())
    }

    private func stored(_ source: String, _ form: StoredPosition.Form) throws -> Position {
        guard
            let crs = try crs ?? ownCRS()
                ?? WorldFile.findProjection(nextTo: image.path).map({ try CRS(contentsOf: $0) })
        else {
            throw Failure(
                .badInput,
                "its position comes from \(source) without a coordinate reference system",
                remedy:
                    "add --crs EPSG:3857 if its coordinates are Web Mercator metres, --crs EPSG:4326 if "
                    + "they are degrees, or put a .prj file next to it")
        }
        return .stored(try StoredPosition(source: source, form: form, crs: crs, keepsPoints: keepsPoints))
    }

    private func ownCRS() throws -> CRS? {
        if let crs = try auxiliary?.crs() { return crs }
        guard let tags = info.geoTIFFTags else { return nil }
        return try CRS(geoTIFF: tags)
    }
}
