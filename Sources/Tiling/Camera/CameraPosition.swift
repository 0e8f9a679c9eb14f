/// Where a map's camera stands and how it looks: the place in the middle of the view, how near, which way
/// round and how steeply.
///
/// A value out of range is taken for the nearest valid one, as the Maps SDKs of Google do; a value that is
/// not a number counts as 0. The zoom is settled first, then the tilt by the zoom's limit.
public struct CameraPosition: Hashable, Sendable {
    /// The place in the middle of the view, in degrees: a longitude in -180..<180, and a latitude in
    /// -85...85.
    public let target: Point

    /// How near the view is, 0 to 30: the world is `256 * 2^zoom` points wide.
    public let zoom: Double

    /// The direction of the view's upper edge, in degrees clockwise from north, in 0..<360.
    public let bearing: Double

    /// The viewing angle in degrees: 0 looks straight down, and 65 far ahead.
    public let tilt: Double

    /// Makes a camera; values out of range become the nearest valid ones, and angles are wrapped.
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
    /// The zooms that a camera can have. At 30 a tile is 4 cm wide, and there are no tiles beyond.
    public static let zooms: ClosedRange<Double> = 0...30

    /// The latitude in degrees, north or south, that a target does not go beyond, as Google's SDKs have it.
    public static let maximumLatitude = 85.0

    /// The greatest tilt in degrees at a zoom: 30 up to zoom 10, 45 at 14, 65 from 16 on, and straight lines
    /// between them.
    ///
    /// Both ends are those of `GMSCameraPosition`, which says only that the limit changes between them. The
    /// knees are those of `CameraPosition.Builder` on Android (30 at 10, 45 at 14), with the last line drawn on
    /// to the 65 degrees of iOS at zoom 16.
    public static func maximumTilt(atZoom zoom: Double) -> Double {
        switch zoom {
        case ..<10: 30
        case ..<14: 30 + (zoom - 10) * (45 - 30) / (14 - 10)
        case ..<16: 45 + (zoom - 14) * (65 - 45) / (16 - 14)
        default: 65
        }
    }

    /// The same camera with some of its values changed; the others stay.
    ///
    /// - Parameters:
    ///   - target: longitude and latitude in degrees; nil to keep the place.
    ///   - zoom: nil to keep the zoom.
    public func with(target: Point? = nil, zoom: Double? = nil) -> CameraPosition {
        CameraPosition(
            target: target ?? self.target, zoom: zoom ?? self.zoom, bearing: bearing, tilt: tilt)
    }
}
