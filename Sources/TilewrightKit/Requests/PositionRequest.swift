public import Georeferencing
import Platform
public import Tiling

/// The position of an image, and how to read it.
///
/// Coordinates are x first: easting or longitude, then northing or latitude. Pixels are counted from the
/// image's top-left corner: (0.5, 0.5) is the centre of the first pixel.
public struct PositionRequest: Hashable, Codable, Sendable {
    /// The source of a position.
    public enum Source: Hashable, Codable, Sendable {
        /// The first that exists: the image's `.aux.xml`, its tags, `.points` or a world file next to it.
        case files
        /// The image's outer edges, in the reference system of `crs`, by default degrees on WGS 84. A western
        /// edge beyond the eastern one crosses the antimeridian.
        case bounds(BoundingBox)
        /// Longitude and latitude, in degrees on WGS 84, of the image's outer corners as drawn: top left,
        /// top right, bottom right, bottom left. Three, without the last, make an affine transform, four a
        /// projective one.
        case corners([Point])
        /// Points of the image with known coordinates.
        case controlPoints([ControlPoint])
        /// A file of control points, as the QGIS Georeferencer saves it.
        case pointsFile(String)
        /// One known point, the plan's scale, and the compass bearing, in degrees clockwise from north, that
        /// the image's up direction points to. Without a scale, a CAD drawing has its own.
        case anchor(pixel: Point, lonLat: Point, scale: PlanScale?, bearing: Double)
        /// A world file, whose numbers are in the reference system of `crs`, or of the `.prj` next to it.
        case worldFile(String)
        /// A KML or KMZ file with a ground overlay that shows the image.
        case kml(String)
    }

    /// Whether the orientation tag of an image counts.
    public enum Orientation: String, CaseIterable, Codable, Sendable {
        /// It counts for positions read off a viewer: bounds, corners, typed points, anchors and KML.
        case auto
        /// It always counts.
        case yes
        /// It never counts.
        case no
    }

    /// The source of the position.
    public var source: Source
    /// The reference system of bounds, or of a file instead of its own: `EPSG:n`, WKT or a PROJ string.
    public var crs: String?
    /// The model that is fitted to control points; nil to choose a similarity if there are two points, and an
    /// affine transform if there are more.
    public var transform: TransformModel?
    /// The scale that a rigid transform keeps; nil if the file of the points gives it. Also that of the page of a
    /// CAD drawing, whose usual one is 1:100.
    public var scale: PlanScale?
    /// The bearing of the image's up direction in degrees, for a rigid transform from a single point.
    public var bearing: Double?
    /// The resolution in pixels per inch of paper, which replaces the file's; for the scale of a drawing.
    public var dpi: Double?
    /// Whether the image is turned upright by its orientation tag before it is placed.
    public var orient: Orientation

    /// Makes a request.
    public init(
        _ source: Source = .files, crs: String? = nil, transform: TransformModel? = nil,
        orient: Orientation = .auto
    ) {
        self.source = source
        self.crs = crs
        self.transform = transform
        self.orient = orient
    }
}

extension PositionRequest.Source {
    /// The name of the source's option; nil for files.
    package var optionName: String? {
        switch self {
        case .files: nil
        case .bounds: "--bounds"
        case .corners: "--corners"
        case .controlPoints: "--gcp"
        case .pointsFile: "--gcps"
        case .anchor: "--anchor"
        case .worldFile: "--world-file"
        case .kml: "--kml"
        }
    }
}

/// The scale of a plan.
public enum PlanScale: Hashable, Codable, Sendable {
    /// The edge of a pixel on the ground, in metres.
    case metresPerPixel(Double)
    /// 1:N, as in the title block of a drawing. The image's resolution gives the size of a pixel on paper.
    case oneTo(Double)

    /// Reads `METRES_PER_PIXEL` or `1:N`, as on a command line.
    ///
    /// - Throws: a `Failure` of kind `usage` that quotes the text.
    public init(parsing text: String) throws {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map {
            Double($0.filter { !$0.isWhitespace })
        }
        if parts.count == 1, let metres = parts[0], metres > 0, metres.isFinite {
            self = .metresPerPixel(metres)
            return
        }
        if parts.count == 2, parts[0] == 1, let denominator = parts[1], denominator > 0, denominator.isFinite
        {
            self = .oneTo(denominator)
            return
        }
        throw Failure(
            .usage, "'\(text)' is not a scale",
            remedy: "write the edge of a pixel in metres on the ground, such as 0.02, or a drawing's scale, "
                + "such as 1:100")
    }
}

/// The value of `--transform`: the name of a model, or `all`, to compare them.
package struct TransformChoice: RawRepresentable, CaseIterable, Hashable, Sendable {
    package let rawValue: String

    /// Takes the name of a model, or `all`; nil for anything else.
    package init?(rawValue: String) {
        guard rawValue == "all" || TransformModel(rawValue: rawValue) != nil else { return nil }
        self.rawValue = rawValue
    }

    package static var allCases: [TransformChoice] {
        (TransformModel.allCases.map(\.rawValue) + ["all"]).compactMap(TransformChoice.init(rawValue:))
    }

    /// The model.
    ///
    /// - Throws: `.usage` for `all`.
    func model() throws(Failure) -> TransformModel {
        if let model = TransformModel(rawValue: rawValue) { return model }
        throw Failure(
            .usage, "--transform all compares fits, and does not place an image",
            remedy: "'tilewright fit --transform all' recommends a model")
    }
}

