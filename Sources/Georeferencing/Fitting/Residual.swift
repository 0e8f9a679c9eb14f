public import Tiling

/// How far a fit misses one of its control points.
public struct Residual: Hashable, Sendable {
    /// The control point.
    public let point: ControlPoint
    /// The miss of the fit of all points.
    public let miss: Miss
    /// The miss of the fit of all other points; nil if they do not fix one.
    public let leftOut: Miss?

    /// The distance between a point and its place.
    public struct Miss: Hashable, Sendable {
        /// On the image: from the point to where the fit sees its given place; x right, y down.
        public let pixelOffset: Point
        /// On the ground, in metres: from the given place to where the fit puts the point; x east,
        /// y north.
        public let groundOffset: Point

        /// A miss that is known.
        init(pixelOffset: Point, groundOffset: Point) {
            (self.pixelOffset, self.groundOffset) = (pixelOffset, groundOffset)
        }

        /// Measures by a transform from pixels to a plane, and by its inverse.
        init(
            _ pixel: Point, _ place: Point, by transform: PixelTransform, _ inverse: PixelTransform
        ) {
            pixelOffset = inverse(place) - pixel
            groundOffset = transform(pixel) - place
        }

        /// The miss in pixels; infinite if the place has no image.
        public var pixels: Double { pixelOffset.isFinite ? pixelOffset.length : .infinity }

        /// The miss on the ground in metres; infinite if the pixel has no place.
        public var metres: Double { groundOffset.isFinite ? groundOffset.length : .infinity }
    }
}
