import Platform
import Tiling

/// The footprint of an image in Mercator metres.
struct Outline {
    /// The ring, clipped to the world's square in y; without a repeated end.
    let ring: [Point]

    /// Traces the image's edges.
    ///
    /// - Throws: a `Failure` of kind `badInput` if they are nowhere on the map, or if the image is folded.
    init(of projection: ExactMapping, width: Int, height: Int) throws {
        let corners = PixelTransform.corners(width: width, height: height)
        let ring =
            projection.keepsLinesStraight
            ? corners.map(projection.mercator)
            : try corners.indices.flatMap { index in
                try Outline.edge(from: corners[index], to: corners[(index + 1) % 4], projection)
            }
        let clipped =
            Outline.surroundsPole(ring)
            ? Outline.polarCap(ring, poles: projection.poles(width: width, height: height))
            : Outline.clip(
                Outline.clip(Outline.withinOneTurn(ring, projection.turn), to: 1), to: -1)
        guard clipped.count >= 3 else {
            throw Failure(
                .badInput,
                "the image is nowhere on the map: Web Mercator ends at "
                    + "\(WebMercator.maximumLatitude) degrees north and south")
        }
        try Outline.checkFolds(projection, width: width, height: height)
        self.ring = clipped
    }

    /// One edge without its end, subdivided until the chords deviate by less than a hundredth of a pixel.
    private static func edge(
        from start: Point, to end: Point, _ projection: ExactMapping
    ) throws -> [Point] {
        // An S-shaped edge deviates from its chord at the quarters, not in the middle; a spline anywhere.
        var parts = projection.isCurved ? 64 : 4
        while true {
            var points = (0...2 * parts).map { index in
                start + (end - start) * (Double(index) / Double(2 * parts))
            }
            projection.mercatorPoints(ofImage: &points)
            guard points.allSatisfy(\.isFinite) else {
                throw Failure(
                    .badInput, "an edge of the image is nowhere on the map",
                    remedy: "check --crs, or crop off the part outside the map with --crop")
            }
            if parts == 256 || chordError(points) * start.distance(to: end) < 0.01 {
                return stride(from: 0, to: 2 * parts, by: 2).map { points[$0] }
            }
            parts *= 2
        }
    }

    /// The distance of the odd points from the middle of their neighbours, as a fraction of the line's
    /// length.
    private static func chordError(_ points: [Point]) -> Double {
        var (length, error) = (0.0, 0.0)
        for index in stride(from: 1, to: points.count, by: 2) {
            let (before, here, after) = (points[index - 1], points[index], points[index + 1])
            error = max(error, here.distance(to: (before + after) * 0.5))
            length += before.distance(to: after)
        }
        return error / length
    }

    /// Whether the ring surrounds a pole: then the steps from point to point add up to a turn.
    private static func surroundsPole(_ ring: [Point]) -> Bool {
        var turn = 0.0
        for index in ring.indices {
            let step = ring[(index + 1) % ring.count].x - ring[index].x
            turn += step.nearest(to: 0, modulo: WebMercator.world)
        }
        return abs(turn) > WebMercator.halfWorld
    }

    /// The part of the world's square between the ring and the poles that is inside the image. It starts at
    /// the ring's farthest latitude, which may be beyond the equator.
    private static func polarCap(_ ring: [Point], poles: (north: Bool, south: Bool)) -> [Point] {
        let half = WebMercator.halfWorld
        let latitudes = ring.map(\.y)
        // If rounding puts a pole on the edge of the image, take the pole that most of the edge surrounds.
        let isNorth = poles.north == poles.south ? latitudes.reduce(0, +) > 0 : poles.north
        let holdsBoth = poles.north && poles.south
        let top = isNorth || holdsBoth ? half : min(latitudes.reduce(-half, max), half)
        let bottom = !isNorth || holdsBoth ? -half : max(latitudes.reduce(half, min), -half)
        guard bottom < top else { return [] }
        return BoundingBox(minX: -half, minY: bottom, maxX: half, maxY: top).corners.reversed()
    }

    /// Removes the parts that rounding or an extra pixel put west of the world or beyond one turn. An image
    /// that leads once around the world gets all of it.
    private static func withinOneTurn(_ ring: [Point], _ turn: WorldTurn?) -> [Point] {
        guard var box = BoundingBox(around: ring) else { return ring }
        if let turn {
            (box.minX, box.maxX) = (turn.west, turn.west + WebMercator.world)
            return box.corners.reversed()
        }
        // If columns are repeated, both ends lose half of them, so that kernels find pixels beyond either
        // end.
        let west = max(box.minX, -WebMercator.halfWorld) + max(0, box.width - WebMercator.world) / 2
        return ring.map { Point(x: min(max($0.x, west), west + WebMercator.world), y: $0.y) }
    }

