/// A convex polygon, cut down by axis-parallel lines: how much of a pixel another pixel covers.
struct ConvexPolygon {
    /// The corners in order around it.
    private var corners: [(x: Double, y: Double)]

    init(_ corners: [(x: Double, y: Double)]) {
        self.corners = corners
    }

    /// Its area: half the sum of the cross products of neighbouring corners (the shoelace formula).
    private var area: Double {
        guard var previous = corners.last else { return 0 }
        var twice = 0.0
        for corner in corners {
            twice += previous.x * corner.y - corner.x * previous.y
            previous = corner
        }
        return abs(twice) / 2
    }

    /// The share of the polygon in each pixel of a window, row by row; their sum is 1.
    func shares(columns: Range<Int>, rows: Range<Int>) -> [Double] {
        var shares: [Double] = []
        shares.reserveCapacity(columns.count * rows.count)
        for row in rows {
            let strip = clipped(rows: Double(row)...Double(row + 1))
            let (west, east) = strip.extent
            for column in columns {
                let pixel = Double(column)...Double(column + 1)
                // Most pixels of the window lie beside it, which is cheap to see.
                let isBeside = east < pixel.lowerBound || pixel.upperBound < west
                shares.append(isBeside ? 0 : strip.clipped(columns: pixel).area)
            }
        }
        let sum = shares.reduce(0, +)
        return sum > 0 ? shares.map { $0 / sum } : shares
    }

    /// Its first and its last column; nothing lies between them if it has no corners.
    private var extent: (west: Double, east: Double) {
        corners.reduce((.infinity, -.infinity)) { (min($0.0, $1.x), max($0.1, $1.x)) }
    }

    /// What lies between two columns.
    private func clipped(columns: ClosedRange<Double>) -> ConvexPolygon {
        keeping { $0.x - columns.lowerBound }.keeping { columns.upperBound - $0.x }
    }

    /// What lies between two rows.
    private func clipped(rows: ClosedRange<Double>) -> ConvexPolygon {
        keeping { $0.y - rows.lowerBound }.keeping { rows.upperBound - $0.y }
    }

    /// The part where a linear function is not negative (Sutherland and Hodgman, 1974).
    private func keeping(_ inside: ((x: Double, y: Double)) -> Double) -> ConvexPolygon {
        guard var previous = corners.last else { return self }
        var kept: [(x: Double, y: Double)] = []
        kept.reserveCapacity(corners.count + 1)
        var before = inside(previous)
        for corner in corners {
            let after = inside(corner)
            if (before < 0) != (after < 0) {
                let t = before / (before - after)
                kept.append(
                    (
                        previous.x + t * (corner.x - previous.x),
                        previous.y + t * (corner.y - previous.y)
                    ))
            }
            if after >= 0 { kept.append(corner) }
            (previous, before) = (corner, after)
        }
        return ConvexPolygon(kept)
    }
}
