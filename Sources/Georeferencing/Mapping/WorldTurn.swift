import Tiling

/// The columns of an image that lead once around the world, so that its right edge meets its left edge.
struct WorldTurn: Sendable {
    /// The number of columns after which the places repeat; at most the image's number of columns.
    let columns: Int
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
        let (middle, half) = (
            Point(x: Double(width) / 2, y: Double(height) / 2), Point(x: 0.5, y: 0)
        )
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
        return WorldTurn(columns: Int(columns), left: left, runsEast: runsEast)
    }

    private init(columns: Int, left: Double, runsEast: Bool) {
        (self.columns, self.left, self.runsEast) = (columns, left, runsEast)
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
