internal import Georeferencing
internal import Tiling

/// What a view shows of the plane.
struct ViewGround {
    /// The corners of the view from the top left, in Mercator metres.
    private let corners: [Point]
    private let box: BoundingBox

    init(_ grid: PixelGrid, size: PixelWindow) {
        corners = size.corners.map(grid.mercator(ofPixel:))
        precondition(corners.allSatisfy(\.isFinite), "a view does not reach the horizon")
        box = BoundingBox(around: corners) ?? BoundingBox(minX: 0, minY: 0, maxX: 0, maxY: 0)
    }

    /// How many turns around the world an image must be moved east to be seen, wherever it is seen.
    func turns(ofWest west: Double, east: Double) -> ClosedRange<Int> {
        let first = ((box.minX - east) / WebMercator.world).rounded(.up)
        let last = ((box.maxX - west) / WebMercator.world).rounded(.down)
        return Int(first)...max(Int(first), Int(last))
    }

    /// The part of an image's footprint that the view shows: a ring in Mercator metres, empty if it shows
    /// nothing.
    func part(of mapping: ImageMapping) -> [Point] {
        var ring = mapping.outline
        if mapping.columnsPerTurn != nil, let outline = BoundingBox(around: ring) {
            ring = [
                Point(x: box.minX, y: outline.maxY), Point(x: box.maxX, y: outline.maxY),
                Point(x: box.maxX, y: outline.minY), Point(x: box.minX, y: outline.minY),
            ]
        }
        for index in corners.indices {
            ring = ring.clipped(from: corners[index], to: corners[(index + 1) % corners.count])
        }
        return ring
    }
}

extension [Point] {
    /// The part of a ring on the right of a line, as it is seen if y grows north (Sutherland and Hodgman,
    /// 1974).
    fileprivate func clipped(from start: Point, to end: Point) -> [Point] {
        guard var previous = last else { return [] }
        func distance(_ point: Point) -> Double {
            (end.y - start.y) * (point.x - start.x) - (end.x - start.x) * (point.y - start.y)
        }
        var (kept, before): ([Point], Double) = ([], distance(previous))
        for point in self {
            let after = distance(point)
            if (before < 0) != (after < 0) {
                let share = before / (before - after)
                kept.append(
                    Point(
                        x: previous.x + share * (point.x - previous.x),
                        y: previous.y + share * (point.y - previous.y)))
            }
            if after >= 0 { kept.append(point) }
            (previous, before) = (point, after)
        }
        return kept
    }
}
