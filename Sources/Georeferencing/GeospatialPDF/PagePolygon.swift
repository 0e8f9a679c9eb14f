import Tiling

/// Polygons on a page, as lists of numbers tell them.
enum PagePolygon {
    /// The most points of an edge. One along a river or a border has some thousands.
    private static let mostPoints = 100_000

    /// Pairs of numbers as points; nothing for lists that are no such pairs, or have no end.
    static func points(_ numbers: [Double]) -> [Point] {
        guard numbers.count.isMultiple(of: 2), numbers.count <= 2 * mostPoints,
            numbers.allSatisfy(\.isFinite)
        else { return [] }
        return stride(from: 0, to: numbers.count, by: 2).map {
            Point(x: numbers[$0], y: numbers[$0 + 1])
        }
    }

    /// A ring of three points or more, its end not repeated; nil if it has no area.
    ///
    /// - Parameter transform: to points of the page, where a square of a hundredth of a point is no map.
    static func ring(_ points: [Point], _ transform: AffineTransform) -> [Point]? {
        var ring: [Point] = []
        for point in points.map({ transform($0) }) where point != ring.last { ring.append(point) }
        if ring.count > 1, ring.first == ring.last { ring.removeLast() }
        guard ring.count >= 3, ring.allSatisfy(\.isFinite), let first = ring.first else { return nil }
        var twice = 0.0
        for (here, next) in zip(ring, ring.dropFirst()) { twice += (here - first).cross(next - first) }
        return twice.isFinite && abs(twice) > 2e-4 ? ring : nil
    }
}
