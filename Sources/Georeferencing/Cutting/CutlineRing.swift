internal import Platform
internal import Tiling

/// A ring whose edges are straight in longitude and latitude.
struct CutlineRing {
    /// Degrees north and south at which rings are cut: beyond the map's edge, and far from the poles,
    /// where metres have no end.
    static let farthestLatitude = 86.0

    private let points: [Point]

    /// Cuts off what lies beyond the map.
    init(_ ring: [Point]) {
        func edge(_ latitude: Double) -> (west: Point, east: Point) {
            (Point(x: 0, y: latitude), Point(x: 1, y: latitude))
        }
        guard ring.contains(where: { abs($0.y) > Self.farthestLatitude }) else {
            points = ring
            return
        }
        let (north, south) = (edge(Self.farthestLatitude), edge(-Self.farthestLatitude))
        points = ring.clipped(from: north.west, to: north.east).clipped(from: south.east, to: south.west)
    }

    /// The ring in Mercator metres; its chords err by less than a 32nd of a pixel.
    ///
    /// - Parameter cellSize: the edge of a pixel in Mercator metres.
    func metres(cellSize: Double) -> [Point] {
        guard var previous = points.last else { return [] }
        var result: [Point] = []
        result.reserveCapacity(points.count)
        for point in points {
            let parts = Self.parts(from: previous.y, to: point.y, error: cellSize / 32)
            for part in 1..<max(parts, 1) {
                let share = Double(part) / Double(parts)
                result.append(WebMercator.metres(previous + (point - previous) * share))
            }
            result.append(WebMercator.metres(point))
            previous = point
        }
        return result
    }

    /// More parts than an edge needs at zoom 24: a bound for edges of half the world.
    private static let mostParts = 1 << 17

    /// Into how many parts an edge is cut between two latitudes in degrees.
    ///
    /// A chord errs by at most an eighth of the curve's second derivative times the square of its
    /// length. North is `R asinh(tan(latitude))`, whose second derivative is
    /// `R sin(latitude) / cos(latitude)^2`; it is largest at the end that is nearer to a pole.
    private static func parts(from start: Double, to end: Double, error: Double) -> Int {
        let difference = abs(end - start) * .pi / 180
        if difference == 0 { return 1 }
        let latitude = max(abs(start), abs(end)) * .pi / 180
        let bend = WebMercator.radius * sin(latitude) / (cos(latitude) * cos(latitude))
        let parts = (bend * difference * difference / (8 * error)).squareRoot().rounded(.up)
        return min(max(Int(parts), 1), mostParts)
    }
}
