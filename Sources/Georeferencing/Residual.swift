package import Tiling

/// How far a fit misses one of its control points.
package struct Residual: Hashable, Sendable {
    /// The control point.
    package let point: ControlPoint
    /// On the image: from the point to where the fit sees its given place; x right, y down.
    package let pixelOffset: Point
    /// On the ground, in metres: from the given place to where the fit puts the point; x east,
    /// y north.
    package let groundOffset: Point
    /// How far, in metres, the fit of all other points misses this one; nil where they do not fix
    /// one.
    package let leaveOneOutMetres: Double?

    /// The miss in pixels; infinite where the place has no image.
    package var pixels: Double { pixelOffset.isFinite ? pixelOffset.length : .infinity }

    /// The miss on the ground in metres.
    package var metres: Double { groundOffset.length }
}
