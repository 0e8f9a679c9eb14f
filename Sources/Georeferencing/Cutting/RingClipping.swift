package import Tiling

extension [Point] {
    /// The part of a ring on the right of a line, as it is seen if y grows north (Sutherland and Hodgman,
    /// 1974).
    package func clipped(from start: Point, to end: Point) -> [Point] {
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
