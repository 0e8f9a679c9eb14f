/// A point of a plane: metres, degrees or pixels, as the holder says; x grows east or to the right.
public struct Point: Hashable, Codable, Sendable {
    /// Easting, longitude or column.
    public var x: Double
    /// Northing, latitude or row.
    public var y: Double

    /// Makes a point from its two coordinates.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The distance to another point of the same plane, in the plane's unit.
    public func distance(to other: Point) -> Double {
        let (dx, dy) = (other.x - x, other.y - y)
        return (dx * dx + dy * dy).squareRoot()
    }
}

extension Point {
    /// What stands for a place that does not exist.
    package static let nowhere = Point(x: .nan, y: .nan)

    /// Whether both coordinates are finite.
    package var isFinite: Bool { x.isFinite && y.isFinite }
}

extension Point {
    /// How far a step of length 1 leads at least, in whatever direction: the smaller singular value of the
    /// derivatives.
    ///
    /// - Parameters:
    ///   - right: where a step along the first axis leads.
    ///   - down: where a step along the second one leads.
    package static func leastStretch(right: Point, down: Point) -> Double {
        let squares = right.x * right.x + right.y * right.y + down.x * down.x + down.y * down.y
        let determinant = right.x * down.y - right.y * down.x
        let root = max(0, squares * squares - 4 * determinant * determinant).squareRoot()
        return max(0, (squares - root) / 2).squareRoot()
    }
}

extension Point {
    /// The way from one point to another.
    package static func - (end: Point, start: Point) -> Point {
        Point(x: end.x - start.x, y: end.y - start.y)
    }

    /// The sum of two ways.
    package static func + (left: Point, right: Point) -> Point {
        Point(x: left.x + right.x, y: left.y + right.y)
    }

    /// A way so many times as long.
    package static func * (way: Point, factor: Double) -> Point {
        Point(x: way.x * factor, y: way.y * factor)
    }
}
