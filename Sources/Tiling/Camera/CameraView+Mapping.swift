#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

// The view as a mapping. With x and y from the middle of the view in points, y up, d the distance of the
// eye, t the tilt and b the bearing, the ground is seen through a pin hole:
//
//     u = x cos t / w,  v = y / w,  w = cos t - y sin t / d
//
// u and v are points of the ground to the right and up on a view that is not tilted. The bearing turns them:
//
//     east = u cos b + v sin b,  north = v cos b - u sin b
//
// w is 0 at the horizon, y = d cos t / sin t, and negative above it. At 65 degrees the horizon is 0.7 heights
// above the middle, beyond the upper edge: a view never shows it.

extension CameraView {
    /// Points of the view, x right and y down from its top-left corner, to Mercator metres from the target,
    /// x east and y north. The denominator is positive for all that is in front of the eye.
    package var mercatorFromPoint: ProjectiveTransform {
        let (sinTilt, cosTilt) = Self.sineAndCosine(camera.tilt)
        let (sinBearing, cosBearing) = Self.sineAndCosine(camera.bearing)
        let metres = metresPerPoint
        let fromMiddle = AffineTransform(a: 1, b: 0, c: -middle.x, d: 0, e: -1, f: middle.y)
        let ground = ProjectiveTransform(
            (metres * cosBearing * cosTilt, metres * sinBearing, 0),
            (-metres * sinBearing * cosTilt, metres * cosBearing, 0),
            (0, -sinTilt / eyeDistance, cosTilt))
        return ProjectiveTransform(fromMiddle).followed(by: ground)
    }

    /// Pixels of the view, x right and y down from its top-left corner, to Mercator metres from the target
    /// (`mercatorTarget`), x east and y north. Whole numbers are pixel edges. Relative metres keep their
    /// precision at high zooms. The denominator is positive for all that is in front of the eye.
    package var mercatorFromPixel: ProjectiveTransform {
        let points = AffineTransform(
            a: 1 / size.scale, b: 0, c: 0, d: 0, e: 1 / size.scale, f: 0)
        return ProjectiveTransform(points).followed(by: mercatorFromPoint)
    }

    /// The place that is seen at a point of the view, x right and y down from its top-left corner: longitude
    /// in -180..<180 and latitude, in degrees; nil at and above the horizon. Beyond the world's northern and
    /// southern edges the latitude goes on towards the poles.
    public func place(atPoint point: Point) -> Point? {
        let offset = mercatorFromPoint(point)
        return offset.isFinite ? place(atOffset: offset) : nil
    }

    /// The point of the view, x right and y down from its top-left corner, at which a place in degrees is
    /// seen; it may lie outside the view. Nil for a place behind the eye. The world repeats to the east and
    /// to the west; the copy that is nearest to the target counts.
    public func point(ofPlace place: Point) -> Point? {
        let metres = WebMercator.metres(place)
        let target = mercatorTarget
        let east = (metres.x - target.x).remainder(dividingBy: WebMercator.world)
        let pointFromMercator = mercatorFromPoint.inverse
        let point = pointFromMercator?(Point(x: east, y: metres.y - target.y)) ?? .nowhere
        return point.isFinite ? point : nil
    }

    /// A place in degrees, from its offset to the target in Mercator metres.
    func place(atOffset offset: Point) -> Point {
        let place = WebMercator.lonLat(mercatorTarget.moved(by: offset))
        return Point(x: place.x.wrapped(from: -180), y: place.y)
    }

    /// The sine and the cosine of an angle in degrees; those of right angles are exact.
    private static func sineAndCosine(_ degrees: Double) -> (Double, Double) {
        switch degrees {
        case 0: return (0, 1)
        case 90: return (1, 0)
        case 180: return (0, -1)
        case 270: return (-1, 0)
        default:
            let radians = degrees * .pi / 180
            return (sin(radians), cos(radians))
        }
    }
}

extension Point {
    /// The point that lies at an offset.
    func moved(by offset: Point) -> Point { Point(x: x + offset.x, y: y + offset.y) }
}
