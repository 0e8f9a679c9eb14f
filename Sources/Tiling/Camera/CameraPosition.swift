import Platform

/// The camera of a map: the place in the middle of the view, the zoom, the bearing and the tilt.
///
/// A value out of range becomes the nearest valid value, as in Google's Maps SDKs; NaN counts as 0. The zoom
/// is limited first, then the tilt, whose limit depends on the zoom.
public struct CameraPosition: Hashable, Sendable {
    /// The place in the middle of the view, in degrees: a longitude in -180..<180, and a latitude in
    /// -85...85.
    public let target: Point

    /// The zoom, 0 to 30: the world is `256 * 2^zoom` points wide.
    public let zoom: Double

    /// The direction of the view's upper edge, in degrees clockwise from north, in 0..<360.
    public let bearing: Double

    /// The viewing angle in degrees: 0 is straight down, and 65 far ahead.
    public let tilt: Double

    /// Makes a camera; values out of range become the nearest valid values, and angles are wrapped.
    ///
    /// - Parameters:
    ///   - target: longitude and latitude in degrees.
    ///   - zoom: the world is `256 * 2^zoom` points wide.
    ///   - bearing: degrees clockwise from north.
    ///   - tilt: degrees from straight down.
    public init(target: Point, zoom: Double, bearing: Double = 0, tilt: Double = 0) {
        self.target = Point(
            x: target.x.wrapped(from: -180),
            y: target.y.clamped(to: -Self.maximumLatitude...Self.maximumLatitude))
        self.zoom = zoom.clamped(to: Self.zooms)
        self.bearing = bearing.wrapped(from: 0)
        self.tilt = tilt.clamped(to: 0...Self.maximumTilt(atZoom: self.zoom))
    }
}

extension CameraPosition {
    /// The zooms that a camera can have. At 30, the highest zoom of tiles, a tile is 4 cm wide.
    public static let zooms: ClosedRange<Double> = 0...30

    /// The highest latitude of a target in degrees, north or south, as in Google's SDKs.
    public static let maximumLatitude = 85.0

    /// The greatest tilt in degrees at a zoom: 30 up to zoom 10, 45 at 14, 65 from 16 on, and linear in
    /// between.
    ///
    /// The lowest and the highest limit are those of `GMSCameraPosition`, whose documentation says only that
    /// the limit changes in between. The limits at 10 and 14 are those of `CameraPosition.Builder` on
    /// Android; from 14, its line is extended to the 65 degrees of iOS at zoom 16.
    public static func maximumTilt(atZoom zoom: Double) -> Double {
        switch zoom {
        case ..<10: 30
        case ..<14: 30 + (zoom - 10) * (45 - 30) / (14 - 10)
        case ..<16: 45 + (zoom - 14) * (65 - 45) / (16 - 14)
        default: 65
        }
    }

    /// The same camera with some values changed.
    ///
    /// - Parameters:
    ///   - target: longitude and latitude in degrees; nil to keep the place.
    ///   - zoom: nil to keep the zoom.
    public func with(target: Point? = nil, zoom: Double? = nil) -> CameraPosition {
        CameraPosition(
            target: target ?? self.target, zoom: zoom ?? self.zoom, bearing: bearing, tilt: tilt)
    }
}

/// The limits of a map view's camera: bounds for the target, and a range of zooms. The view may show places
/// outside the bounds.
public struct CameraLimits: Hashable, Sendable {
    /// The bounds of the target, in degrees; nil for the whole world. If west is greater than east, they
    /// cross the antimeridian.
    public var targetBounds: BoundingBox?

    /// The zooms that the camera may have.
    public var zooms: ClosedRange<Double>

    /// Makes limits; by default, those of every camera.
    public init(
        targetBounds: BoundingBox? = nil, zooms: ClosedRange<Double> = CameraPosition.zooms
    ) {
        self.targetBounds = targetBounds
        self.zooms = zooms
    }

    /// The nearest camera within the limits. The tilt follows the limit of its zoom.
    public func clamping(_ camera: CameraPosition) -> CameraPosition {
        camera.with(
            target: targetBounds.map { Self.nearest(to: camera.target, in: $0) },
            zoom: clamping(zoom: camera.zoom))
    }

    /// The nearest zoom within the limits.
    func clamping(zoom: Double) -> Double {
        zoom.clamped(to: zooms).clamped(to: CameraPosition.zooms)
    }

