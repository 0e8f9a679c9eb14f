import Georeferencing
import Platform
import Tiling

/// The pixel in the middle of what counts of an image, as it lies on the ground.
struct GroundPixel {
    /// Its sides in metres of Web Mercator, to the right and down as it is seen.
    private let (right, down): (Point, Point)
    /// Metres on the ground to one of Web Mercator, which stretches all directions alike: the cosine of the
    /// latitude.
    private let scale: Double

    /// Measures the pixel.
    init(_ placement: Placement) {
        let (middle, stored) = (placement.mapping.middle, placement.view.storedFromView)
        let halves = [
            (-stored.a, -stored.d), (stored.a, stored.d), (-stored.b, -stored.e), (stored.b, stored.e),
        ]
        var points = halves.map { Point(x: middle.x + $0.0 / 2, y: middle.y + $0.1 / 2) }
        placement.mapping.mercatorPoints(ofImage: &points)
        (right, down) = (Self.way(from: points[0], to: points[1]), Self.way(from: points[2], to: points[3]))
        scale = placement.mapping.groundCellSize / placement.mapping.mercatorCellSize
    }

    /// Its width in metres.
    var width: Double { right.length * scale }

    /// Its height in metres.
    var height: Double { down.length * scale }

    /// Its width as a multiple of its height.
    var ratio: Double { width / height }

    /// The angle at which its sides meet, in degrees: 90 for a rectangle.
    var angle: Double {
        let cosine = (right.x * down.x + right.y * down.y) / (right.length * down.length)
        return acos(min(1, max(-1, cosine))) * 180 / .pi
    }

    /// Its width as a multiple of its height in degrees, if the image lies north up; else nil.
    var ratioInDegrees: Double? {
        // A degree of latitude is longer in Web Mercator by the inverse of the cosine.
        let sides = [right, down].map { Point(x: $0.x, y: $0.y * scale) }
        let isUpright = abs(sides[0].y) < 0.02 * abs(sides[0].x) && abs(sides[1].x) < 0.02 * abs(sides[1].y)
        return isUpright ? sides[0].length / sides[1].length : nil
    }

    private static func way(from start: Point, to end: Point) -> Point {
        Point(x: end.x - start.x, y: end.y - start.y)
    }
}

extension Point {
    fileprivate var length: Double { (x * x + y * y).squareRoot() }
}
