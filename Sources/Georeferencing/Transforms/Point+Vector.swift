import Tiling

extension Point {
    /// The signed area between two ways; positive if the other lies anticlockwise, y up.
    func cross(_ other: Point) -> Double { x * other.y - y * other.x }

    /// The scalar product of two ways.
    func dot(_ other: Point) -> Double { x * other.x + y * other.y }

    /// The length of a way.
    var length: Double { (x * x + y * y).squareRoot() }
}

extension [Point] {
    /// Places in degrees with each longitude within half a turn of the first one's, so that means
    /// and differences make sense across the antimeridian.
    var unwrapped: [Point] {
        guard let first else { return [] }
        return map { Point(x: $0.x + 360 * ((first.x - $0.x) / 360).rounded(), y: $0.y) }
    }
}

extension [Point] {
    /// Replaces each point by its image.
    mutating func apply(_ transform: (Point) -> Point) {
        for index in indices { self[index] = transform(self[index]) }
    }

    /// The mean of the points; at least one.
    var centroid: Point {
        let count = Double(count)
        return Point(x: reduce(0) { $0 + $1.x } / count, y: reduce(0) { $0 + $1.y } / count)
    }
}
