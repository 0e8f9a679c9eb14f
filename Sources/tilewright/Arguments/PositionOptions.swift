public import ArgumentParser
import Georeferencing
import Tiling

/// Where the image lies: the options of the contract's first table.
struct PositionOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The image's outer edges, in degrees or in the units of --crs; W > E crosses the antimeridian.",
            valueName: "W,S,E,N"),
        transform: { try BoundingBox(parsing: $0) })
    var bounds: BoundingBox?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Where the image's corners lie: top left, top right, bottom right, bottom left as drawn. The last may be left out.",
            valueName: "LON,LAT ..."),
        transform: { try CornerList(parsing: $0) })
    var corners: CornerList?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A control point; repeat it. Pixels count from the top-left corner: 0.5,0.5 is the first pixel's centre.",
            valueName: "COL,ROW,LON,LAT"),
        transform: { try ControlPoint(parsing: $0) })
    var gcp: [ControlPoint] = []

    @Option(
        help: ArgumentHelp("Control points that QGIS has saved.", valueName: "FILE.points"),
        completion: .file(extensions: ["points"]))
    var gcps: String?

    @Option(
        help: ArgumentHelp(
            "What is fitted to control points: similarity (from 2 points), affine (3), projective (4), or what bends lines, polynomial2 (6) and tps, a thin plate spline (3). (default: similarity for two points, affine for more)",
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
            "EPSG:n, WKT or a PROJ string: the CRS of --bounds, or of what a file says, in place of its own.",
            valueName: "CRS"))
    var crs: String?

    @Option(
        help: ArgumentHelp(
            "Whether to turn the image upright as its orientation tag says.",
            valueName: "auto|yes|no"))
    var orient: OrientationChoice = .auto
}

extension PositionOptions {
    /// The options that were given to say where one image lies.
    var explicitNames: [String] {
        [
            (bounds != nil, "--bounds"), (corners != nil, "--corners"), (!gcp.isEmpty, "--gcp"),
            (gcps != nil, "--gcps"), (anchor != nil, "--anchor"),
            (worldFile != nil, "--world-file"), (kml != nil, "--kml"),
        ].filter(\.0).map(\.1)
    }
}

/// Whether the orientation tag of an image counts.
enum OrientationChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// For positions that people read off a viewer, not for those of files.
    case auto
    /// Always.
    case yes
    /// Never.
    case no
}

extension TransformModel: ExpressibleByArgument {}

/// Three or four corners in degrees on WGS 84.
struct CornerList: Hashable, Sendable {
    /// Top left, top right, bottom right and perhaps bottom left.
    var lonLat: [Point]

    init(parsing text: String) throws {
        lonLat = try text.split(whereSeparator: \.isWhitespace).map {
            let numbers = try NumberList.parse(String($0), names: ["LON", "LAT"])
            return Point(x: numbers[0], y: numbers[1])
        }
    }
}

extension BoundingBox {
    /// Reads `W,S,E,N`.
    init(parsing text: String) throws {
        let numbers = try NumberList.parse(text, names: ["W", "S", "E", "N"])
        self.init(minX: numbers[0], minY: numbers[1], maxX: numbers[2], maxY: numbers[3])
    }
}
