/// What confines a camera, as a map view does: it holds the target within bounds, and the zoom within a
/// range. What is seen may lie beyond the bounds.
public struct CameraLimits: Hashable, Sendable {
    /// Where the target may be: longitudes and latitudes in degrees; nil for anywhere. A western edge that is
    /// greater than the eastern one is a box across the antimeridian.
    public var targetBounds: BoundingBox?

    /// The zooms that the camera may have.
    public var zooms: ClosedRange<Double>

    /// Makes limits; without arguments they are those of every camera.
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

    /// The place of a box that is nearest in each axis. Of a longitude outside, it is the edge that the
    /// shorter way around the world leads to.
    private static func nearest(to place: Point, in box: BoundingBox) -> Point {
        let latitude = min(max(place.y, box.minY), box.maxY)
        let eastOfWest = (place.x - box.minX).wrapped(from: 0)
        let width = box.longitudeSpan
        if eastOfWest <= width { return Point(x: place.x, y: latitude) }
        let isNearerEast = eastOfWest - width < 360 - eastOfWest
        return Point(x: isNearerEast ? box.maxX : box.minX, y: latitude)
    }
}
