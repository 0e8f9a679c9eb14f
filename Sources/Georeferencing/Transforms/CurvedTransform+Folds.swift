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

    /// A pixel at which the transform folds the image over itself, or nil if it does not.
    ///
    /// Looks along the edges and at a grid of pixels. Beyond that, a polynomial is decided by its
    /// determinant; of a spline, the surroundings of each point are looked at, where it is most
    /// likely to run backwards.
    func fold(in part: Part) -> Point? {
        if let stray = probes(of: part).first(where: { !place(of: $0).isFinite }) { return stray }
        switch formula {
        case .polynomial(let polynomial): return backwardPoint(of: polynomial, in: part)
        case .spline(let spline): return backwardPoint(of: spline, in: part)
        }
    }

    /// Pixels along an edge, from one to the next of which a polynomial is taken to be straight.
    private static let edgeSteps = 256

    private func probes(of part: Part) -> [Point] {
        let cells = gridCells
        let grid = (0...cells).flatMap { row in
            (0...cells).map {
                part.point(Double($0) / Double(cells), Double(row) / Double(cells))
            }
        }
        return ring(of: part) + grid
    }

    /// Pixels along the edges, once around.
    private func ring(of part: Part) -> [Point] {
        let shares = (0..<Self.edgeSteps).map { Double($0) / Double(Self.edgeSteps) }
        return shares.map { part.point($0, 0) } + shares.map { part.point(1, $0) }
            + shares.map { part.point(1 - $0, 1) } + shares.map { part.point(0, 1 - $0) }
    }

    /// Cells of the grid along each axis: a spline gets about four per control point.
    private var gridCells: Int {
        guard case .spline(let spline) = formula else { return 32 }
        return max(32, 2 * Int(Double(spline.points.count).squareRoot()))
    }

    /// The determinant is 0 on a conic. A branch without an end that comes into the image crosses
    /// its outline; what is left is an ellipse inside, which has a centre.
    ///
    /// Where the fold has a cusp, pixels on both sides of it are found, on two sheets: from one place
    /// to the other the determinant changes its sign. For halfway between two places of the same
    /// pixel a polynomial of the second order does not change along the way from one to the other.
    private func backwardPoint(of polynomial: QuadraticPolynomial, in part: Part) -> Point? {
        let pixels = ring(of: part)
        let outline = pixels.compactMap { solve(for: target.backward($0)) }
        let sign = side == .plus ? 1.0 : -1.0
        let crossing = outline.indices.first { index in
            let next = outline[(index + 1) % outline.count]
            return polynomial.leastDeterminant(from: outline[index], to: next, sign: sign) <= 0
        }
        if let crossing { return pixels[crossing] }
        guard let centre = polynomial.determinantCentre, outline.surrounds(centre) else {
            return nil
        }
        let tangent = polynomial.tangent(at: centre)
        return isProper(tangent) ? nil : target.forward(tangent.value)
    }

    private func backwardPoint(of spline: ThinPlateSpline, in part: Part) -> Point? {
        spline.surroundings.lazy.map { (point: Point) in spline.tangent(at: point) }
            .filter { !isProper($0) }.map { target.forward($0.value) }.first(where: part.contains)
    }
}

extension [Point] {
    /// Whether a point lies within a ring: a ray from it crosses an odd number of sides.
    fileprivate func surrounds(_ point: Point) -> Bool {
        indices.reduce(false) { isInside, index in
            let (a, b) = (self[index], self[(index + 1) % count])
            guard (a.y > point.y) != (b.y > point.y) else { return isInside }
            let x = a.x + (b.x - a.x) * (point.y - a.y) / (b.y - a.y)
            return x > point.x ? !isInside : isInside
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
