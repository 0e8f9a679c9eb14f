import Diagnostics
import Files
import Georeferencing
import Publishing
import Raster
import Tiling

/// A page in which an image is laid on the map by hand: roughly first, then by points.
///
/// It holds a reduced picture of the image and of what is to be aligned with, and works from the disk. Memory:
/// some ten bytes for each pixel of a picture.
public struct PlacingPageFile: Sendable {
    /// Where the page goes.
    public let path: String
    /// What is not an error, and what the user should know: a line each.
    public let warnings: [String]

    private let page: PlacingPage

    /// Reads the image and draws what lies under it.
    ///
    /// - Throws: a `Failure` if something cannot be read, or the page is asked for under a name that is none.
    public init(_ request: PlacingRequest) async throws {
        path = try Self.path(request)
        try Self.check(request)
        let library = try request.assets.map(MapLibrary.init(directory:)) ?? .hosted
        let image = ImageRequest(request.image)
        let picture = try PlanPicture(of: image, longestEdge: request.longestEdge)
        var underlying: [UnderlyingLayer] = []
        for thing in request.layers {
            underlying.append(try await UnderlyingLayer(thing, longestEdge: request.longestEdge))
        }
        let known = KnownPosition(of: image, info: picture.info)
        warnings = picture.info.warnings + known.warnings + underlying.flatMap(\.warnings)
        page = PlacingPage(
            Self.plan(request.image, picture, known),
            near: request.near ?? known.near ?? picture.info.photoPlace
                ?? underlying.compactMap(\.middle).last,
            layers: underlying.map(\.layer), background: Self.background(request.background), library: library
        )
    }

    /// Writes the page, whole or not at all.
    ///
    /// - Parameter force: write over a page of another kind, and one that this program did not make.
    /// - Throws: a `Failure`: `outputRefused` if there is such a page, or none can be made; `inputOutput` if
    ///   writing fails.
    public func write(force: Bool = false) throws {
        try PageFile.write(page.html, as: .placing, to: path, force: force)
    }

    private static func path(_ request: PlacingRequest) throws -> String {
        let image = request.image
        let path = try PageFile.checked(request.page ?? image.splitExtension.stem + ".html")
        guard !OutputFile.areSame(path, image) else {
            throw Failure(.usage, cannot: "write '\(path)'", "that is the image itself")
        }
        return path
    }

    /// Smaller pictures would show nothing, larger ones are beyond what browsers draw.
    private static let edges = 64...8192

    private static func check(_ request: PlacingRequest) throws {
        if let near = request.near { try Georeference.checkPlace(near, of: "--near") }
        guard edges.contains(request.longestEdge) else {
            throw Failure(
                .usage,
                "--preview \(request.longestEdge) is not between \(edges.lowerBound) and \(edges.upperBound)")
        }
        if case .tiles(let address) = request.background, !PlacingPage.isAddress(address) {
            throw Failure(
                .usage, "--basemap '\(address)' is not the address of a map's tiles",
                remedy: "write it with {z}, {x} and {y}, as https://tile.openstreetmap.org/{z}/{x}/{y}.png, "
                    + "or 'none'")
        }
    }

    private static func plan(
        _ path: String, _ picture: PlanPicture, _ known: KnownPosition
    ) -> PlacingPage.Plan {
        PlacingPage.Plan(
            path: path, name: path.fileName, width: picture.info.width, height: picture.info.height,
            turn: picture.info.orientation.turn, isTagged: picture.info.orientation != .upright,
            picture: picture.picture, scale: picture.scale,
            corners: known.corners, points: known.points, pointsSize: known.pointsSize)
    }

    private static func background(_ background: PlacingRequest.Background) -> PlacingPage.Background {
        switch background {
        case .openStreetMap: .openStreetMap
        case .tiles(let address): .tiles(address)
        case .none: .none
        }
    }
}

/// What the image's file and those beside it say already of where it lies.
private struct KnownPosition {
    /// From the top left of the stored image on, clockwise, in degrees.
    private(set) var corners: [Point]?
    private(set) var points: [PlacingPage.PlannedPoint] = []
    /// The size of the image that the points were set on, if their file says it.
    private(set) var pointsSize: String?
    private(set) var warnings: [String] = []

    /// Looks for a position. One that is not whole, such as a single point, is what the page is for.
    init(of image: ImageRequest, info: RasterInfo) {
        do {
            let beside = try PointsBeside(image.path, info: info)
            (points, pointsSize) = (beside.points, beside.imageSize)
        } catch {
            warnings.append("\(error); the page begins without them")
        }
        guard let placed = try? PlacedImage(image) else { return }
        corners = placed.mapping.lonLatCorners()
    }

    /// A place of the image, if there is one.
    var near: Point? { corners?.first ?? points.first?.lonLat }
}

extension Orientation {
    /// By how many degrees clockwise the stored image is turned to be seen upright, mirrored or not.
    fileprivate var turn: Int {
        switch self {
        case .upright, .mirrored, .flipped: 0
        case .halfTurn: 180
        case .transposed, .quarterTurn: 90
        case .transversed, .threeQuarterTurn: 270
        }
    }
}
