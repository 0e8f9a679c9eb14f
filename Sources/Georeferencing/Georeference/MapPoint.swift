package import Tiling

/// A point of an image and its coordinates in a CRS that is told elsewhere.
package struct MapPoint: Hashable, Sendable {
    /// The point on the image, in pixels from its top-left corner.
    package var pixel: Point
    /// Its coordinates: easting and northing, or longitude and latitude.
    package var map: Point
    /// How messages call it.
    package var name: String

    /// Makes a point.
    package init(pixel: Point, map: Point, name: String) {
        self.pixel = pixel
        self.map = map
        self.name = name
    }
}
