#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A map view of some size, and the camera that it looks through.
public struct CameraView: Hashable, Sendable {
    /// The size in points, and the pixels of a point.
    public let size: ViewSize
    /// What confines the camera.
    public let limits: CameraLimits
    /// The camera, within the limits.
    public private(set) var camera: CameraPosition

    /// Makes a view. The limits hold at once: a camera beyond them becomes the nearest one within.
    public init(
        _ camera: CameraPosition, size: ViewSize = .standard, limits: CameraLimits = CameraLimits()
    ) {
        self.size = size
        self.limits = limits
        self.camera = limits.clamping(camera)
    }

    /// Takes another camera, or the nearest one that the limits allow.
    mutating func move(to camera: CameraPosition) { self.camera = limits.clamping(camera) }
}

extension CameraView {
    /// Half the width and half the height in points: where the middle of the view is.
    var middle: Point { Point(x: Double(size.width) / 2, y: Double(size.height) / 2) }

    /// The distance of the eye from the target, in points: one and a half heights.
    ///
    /// Google does not say its own. MapLibre and Mapbox have this one, a field of view of
    /// `2 atan(1 / 3)`, 36.87 degrees from the upper to the lower edge.
    package var eyeDistance: Double { 1.5 * Double(size.height) }

    /// The length of a point on the ground, in Mercator metres, as it is at tilt 0.
    package var metresPerPoint: Double { WebMercator.world / (256 * exp2(camera.zoom)) }

    /// The target in Mercator metres.
    package var mercatorTarget: Point { WebMercator.metres(camera.target) }
}