/// The options for the position of an image, before they are checked against each other.
package struct PositionValues: Hashable, Sendable {
    /// The image's outer edges.
    package var bounds: BoundingBox?
    /// The image's corners.
    package var corners: PositionRequest.Source?
    /// Points of the image with known coordinates.
    package var controlPoints: [ControlPoint] = []
    /// A file of such points.
    package var pointsFile: String?
    /// The model that is fitted to points.
    package var transform: TransformChoice?
    /// One known point.
    package var anchor: ControlPoint?
    /// The plan's scale, with an anchor or a rigid transform.
    package var scale: PlanScale?
    /// The bearing of the image's up direction in degrees, with an anchor, or with a rigid transform and a
    /// single point.
    package var bearing: Double?
    /// The image's resolution in pixels per inch.
    package var dpi: Double?
    /// A world file.
    package var worldFile: String?
    /// A KML or KMZ file.
    package var kml: String?
    /// The reference system of bounds, or of a file.
    package var crs: String?
    /// Whether the image is turned upright.
    package var orient: PositionRequest.Orientation?

    /// Makes values without any option.
    package init() {}

    /// The request that follows from the values.
    ///
    /// - Parameter bearingOption: the name of the option for the bearing.
    /// - Throws: `.usage` if more than one value gives the position, or a value needs another one.
    package func request(bearingOption: String = "--bearing") throws(Failure) -> PositionRequest {
        let sources = sources()
        guard sources.count <= 1 else {
            let names = sources.compactMap(\.optionName).joined(separator: " and ")
            throw Failure(
                .usage, "\(names) both give the image's position", remedy: "leave one of them out")
        }
        let model = try transform?.model()
        var request = PositionRequest(
            sources.first ?? .files, crs: crs, transform: model, orient: orient ?? .auto)
        if anchor == nil, model != .rigid, bearing != nil { throw request.stray(bearingOption) }
        if anchor == nil { (request.scale, request.bearing) = (scale, bearing) }
        if let dpi, !(dpi > 0 && dpi.isFinite) {
            throw Failure(
                .usage, "--dpi \(dpi.shortText) is not a resolution", remedy: "write a number, such as 300")
        }
        request.dpi = dpi
        return request
    }

    private func sources() -> [PositionRequest.Source] {
        let said: [PositionRequest.Source?] = [
            bounds.map { .bounds($0) }, corners,
            controlPoints.isEmpty ? nil : .controlPoints(controlPoints),
            pointsFile.map { .pointsFile($0) },
            anchor.map {
                .anchor(pixel: $0.pixel, lonLat: $0.lonLat, scale: scale, bearing: bearing ?? 0)
            },
            worldFile.map { .worldFile($0) }, kml.map { .kml($0) },
        ]
        return said.compactMap(\.self)
    }
}

// The scale

extension PositionRequest {
    /// The scale of an anchor, of a rigid transform, or of the page of a CAD drawing.
    var anyScale: PlanScale? {
        if case .anchor(_, _, let scale, _) = source { scale } else { scale }
    }

    /// Refuses a scale without an anchor or a rigid transform, and an anchor without a scale, unless the image
    /// is a CAD drawing, whose page has a scale.
    ///
    /// - Throws: `.usage`.
    func checkScale(ofCAD isCAD: Bool) throws(Failure) {
        if isCAD { return }
        if case .anchor(_, _, let scale, _) = source {
            if scale == nil { throw Failure.anchorWithoutScale }
        } else if scale != nil, transform != .rigid {
            throw stray("--scale")
        }
    }

    /// The failure of a scale or a bearing without an anchor or a rigid transform.
    ///
    /// - Parameter option: its name.
    fileprivate func stray(_ option: String) -> Failure {
        let hasPoints =
            switch source {
            case .controlPoints, .pointsFile: true
            default: transform != nil
            }
        guard hasPoints else {
            return Failure(
                .usage, "\(option) needs --anchor, or control points with --transform rigid",
                remedy: "add --anchor COL,ROW,LON,LAT, a point of the image and its coordinates, or leave "
                    + "\(option) out")
        }
        let other = transform.map { ", not --transform \($0.rawValue)" } ?? ""
        return Failure(
            .usage, "with control points, \(option) needs --transform rigid\(other)",
            remedy: "add --transform rigid, which keeps the scale, or leave \(option) out")
    }
}

extension Failure {
    /// The failure of an anchor without a scale.
    static var anchorWithoutScale: Failure {
        Failure(
            .usage, "--anchor needs the plan's scale",
            remedy:
                "add --scale METRES_PER_PIXEL, such as 0.02 for pixels of 2 cm; or --scale 1:N, the "
                + "scale of the drawing")
    }
}