    /// Cuts off the part beyond the world's northern (1) or southern (-1) edge, after Sutherland and Hodgman.
    private static func clip(_ ring: [Point], to side: Double) -> [Point] {
        let limit = WebMercator.halfWorld
        var result: [Point] = []
        for (index, here) in ring.enumerated() {
            let before = ring[(index + ring.count - 1) % ring.count]
            let (inside, wasInside) = (here.y * side <= limit, before.y * side <= limit)
            if inside != wasInside {
                let share = (limit * side - before.y) / (here.y - before.y)
                result.append(
                    Point(x: before.x + (here.x - before.x) * share, y: limit * side))
            }
            if inside { result.append(here) }
        }
        return result
    }

    /// Refuses an image that folds over: all its pixels must be mirrored, or none.
    private static func checkFolds(
        _ projection: ExactMapping, width: Int, height: Int
    ) throws {
        if projection.keepsLinesStraight { return }
        let steps = 8
        var seen = Set<Bool>()
        for row in 0..<steps {
            for column in 0..<steps {
                let pixel = Point(
                    x: (Double(column) + 0.5) / Double(steps) * Double(width),
                    y: (Double(row) + 0.5) / Double(steps) * Double(height))
                let place = projection.mercator(ofImage: pixel)
                guard abs(place.y) < WebMercator.halfWorld else { continue }
                seen.insert(
                    projection.mercatorArea(at: pixel, step: 1e-3 * Double(min(width, height))) > 0)
            }
        }
        guard seen.count < 2 else {
            throw Failure(.badInput, "the image's position folds it over itself")
        }
    }
}

/// The columns of an image that lead once around the world, so that its right edge meets its left edge.
struct WorldTurn: Sendable {
    /// The number of columns after which the places repeat; at most the image's number of columns.
    private(set) var columns: Int
    /// Mercator metres of the left edge.
    let left: Double
    /// Whether columns run east.
    private let runsEast: Bool

    /// The tolerated distance between the edges, as a share of a pixel: bounds are often rounded, and kernels
    /// that take neighbours an eighth of a pixel off show no seam.
    private static let tolerance = 0.125

    /// The number of columns in a full turn is estimated at the image's centre. The columns go around the
    /// world if the positions on the left edge repeat after that many columns; else nil.
    init?(of projection: ExactMapping, width: Int, height: Int) {
        let (middle, half) = (Point(x: Double(width) / 2, y: Double(height) / 2), Point(x: 0.5, y: 0))
        let step = projection.way(
            from: projection.mercator(ofImage: middle - half),
            to: projection.mercator(ofImage: middle + half)
        ).x
        let turn = (WebMercator.world / abs(step)).rounded()
        guard turn.isFinite, (1...Double(width)).contains(turn) else { return nil }
        let rows = (0...8).map { Double(height) * Double($0) / 8 }
        var (starts, ends) = (rows.map { Point(x: 0, y: $0) }, rows.map { Point(x: turn, y: $0) })
        projection.mercatorPoints(ofImage: &starts)
        projection.mercatorPoints(ofImage: &ends)
        let tolerance = Self.tolerance * abs(step)
        let inWorld = zip(starts, ends).filter { abs($0.0.y) < WebMercator.halfWorld }
        guard let left = inWorld.first?.0.x else { return nil }
        let meet = inWorld.allSatisfy { start, end in
            let way = end - start
            return abs(way.x.nearest(to: 0, modulo: WebMercator.world)) <= tolerance
                && abs(way.y) <= tolerance
                && abs((start.x - left).nearest(to: 0, modulo: WebMercator.world)) <= tolerance
        }
        guard meet else { return nil }
        columns = Int(turn)
        runsEast = step > 0
        self.left = Self.inWorld(left, runsEast: runsEast)
    }

    /// The western edge, in Mercator metres.
    var west: Double { runsEast ? left : left - WebMercator.world }

    /// The approximate position of a column, in Mercator metres.
    func metres(column: Double) -> Double {
        let turns = column / Double(columns)
        return left + (runsEast ? turns : -turns) * WebMercator.world
    }

    /// The same turn in other pixels; nil if the image's edges are not between two of these pixels.
    func inPixels(_ change: AffineTransform) -> WorldTurn? {
        let columns = change.a * Double(self.columns)
        guard change.c == 0, columns == columns.rounded() else { return nil }
        var turn = self
        turn.columns = Int(columns)
        return turn
    }

    /// Shifts a left edge by whole turns so that the western edge is within the world, ignoring rounding
    /// errors west of it.
    private static func inWorld(_ left: Double, runsEast: Bool) -> Double {
        let width = runsEast ? 0 : WebMercator.world
        let west = left - width
        let shifted = west - WebMercator.world * turns(toStartAt: west, world: WebMercator.world)
        return max(shifted, -WebMercator.halfWorld) + width
    }
}
