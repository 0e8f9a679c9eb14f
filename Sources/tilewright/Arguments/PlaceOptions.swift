import Diagnostics
import TilewrightKit
public import ArgumentParser
import Georeferencing
import Tiling

/// Where an image lies, but for an anchor's bearing.
struct PlaceOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The image's outer edges, in degrees or in the units of --crs; "
                + "if W > E they cross the antimeridian.",
            valueName: "W,S,E,N"),
        transform: { try BoundingBox(parsing: $0) })
    var bounds: BoundingBox?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Where the image's corners lie: top left, top right, bottom right, bottom left as drawn. "
                + "The last may be left out.",
            valueName: "LON,LAT ..."),
        transform: { try PositionRequest.Source(parsingCorners: $0) })
    var corners: PositionRequest.Source?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A control point; repeat it. Pixels count from the top-left corner: "
                + "0.5,0.5 is the first pixel's centre.",
            valueName: "COL,ROW,LON,LAT"),
        transform: { try ControlPoint(parsing: $0) })
    var gcp: [ControlPoint] = []

    @Option(
        help: ArgumentHelp(
            "Control points that QGIS has saved, or a table of COL,ROW,LON,LAT[,NAME].", valueName: "FILE"),
        completion: .file(extensions: ["points", "csv", "txt", "tsv"]))
    var gcps: String?

    @Option(
        help: ArgumentHelp(
            "What is fitted to control points: similarity (from 2 points), affine (3), projective (4); "
                + "or, to bend lines, polynomial2 (6) or tps, a thin plate spline (3); "
                + "for 'fit' also all, which compares them. "
                + "(default: similarity for two points, affine for more)",
            valueName: "MODEL"))
    var transform: TransformChoice?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("One known point, with --scale.", valueName: "COL,ROW,LON,LAT"),
        transform: { try ControlPoint(parsing: $0) })
    var anchor: ControlPoint?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The plan's scale: the edge of a pixel on the ground, or that of a drawing, with the resolution "
                + "that its file carries.",
            valueName: "METRES_PER_PIXEL|1:N"),
        transform: { try PlanScale(parsing: $0) })
    var scale: PlanScale?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The image's resolution in pixels per inch, in place of its file's; with --scale 1:N.",
            valueName: "N"))
    var dpi: Double?

    @Option(
        help: ArgumentHelp("A world file; its numbers are in the CRS of --crs.", valueName: "FILE"),
        completion: .file())
    var worldFile: String?

    @Option(
        help: ArgumentHelp(
            "A KML or KMZ file whose ground overlay shows the image.", valueName: "FILE"),
        completion: .file(extensions: ["kml", "kmz"]))
    var kml: String?

    @Option(
        help: ArgumentHelp(
            "EPSG:n, WKT or a PROJ string: the CRS of --bounds, or of a file in place of its own.",
            valueName: "CRS"))
    var crs: String?

    @Option(
        help: ArgumentHelp(
            "Whether to turn the image upright as its orientation tag says. (default: auto)",
            valueName: "auto|yes|no"))
    var orient: PositionRequest.Orientation?
}

extension PlaceOptions {
    /// The request that the options make.
    ///
    /// - Parameters:
    ///   - bearing: the anchor's, in degrees.
    ///   - bearingOption: what it is called on the command line.
    /// - Throws: `.usage` if more than one option says where the image lies.
    func request(bearing: Double?, bearingOption: String) throws -> PositionRequest {
        let sources = try sources(bearing: bearing)
        guard sources.count <= 1 else {
            let names = sources.compactMap(\.optionName).joined(separator: " and ")
            throw Failure(
                .usage, "\(names) both say where the image lies", remedy: "leave one of them out")
        }
        try checkAnchor(bearingOption: bearing == nil ? nil : bearingOption)
        var request = PositionRequest(
            sources.first ?? .files, crs: crs, transform: try transform?.model(), orient: orient ?? .auto)
        request.dpi = try dpi.map(Self.checked(dpi:))
        return request
    }

    /// The names of the options that were given.
    var given: [String] {
        [
            bounds.map { _ in "--bounds" }, corners.map { _ in "--corners" },
            gcp.isEmpty ? nil : "--gcp", gcps.map { _ in "--gcps" },
            transform.map { _ in "--transform" }, anchor.map { _ in "--anchor" },
            scale.map { _ in "--scale" }, dpi.map { _ in "--dpi" }, worldFile.map { _ in "--world-file" },
            kml.map { _ in "--kml" }, crs.map { _ in "--crs" }, orient.map { _ in "--orient" },
        ].compactMap(\.self)
    }

    private func sources(bearing: Double?) throws -> [PositionRequest.Source] {
        let fromOptions: [PositionRequest.Source?] = [
            bounds.map { .bounds($0) }, corners, gcp.isEmpty ? nil : .controlPoints(gcp),
            gcps.map { .pointsFile($0) }, try anchorSource(bearing: bearing),
            worldFile.map { .worldFile($0) }, kml.map { .kml($0) },
        ]
        return fromOptions.compactMap(\.self)
    }

    private func anchorSource(bearing: Double?) throws -> PositionRequest.Source? {
        guard let anchor else { return nil }
        guard let scale else {
            throw Failure(
                .usage, "--anchor needs the plan's scale",
                remedy:
                    "add --scale METRES_PER_PIXEL: 0.02 if a pixel is 2 cm on the ground; or --scale 1:N, "
                    + "as the drawing says it")
        }
        return .anchor(
            pixel: anchor.pixel, lonLat: anchor.lonLat, scale: scale, bearing: bearing ?? 0)
    }

    private static func checked(dpi: Double) throws -> Double {
        guard dpi > 0, dpi.isFinite else {
            throw Failure(.usage, "--dpi \(dpi.shortText) is not a resolution", remedy: "write 300, for one")
        }
        return dpi
    }

    /// Checks that scale and bearing come with an anchor.
    ///
    /// - Parameter bearingOption: nil if no bearing was given.
    private func checkAnchor(bearingOption: String?) throws {
        if anchor != nil { return }
        guard let stray = scale != nil ? "--scale" : bearingOption else { return }
        throw Failure(
            .usage, "\(stray) has no meaning without --anchor",
            remedy: "add --anchor COL,ROW,LON,LAT, a point of the image and its place, or leave "
                + "\(stray) out")
    }
}

extension PositionRequest.Orientation: ExpressibleByArgument {}

/// What `--transform` says.
enum TransformChoice: Hashable, ExpressibleByArgument {
    /// One model.
    case one(TransformModel)
    /// All models, side by side.
    case all

    init?(argument: String) {
        if argument == "all" {
            self = .all
        } else if let model = TransformModel(rawValue: argument) {
            self = .one(model)
        } else {
            return nil
        }
    }

    static var allValueStrings: [String] { TransformModel.allCases.map(\.rawValue) + ["all"] }

    var defaultValueDescription: String {
        switch self {
        case .one(let model): model.rawValue
        case .all: "all"
        }
    }

    /// The model.
    ///
    /// - Throws: `.usage` if it is all of them.
    fileprivate func model() throws -> TransformModel {
        switch self {
        case .one(let model): return model
        case .all:
            throw Failure(
                .usage, "--transform all only compares fits, and places no image",
                remedy: "'tilewright fit --transform all' says which model to take")
        }
    }
}
