import ArgumentParser
import CommandSupport
import Platform
import TilewrightKit
import Tiling

/// The camera of a view, its limits and the view's size.
struct CameraOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The place in the middle of the view. (default: the middle of the tiles)",
            valueName: "LON,LAT"),
        transform: { try Point(parsingPlace: $0) })
    var target: Point?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The zoom, also a fraction: the world is 256 x 2^Z points wide. "
                + "(default: the largest that shows all tiles with --padding around them)",
            valueName: "Z"))
    var zoom: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The direction of the view's upper edge, clockwise from north. (default: 0)",
            valueName: "DEGREES"))
    var bearing: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The viewing angle from straight down: at most 30 up to zoom 10, and 65 from 16 on. (default: 0)",
            valueName: "DEGREES"))
    var tilt: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show these bounds, in degrees, at the largest zoom that does, from straight above with north "
                + "up; if W > E they cross the antimeridian.",
            valueName: "W,S,E,N"),
        transform: { try BoundingBox(parsing: $0) })
    var fit: BoundingBox?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Points that stay free around the bounds that are shown: one number, or top, right, bottom, "
                + "left. (default: 64)",
            valueName: "P|T,R,B,L"),
        transform: { try ViewInsets(parsing: $0) })
    var padding: ViewInsets?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A change of the camera; repeat it, they follow in order: zoomIn, zoomOut, zoomTo:Z, zoomBy:D, "
                + "zoomBy:D@X,Y (keeps the place at a point of the view), target:LON,LAT, target:LON,LAT,Z, "
                + "scrollBy:X,Y (right and down), fit:W,S,E,N[,PADDING].",
            valueName: "UPDATE"),
        transform: { try CameraUpdate(parsing: $0) })
    var update: [CameraUpdate] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Keep the target within these bounds, in degrees; if W > E they cross the antimeridian.",
            valueName: "W,S,E,N"),
        transform: { try BoundingBox(parsing: $0) })
    var targetBounds: BoundingBox?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Keep the zoom from going lower. (default: 0)", valueName: "Z"))
    var minZoom: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Keep the zoom from going higher. (default: 30)", valueName: "Z"))
    var maxZoom: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The view in points, and the pixels of a point, 1 to 4. (default: 390x844@2; SCALE: 1)",
            valueName: "WxH[@SCALE]"),
        transform: { try ViewSize(parsing: $0) })
    var size: ViewSize?

    func validate() throws { try request.check() }

    /// The request that the options make.
    var request: CameraRequest {
        var request = CameraRequest()
        request.target = target
        request.zoom = zoom
        request.bearing = bearing
        request.tilt = tilt
        request.fit = fit
        request.padding = padding ?? .standard
        request.updates = update
        request.targetBounds = targetBounds
        request.minimumZoom = minZoom
        request.maximumZoom = maxZoom
        request.size = size ?? .standard
        return request
    }
}

/// The pixels and the position of an image in a view, and the tiles that would be built of it. `--zoom` and
/// `--bearing` are the camera's.
struct ViewedImageOptions: ParsableArguments {
    @OptionGroup(title: "Image") var image: ImageOptions
    @OptionGroup(title: "Position") var position: ViewedPositionOptions
    @OptionGroup(title: "Tiles of an image") var tiles: TileFormOptions

    /// What would be built; the zooms are those from the overview to the native one.
    var pyramid: PyramidRequest { tiles.request }

    /// The requests for images.
    ///
    /// - Throws: `.usage` if more than one option says where they lie, or if there are several and an option
    ///   is meant for one.
    func requests(_ paths: [String]) throws -> [ImageRequest] {
        try image.requests(paths, at: position.request())
    }

    /// The names of the options that were given.
    var given: [String] { image.given + position.given + tiles.given }

    /// Refuses options that mean nothing, since there is no image.
    ///
    /// - Parameters:
    ///   - thing: what there is in its place, as the error names it.
    ///   - others: options that mean something in any case.
    /// - Throws: `.usage`.
    func checkAbsent(for thing: String, but others: [String] = []) throws(Failure) {
        guard let option = given.first(where: { !others.contains($0) }) else { return }
        throw Failure(
            .usage, "\(option) has no meaning for \(thing)",
            remedy: "leave it out, or name an image")
    }
}

/// The position of an image in a view. `--bearing` is the camera's there.
struct ViewedPositionOptions: ParsableArguments {
    @OptionGroup var place: PlaceOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The compass bearing of the image's up direction, clockwise from north; with --anchor. "
                + "(default: 0)",
            valueName: "DEGREES"))
    var anchorBearing: Double?

    /// The request that the options make; see `PlaceOptions.request`.
    func request() throws -> PositionRequest {
        try place.request(bearing: anchorBearing, option: "--anchor-bearing")
    }

    /// The names of the options that were given.
    var given: [String] { place.given + (anchorBearing == nil ? [] : ["--anchor-bearing"]) }
}
