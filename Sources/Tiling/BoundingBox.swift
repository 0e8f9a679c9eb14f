import Platform

/// A point of a plane, in metres, degrees or pixels, depending on its use; x grows east or to the right.
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
    /// A place that does not exist.
    package static let nowhere = Point(x: .nan, y: .nan)

    /// Whether both coordinates are finite.
    package var isFinite: Bool { x.isFinite && y.isFinite }

    /// The shortest image of a step of length 1 in any direction: the smaller singular value of the
    /// derivatives.
    ///
    /// - Parameters:
    ///   - right: the image of a step along the first axis.
    ///   - down: the image of a step along the second axis.
    package static func leastStretch(right: Point, down: Point) -> Double {
        let squares = right.x * right.x + right.y * right.y + down.x * down.x + down.y * down.y
        let determinant = right.x * down.y - right.y * down.x
        let root = max(0, squares * squares - 4 * determinant * determinant).squareRoot()
        return max(0, (squares - root) / 2).squareRoot()
    }

    /// The vector from one point to another.
    package static func - (end: Point, start: Point) -> Point {
        Point(x: end.x - start.x, y: end.y - start.y)
    }

    /// The sum of two vectors.
    package static func + (left: Point, right: Point) -> Point {
        Point(x: left.x + right.x, y: left.y + right.y)
    }

    /// A vector multiplied by a factor.
    package static func * (way: Point, factor: Double) -> Point {
        Point(x: way.x * factor, y: way.y * factor)
    }
}

extension [Point] {
    /// The area inside a ring without a repeated end: half the sum of the cross products of neighbouring corners
    /// (the shoelace formula).
    package var area: Double {
        guard var previous = last else { return 0 }
        var twice = 0.0
        for corner in self {
            twice += previous.x * corner.y - corner.x * previous.y
            previous = corner
        }
        return abs(twice) / 2
    }

    /// The part of a convex ring in which a linear function is not negative (Sutherland and Hodgman, 1974). If
    /// the ring is not convex, parts may be connected along the line at which the function is zero.
    package func clipped(_ inside: (Point) -> Double) -> [Point] {
        guard var previous = last else { return [] }
        var (kept, before): ([Point], Double) = ([], inside(previous))
        kept.reserveCapacity(count + 1)
        for point in self {
            let after = inside(point)
            if (before < 0) != (after < 0) {
                kept.append(previous + (point - previous) * (before / (before - after)))
            }
            if after >= 0 { kept.append(point) }
            (previous, before) = (point, after)
        }
        return kept
    }
}

/// An upright rectangle in a coordinate reference system, in metres or degrees, depending on its use.
public struct BoundingBox: Hashable, Codable, Sendable {
    /// The western edge.
    public var minX: Double
    /// The southern edge.
    public var minY: Double
    /// The eastern edge.
    public var maxX: Double
    /// The northern edge.
    public var maxY: Double

    /// Makes a box from its edges.
    public init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        (self.minX, self.minY, self.maxX, self.maxY) = (minX, minY, maxX, maxY)
    }

    /// The smallest box around the points, or nil if there are none.
    public init?(around points: some Sequence<Point>) {
        var iterator = points.makeIterator()
        guard let first = iterator.next() else { return nil }
        self.init(minX: first.x, minY: first.y, maxX: first.x, maxY: first.y)
        while let point = iterator.next() {
            minX = min(minX, point.x)
            minY = min(minY, point.y)
            maxX = max(maxX, point.x)
            maxY = max(maxY, point.y)
        }
    }

    /// The distance from the western to the eastern edge.
    public var width: Double { maxX - minX }

    /// The distance from the southern to the northern edge.
    public var height: Double { maxY - minY }

    /// The middle of the box.
    public var center: Point { Point(x: (minX + maxX) / 2, y: (minY + maxY) / 2) }
}

extension BoundingBox {
    /// The edges of a window in pixels.
    package init(_ window: PixelWindow) {
        self.init(
            minX: Double(window.columns.lowerBound), minY: Double(window.rows.lowerBound),
            maxX: Double(window.columns.upperBound), maxY: Double(window.rows.upperBound))
    }