    /// The nearest place in a box, in each axis. A longitude outside becomes the edge that is nearer around
    /// the world.
    private static func nearest(to place: Point, in box: BoundingBox) -> Point {
        let latitude = min(max(place.y, box.minY), box.maxY)
        let eastOfWest = (place.x - box.minX).wrapped(from: 0)
        let width = box.longitudeSpan
        if eastOfWest <= width { return Point(x: place.x, y: latitude) }
        let isNearerEast = eastOfWest - width < 360 - eastOfWest
        return Point(x: isNearerEast ? box.maxX : box.minX, y: latitude)
    }
}

/// A change of the camera, like `GMSCameraUpdate` in Google's Maps SDKs. Values that a case does not mention
/// stay.
public enum CameraUpdate: Hashable, Sendable {
    /// Increases the zoom by 1.
    case zoomIn
    /// Decreases the zoom by 1.
    case zoomOut
    /// Sets the zoom.
    case zoomTo(Double)
    /// Changes the zoom by a number. The place at a point of the view, counted right and down from its
    /// top-left corner, stays there; by default, the place in the middle.
    case zoomBy(Double, at: Point? = nil)
    /// Moves the target to a longitude and latitude in degrees, and sets the zoom, if given.
    case target(Point, zoom: Double? = nil)
    /// Sets another camera.
    case setCamera(CameraPosition)
    /// Moves to the right by `x` and down by `y`, relative to the view, in points of the ground at tilt 0.
    case scrollBy(x: Double, y: Double)
    /// Sets the largest zoom that shows bounds in degrees inside a padding, by default the view's own;
    /// bearing and tilt become 0. If west is greater than east, the bounds cross the antimeridian.
    case fit(BoundingBox, padding: ViewInsets? = nil)
}

/// The size of a map view in points, and its pixels per point.
public struct ViewSize: Hashable, Sendable {
    /// Points from the left to the right edge.
    public let width: Int
    /// Points from the upper to the lower edge.
    public let height: Int
    /// Pixels per point, 1 to 4: 2 or 3 on most phones, fractions such as 2.625 on some.
    public let scale: Double

    /// The densities of screens, in pixels per point.
    public static let scales: ClosedRange<Double> = 1...4

    /// The longest edge in points: larger than any screen, and small enough for the arithmetic.
    public static let longestEdge = 100_000

    /// The view of a phone: 390 by 844 points, with two pixels per point.
    public static let standard = ViewSize(width: 390, height: 844, scale: 2).unwrapped("it is in range")

    /// Makes a size.
    ///
    /// - Parameters:
    ///   - width: points, 1 to `longestEdge`.
    ///   - height: points, 1 to `longestEdge`.
    ///   - scale: pixels per point, 1 to 4.
    /// - Returns: nil if a number is out of its range.
    public init?(width: Int, height: Int, scale: Double = 1) {
        let edges = 1...Self.longestEdge
        guard edges.contains(width), edges.contains(height), Self.scales.contains(scale) else {
            return nil
        }
        (self.width, self.height, self.scale) = (width, height, scale)
    }

    /// Pixels from the left to the right edge, rounded.
    public var pixelWidth: Int { Int((Double(width) * scale).rounded()) }

    /// Pixels from the upper to the lower edge, rounded.
    public var pixelHeight: Int { Int((Double(height) * scale).rounded()) }
}

/// The free space along the edges of a view, in points.
public struct ViewInsets: Hashable, Sendable {
    /// Below the upper edge.
    public var top: Double
    /// Left of the right edge.
    public var right: Double
    /// Above the lower edge.
    public var bottom: Double
    /// Right of the left edge.
    public var left: Double

    /// Makes insets, clockwise from the upper edge.
    public init(top: Double, right: Double, bottom: Double, left: Double) {
        (self.top, self.right, self.bottom, self.left) = (top, right, bottom, left)
    }

    /// Makes the same inset along all edges.
    public init(all points: Double) {
        self.init(top: points, right: points, bottom: points, left: points)
    }

    /// The default padding of Google's SDKs: 64 points.
    public static let standard = ViewInsets(all: 64)

    /// Whether no inset is negative, infinite or not a number.
    public var isValid: Bool {
        [top, right, bottom, left].allSatisfy { $0 >= 0 && $0.isFinite }
    }
}
