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
                let share = Double(index) / Double(2 * parts)
                return Point(
                    x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
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
        var length = 0.0
        var error = 0.0
        for index in stride(from: 1, to: points.count, by: 2) {
            let (before, here, after) = (points[index - 1], points[index], points[index + 1])
            let middle = Point(x: (before.x + after.x) / 2, y: (before.y + after.y) / 2)
            error = max(error, here.distance(to: middle))
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
    private static func polarCap(
        _ ring: [Point], poles: (north: Bool, south: Bool)
    ) -> [Point] {
        let half = WebMercator.halfWorld
        let latitudes = ring.map(\.y)
        // If rounding puts a pole on the edge of the image, take the pole that most of the edge surrounds.
        let isNorth = poles.north == poles.south ? latitudes.reduce(0, +) > 0 : poles.north
        let holdsBoth = poles.north && poles.south
        let top = isNorth || holdsBoth ? half : min(latitudes.reduce(-half, max), half)
        let bottom = !isNorth || holdsBoth ? -half : max(latitudes.reduce(half, min), -half)
        guard bottom < top else { return [] }
        return [
            Point(x: -half, y: top), Point(x: half, y: top), Point(x: half, y: bottom),
            Point(x: -half, y: bottom),
        ]
    }

    /// Removes the parts that rounding or an extra pixel put west of the world or beyond one turn. An image
    /// that leads once around the world gets all of it.
    private static func withinOneTurn(_ ring: [Point], _ turn: WorldTurn?) -> [Point] {
        if let turn, let box = BoundingBox(around: ring) {
            return [
                Point(x: turn.west, y: box.maxY),
                Point(x: turn.west + WebMercator.world, y: box.maxY),
                Point(x: turn.west + WebMercator.world, y: box.minY),
                Point(x: turn.west, y: box.minY),
            ]
        }
        guard let box = BoundingBox(around: ring) else { return ring }
        // If columns are repeated, both ends lose half of them, so that kernels find pixels beyond either
        // end.
        let west = max(box.minX, -WebMercator.halfWorld) + max(0, box.width - WebMercator.world) / 2
        return ring.map {
            Point(x: min(max($0.x, west), west + WebMercator.world), y: $0.y)
        }
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
