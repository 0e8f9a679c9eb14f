/// A change of the camera, as the updates of Google's Maps SDKs (`GMSCameraUpdate`). What a case does not
/// name stays as it is.
public enum CameraUpdate: Hashable, Sendable {
    /// One zoom nearer.
    case zoomIn
    /// One zoom farther.
    case zoomOut
    /// To a zoom.
    case zoomTo(Double)
    /// By some zooms. The place at a point of the view, counted right and down from its top-left corner,
    /// stays there; without one, it is the middle.
    case zoomBy(Double, at: Point? = nil)
    /// To a place, longitude and latitude in degrees, and to a zoom, if one is given.
    case target(Point, zoom: Double? = nil)
    /// To another camera.
    case setCamera(CameraPosition)
    /// To the right by `x` and down by `y`, relative to the view: points of the ground, as they are at
    /// tilt 0.
    case scrollBy(x: Double, y: Double)
    /// To the largest zoom that shows bounds in degrees within a padding, the view's own if none is given;
    /// bearing and tilt become 0. Bounds whose west is greater than their east cross the antimeridian.
    case fit(BoundingBox, padding: ViewInsets? = nil)
}
