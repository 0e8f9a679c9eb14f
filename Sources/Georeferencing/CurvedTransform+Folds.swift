import Tiling

extension CurvedTransform {
    /// The part of an image, in pixels, where the transform must not fold.
    struct Part {
        /// From its left edge to its right.
        let columns: ClosedRange<Double>
        /// From its upper edge to its lower.
        let rows: ClosedRange<Double>

        /// Whether a pixel lies within.
        func contains(_ pixel: Point) -> Bool {
            columns.contains(pixel.x) && rows.contains(pixel.y)
        }

        /// The pixel at a share of the width and of the height.
        func point(_ x: Double, _ y: Double) -> Point {
            Point(
                x: columns.lowerBound + x * (columns.upperBound - columns.lowerBound),
                y: rows.lowerBound + y * (rows.upperBound - rows.lowerBound))
        }
    }

    /// A pixel at which the transform folds the image over itself, or nil where it does not.
    ///
    /// Looks along the edges, at a grid of pixels, and where the formula is most likely to run
    /// backwards: at the centre of a polynomial's determinant, and around each point of a spline.
    func fold(in part: Part) -> Point? {
        probes(of: part).first { !place(of: $0).isFinite } ?? backwardPoint(in: part)
    }

    private func probes(of part: Part) -> [Point] {
        let cells = gridCells
        let grid = (0...cells).flatMap { row in
            (0...cells).map {
                part.point(Double($0) / Double(cells), Double(row) / Double(cells))
            }
        }
        let edges = (0...256).map { Double($0) / 256 }.flatMap {
            [part.point($0, 0), part.point($0, 1), part.point(0, $0), part.point(1, $0)]
        }
        return edges + grid
    }

    /// Cells of the grid along each axis: a spline gets about four per control point.
    private var gridCells: Int {
        guard case .spline(let spline) = formula else { return 32 }
        return max(32, 2 * Int(Double(spline.points.count).squareRoot()))
    }

    private func backwardPoint(in part: Part) -> Point? {
        suspiciousPlaces.lazy.map { (point: Point) in self.formula.tangent(at: point) }
            .filter { !isProper($0) }.map { target.forward($0.value) }.first(where: part.contains)
    }

    /// Places, in normal form, around which the formula may run backwards.
    private var suspiciousPlaces: [Point] {
        switch formula {
        case .polynomial(let polynomial): [polynomial.determinantCentre].compactMap { $0 }
        case .spline(let spline): spline.surroundings
        }
    }
}

extension ThinPlateSpline {
    /// The points, and eight directions around each at half and a quarter of the way to its nearest
    /// neighbour.
    fileprivate var surroundings: [Point] {
        let diagonal = 0.5.squareRoot()
        let directions = [
            (1, 0), (0, 1), (-1, 0), (0, -1), (diagonal, diagonal), (-diagonal, diagonal),
            (diagonal, -diagonal), (-diagonal, -diagonal),
        ].map { Point(x: $0.0, y: $0.1) }
        return points.indices.flatMap { index in
            let here = points[index]
            let gap = points.indices.filter { $0 != index }
                .reduce(Double.infinity) { min($0, points[$1].distance(to: here)) }
            return [here]
                + [0.5, 0.25].flatMap { share in directions.map { here + $0 * (share * gap) } }
        }
    }
}
