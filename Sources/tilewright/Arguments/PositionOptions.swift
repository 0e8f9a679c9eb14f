import Diagnostics
import TilewrightKit
public import ArgumentParser
import Georeferencing
import Tiling

/// Where the image lies.
struct PositionOptions: ParsableArguments {
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
        help: ArgumentHelp("Control points that QGIS has saved.", valueName: "FILE.points"),
        completion: .file(extensions: ["points"]))
    var gcps: String?

    @Option(
        help: ArgumentHelp(
            "What is fitted to control points: similarity (from 2 points), affine (3), projective (4); "
                + "or, to bend lines, polynomial2 (6) or tps, a thin plate spline (3). "
                + "(default: similarity for two points, affine for more)",
            valueName: "MODEL"))
    var transform: TransformModel?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("One known point, with --scale.", valueName: "COL,ROW,LON,LAT"),
        transform: { try ControlPoint(parsing: $0) })
    var anchor: ControlPoint?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The plan's scale on the ground.", valueName: "METRES_PER_PIXEL"))
    var scale: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The compass bearing of the image's up direction, clockwise from north. (default: 0)",
            valueName: "DEGREES"))
    var bearing: Double?

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

extension PositionOptions {
    /// The request that the options make.
    ///
    /// - Throws: `.usage` if more than one option says where the image lies.
    func request() throws -> PositionRequest {
        let sources = try sources()
        guard sources.count <= 1 else {
            let names = sources.compactMap(\.optionName).joined(separator: " and ")
            throw Failure(
                .usage, "\(names) both say where the image lies", remedy: "leave one of them out")
        }
        try checkAnchor()
        return PositionRequest(
            sources.first ?? .files, crs: crs, transform: transform, orient: orient ?? .auto)
    }

    /// The names of the options that were given.
    var given: [String] {
        [
            bounds.map { _ in "--bounds" }, corners.map { _ in "--corners" },
            gcp.isEmpty ? nil : "--gcp", gcps.map { _ in "--gcps" },
            transform.map { _ in "--transform" }, anchor.map { _ in "--anchor" },
            scale.map { _ in "--scale" }, bearing.map { _ in "--bearing" },
            worldFile.map { _ in "--world-file" }, kml.map { _ in "--kml" }, crs.map { _ in "--crs" },
            orient.map { _ in "--orient" },
        ].compactMap(\.self)
    }

    private func sources() throws -> [PositionRequest.Source] {
        let fromOptions: [PositionRequest.Source?] = [
            bounds.map { .bounds($0) }, corners, gcp.isEmpty ? nil : .controlPoints(gcp),
            gcps.map { .pointsFile($0) }, try anchorSource(), worldFile.map { .worldFile($0) },
            kml.map { .kml($0) },
        ]
        return fromOptions.compactMap(\.self)
    }

    private func anchorSource() throws -> PositionRequest.Source? {
        guard let anchor else { return nil }
        guard let scale else {
            throw Failure(
                .usage, "--anchor needs the plan's scale",
                remedy: "add --scale METRES_PER_PIXEL: 0.02 if a pixel is 2 cm on the ground")
        }
        return .anchor(
            pixel: anchor.pixel, lonLat: anchor.lonLat, metresPerPixel: scale, bearing: bearing ?? 0)
    }

    /// Checks that scale and bearing come with an anchor.
    private func checkAnchor() throws {
        if anchor != nil { return }
        let stray = scale != nil ? "--scale" : bearing != nil ? "--bearing" : nil
        guard let stray else { return }
        throw Failure(
            .usage, "\(stray) has no meaning without --anchor",
            remedy: "add --anchor COL,ROW,LON,LAT, a point of the image and its place, or leave "
                + "\(stray) out")
    }
}

extension PositionRequest.Orientation: ExpressibleByArgument {}
extension TransformModel: ExpressibleByArgument {}
