import Tiling

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A pin-hole camera in space, built from vectors, and spherical Mercator by its textbook formulas: what the
/// camera's own arithmetic is compared with.
struct PinHole {
    typealias Vector = SIMD3<Double>

    var position: CameraPosition
    var size: ViewSize

    /// The width of the world in points.
    var world: Double { 256 * pow(2, position.zoom) }

    /// Longitude and latitude in degrees of what is seen at a point of the view, from its top-left corner; nil
    /// above the horizon.
    func place(at point: Point) -> Point? {
        let (tilt, bearing) = (radians(position.tilt), radians(position.bearing))
        let forward = Vector(sin(bearing) * sin(tilt), cos(bearing) * sin(tilt), -cos(tilt))
        let right = Vector(cos(bearing), -sin(bearing), 0)
        let up = Self.cross(right, forward)
        let distance = 1.5 * Double(size.height)
        let eye = -distance * forward
        let ray =
            distance * forward + (point.x - Double(size.width) / 2) * right
            + (Double(size.height) / 2 - point.y) * up
        guard ray.z < 0 else { return nil }
        let ground = eye - (eye.z / ray.z) * ray
        return lonLat(east: ground.x, north: ground.y)
    }

    /// The place that lies points of the ground away from the target.
    private func lonLat(east: Double, north: Double) -> Point {
        let target = log(tan(.pi / 4 + radians(position.target.y) / 2))
        let y = target + north / world * 2 * .pi
        let latitude = (2 * atan(exp(y)) - .pi / 2) * 180 / .pi
        return Point(x: position.target.x + east / world * 360, y: latitude)
    }

    private func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

    private static func cross(_ a: Vector, _ b: Vector) -> Vector {
        Vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }
}

/// The distance of two places in degrees, the short way around the world.
func degrees(_ one: Point?, _ other: Point?) -> Double {
    guard let one, let other else { return .infinity }
    return max(abs((one.x - other.x).remainder(dividingBy: 360)), abs(one.y - other.y))
}
