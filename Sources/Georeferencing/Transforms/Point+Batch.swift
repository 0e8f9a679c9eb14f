import Tiling

extension Point {
    /// What stands for a place that does not exist.
    static let nowhere = Point(x: .nan, y: .nan)

    /// Whether both coordinates are finite.
    var isFinite: Bool { x.isFinite && y.isFinite }
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