    /// The smallest box around two boxes, whose longitudes are not wrapped.
    package func hull(with other: BoundingBox) -> BoundingBox {
        BoundingBox(
            minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
            maxY: max(maxY, other.maxY))
    }

    /// The corners, from the south-western one anticlockwise.
    package var corners: [Point] {
        [
            Point(x: minX, y: minY), Point(x: maxX, y: minY), Point(x: maxX, y: maxY),
            Point(x: minX, y: maxY),
        ]
    }

    /// The common part of two boxes; nil if it has no area.
    package func intersection(_ other: BoundingBox) -> BoundingBox? {
        let (west, east) = (max(minX, other.minX), min(maxX, other.maxX))
        let (south, north) = (max(minY, other.minY), min(maxY, other.maxY))
        guard west < east, south < north else { return nil }
        return BoundingBox(minX: west, minY: south, maxX: east, maxY: north)
    }
}

// Boxes in degrees. They cross the antimeridian if west is greater than east, or east is greater than 180.

extension BoundingBox {
    /// The width of a box in degrees, 0 to 360.
    package var longitudeSpan: Double {
        min(maxX >= minX ? maxX - minX : (maxX - minX).wrapped(from: 0), 360)
    }

    /// The same box of degrees with west in -180..<180, and east not less than west and up to 360 greater.
    package var unwrapped: BoundingBox {
        let west = minX.wrapped(from: -180)
        return BoundingBox(minX: west, minY: minY, maxX: west + longitudeSpan, maxY: maxY)
    }

    /// The smallest box of degrees that contains this box and another; west is not greater than east.
    package func union(_ other: BoundingBox) -> BoundingBox {
        let (box, other) = (unwrapped, other.unwrapped)
        let ways = [-360.0, 0, 360].map { turn in
            box.hull(
                with: BoundingBox(
                    minX: other.minX + turn, minY: other.minY, maxX: other.maxX + turn, maxY: other.maxY))
        }
        let shortest = ways.min { $0.width < $1.width }.unwrapped("there are three ways")
        if shortest.width < 360 { return shortest.unwrapped }
        return BoundingBox(minX: -180, minY: shortest.minY, maxX: 180, maxY: shortest.maxY)
    }

    /// Converts a box of degrees to Mercator metres; west is not greater than east. Latitudes are limited to
    /// the world's edges.
    ///
    /// - Throws: `.usage` if south is above north, or a number is not finite.
    init(mercatorOf degrees: BoundingBox) throws(Failure) {
        let edges = [degrees.minX, degrees.minY, degrees.maxX, degrees.maxY]
        guard edges.allSatisfy(\.isFinite), degrees.minY <= degrees.maxY else {
            throw Failure(
                .usage, "bounds to show have their south above their north",
                remedy: "give W,S,E,N in degrees")
        }
        let world = -WebMercator.maximumLatitude...WebMercator.maximumLatitude
        let box = degrees.unwrapped
        self.init(
            minX: WebMercator.metres(longitude: box.minX),
            minY: WebMercator.metres(latitude: box.minY.clamped(to: world)),
            maxX: WebMercator.metres(longitude: box.maxX),
            maxY: WebMercator.metres(latitude: box.maxY.clamped(to: world)))
    }

    /// Whether a point is in the box, edges included, to a thousandth of the unit.
    func contains(_ point: Point) -> Bool {
        minX - 1e-3 <= point.x && point.x <= maxX + 1e-3 && minY - 1e-3 <= point.y
            && point.y <= maxY + 1e-3
    }
}

extension Double {
    /// The nearest number in a range; for NaN, the nearest to 0.
    func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(isNaN ? 0 : self, range.lowerBound), range.upperBound)
    }

    /// The same angle within `start..<start + 360` degrees; 0 if it is not finite. A number in this range is
    /// returned bit for bit.
    package func wrapped(from start: Double) -> Double {
        guard isFinite else { return 0 }
        let turns = ((self - start) / 360).rounded(.down)
        let angle = self - 360 * turns
        // A tiny negative angle would be rounded up to `start + 360`.
        return angle < start + 360 ? Swift.max(angle, start) : start
    }
}
