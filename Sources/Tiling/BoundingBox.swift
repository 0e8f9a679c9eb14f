/// An upright rectangle in a coordinate reference system: metres or degrees, as the holder says.
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
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
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

    /// From the western edge to the eastern.
    public var width: Double { maxX - minX }

    /// From the southern edge to the northern.
    public var height: Double { maxY - minY }

    /// The middle of the box.
    public var center: Point { Point(x: (minX + maxX) / 2, y: (minY + maxY) / 2) }
}

extension BoundingBox {
    /// The smallest box around two; both count in the same turn around the world.
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

    /// What lies in both; nil if that has no area.
    package func intersection(_ other: BoundingBox) -> BoundingBox? {
        let (west, east) = (max(minX, other.minX), min(maxX, other.maxX))
        let (south, north) = (max(minY, other.minY), min(maxY, other.maxY))
        guard west < east, south < north else { return nil }
        return BoundingBox(minX: west, minY: south, maxX: east, maxY: north)
    }
}
