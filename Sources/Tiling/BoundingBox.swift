/// An upright rectangle in a coordinate reference system: metres or degrees, as the holder says.
public struct BoundingBox: Hashable, Sendable {
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
