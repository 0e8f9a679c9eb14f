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
            "The zoom; fractions are allowed. The world is 256 x 2^Z points wide. "
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
            "The viewing angle from straight down: at most 30 up to zoom 10, rising to 65 at zoom 16. "
                + "(default: 0)",
            valueName: "DEGREES"))
    var tilt: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show these bounds, in degrees, at the largest zoom at which they fit. Bearing and tilt become "
                + "0. If W > E, the bounds cross the antimeridian.",
            valueName: "W,S,E,N"),
        transform: { try BoundingBox(parsing: $0) })
    var fit: BoundingBox?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The margin in points around the bounds that are shown: one number, or top, right, bottom, "
                + "left. (default: 64)",
            valueName: "P|T,R,B,L"),
        transform: { try ViewInsets(parsing: $0) })
    var padding: ViewInsets?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A change of the camera: zoomIn, zoomOut, zoomTo:Z, zoomBy:D, zoomBy:D@X,Y (keeps the place at "
                + "this point of the view), target:LON,LAT, target:LON,LAT,Z, scrollBy:X,Y (right and down), "
                + "fit:W,S,E,N[,PADDING]. Repeat the option for several changes, made in this order.",
            valueName: "UPDATE"),
        transform: { try CameraUpdate(parsing: $0) })
    var update: [CameraUpdate] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Bounds, in degrees, that the target cannot leave. If W > E, they cross the antimeridian.",
            valueName: "W,S,E,N"),
        transform: { try BoundingBox(parsing: $0) })
    var targetBounds: BoundingBox?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The lowest zoom of the camera. (default: 0)", valueName: "Z"))
    var minZoom: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The highest zoom of the camera. (default: 30)", valueName: "Z"))
    var maxZoom: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The view's size in points, and the pixels per point, 1 to 4. (default: 390x844@2; without "
                + "@SCALE, 1)",
            valueName: "WxH[@SCALE]"),
        transform: { try ViewSize(parsing: $0) })
    var size: ViewSize?

    func validate() throws { try request.check() }

    /// The options as a request.
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

/// The pixels, position and tiles of an image in a view. `--zoom` and `--bearing` are the camera's.
struct ViewedImageOptions: ParsableArguments {
    @OptionGroup(title: "Image") var image: ImageOptions
    @OptionGroup(title: "Position") var position: ViewedPositionOptions
    @OptionGroup(title: "Tiles of an image") var tiles: TileFormOptions

    /// The tiles that would be built, from the overview to the native zoom.
    var pyramid: PyramidRequest { tiles.request }

    /// The requests for images.
    ///
    /// - Throws: `.usage` if more than one option gives their position, or if there are several images but an
    ///   option is for a single one.
    func requests(_ paths: [String]) throws -> [ImageRequest] {
        try image.requests(paths, at: position.request())
    }

    /// The names of the options that were given.
    var given: [String] { image.given + position.given + tiles.given }

    /// Refuses options for images if there is no image.
    ///
    /// - Parameters:
    ///   - input: the input that is not an image, in the words of the error.
    ///   - others: options that are always allowed.
    /// - Throws: `.usage`.
    func checkAbsent(for input: String, but others: [String] = []) throws(Failure) {
        guard let option = given.first(where: { !others.contains($0) }) else { return }
        throw Failure(
            .usage, "\(option) does not apply to \(input)",
            remedy: "leave it out, or name an image")
    }
}

/// The position of an image in a view, where `--bearing` is the camera's.
struct ViewedPositionOptions: ParsableArguments {
    @OptionGroup var place: PlaceOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The compass bearing of the image's up direction, clockwise from north; with --anchor. "
                + "(default: 0)",
            valueName: "DEGREES"))
    var anchorBearing: Double?

    /// The options as a request; see `PlaceOptions.request`.
    func request() throws -> PositionRequest {
        try place.request(bearing: anchorBearing, option: "--anchor-bearing")
    }

    /// The names of the options that were given.
    var given: [String] { place.given + (anchorBearing == nil ? [] : ["--anchor-bearing"]) }
}
