import Platform
import Tiling

/// The size of a pixel at one place of an image.
struct PixelCell {
    /// The root of its area in Mercator metres.
    let mercatorSize: Double
    /// The root of its area on the ground, in metres.
    let groundSize: Double

    /// Makes a cell from its area in square Mercator metres and its latitude in degrees.
    init(mercatorArea: Double, latitude: Double) {
        mercatorSize = mercatorArea.squareRoot()
        groundSize = mercatorSize * PixelCell.groundScale(latitude: latitude)
    }

    /// Metres on the ellipsoid of WGS 84 per Mercator metre, as the mean of both axes.
    ///
    /// Along a parallel it is `N cos(latitude) / R`, along a meridian `M cos(latitude) / R`, with
    /// the radii of curvature in the prime vertical and in the meridian.
    private static func groundScale(latitude: Double) -> Double {
        let flattening = 1 / 298.257_223_563
        let squaredEccentricity = flattening * (2 - flattening)
        let phi = latitude * .pi / 180
        let w = 1 - squaredEccentricity * sin(phi) * sin(phi)
        // N / R = 1 / sqrt(w) and M / R = (1 - e^2) / sqrt(w)^3, so sqrt(N M) / R:
        return (1 - squaredEccentricity).squareRoot() / w * cos(phi)
    }
}

extension ExactMapping {
    /// A pixel in the image's middle; if that lies beyond the world's square, at the centre of
    /// the outline.
    func cell(width: Int, height: Int, outline: [Point]) throws -> PixelCell {
        var centre = middle
        if abs(mercator(ofImage: centre).y) > WebMercator.halfWorld,
            let box = BoundingBox(around: outline)
        {
            var points = [box.center]
            imagePoints(ofMercator: &points)
            centre = points[0]
        }
        let step = max(1, Double(min(width, height)) / 256)
        var area = abs(mercatorArea(at: centre, step: step))
        // A few pixels of the Earth, or of its limb, lie around the middle.
        if leavesEarth, !area.isFinite { area = abs(mercatorArea(at: centre, step: step / 16)) }
        guard area > 0, area.isFinite else { throw ExactMapping.flattened }
        return PixelCell(
            mercatorArea: area, latitude: WebMercator.latitude(metres: mercator(ofImage: centre).y))
    }

    /// The signed area of a pixel in square Mercator metres: the Jacobian by central differences,
    /// a few pixels wide so that rounding does not count.
    func mercatorArea(at pixel: Point, step: Double) -> Double {
        var points = [
            pixel - Point(x: step, y: 0), pixel + Point(x: step, y: 0),
            pixel - Point(x: 0, y: step), pixel + Point(x: 0, y: step),
        ]
        mercatorPoints(ofImage: &points)
        return way(from: points[0], to: points[1]).cross(way(from: points[2], to: points[3]))
            / (4 * step * step)
    }
}
