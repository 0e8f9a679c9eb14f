import Platform
package import Tiling

/// A map that bends lines: a formula from a plane to pixels, which is solved for the way back.
///
/// The formula goes to pixels, as in GDAL's transformers, because a picture is made in that direction: each
/// pixel of a tile looks up its source. The other direction solves the same formula by Newton's method, so
/// that both agree to the last digits.
package struct CurvedTransform: Hashable, Sendable {
    /// The formula between normal forms of the plane and of the pixels.
    enum Formula: Hashable, Sendable {
        case polynomial(QuadraticPolynomial)
        case spline(ThinPlateSpline)

        /// All numbers of the formula, after a number for its kind.
        var numbers: [Double] {
            switch self {
            case .polynomial(let polynomial): [2] + polynomial.numbers
            case .spline(let spline): [0] + spline.numbers
            }
        }

        /// The map near a point.
        func tangent(at point: Point) -> TangentMap {
            switch self {
            case .polynomial(let polynomial): polynomial.tangent(at: point)
            case .spline(let spline): spline.tangent(at: point)
            }
        }
    }

    /// An affine transform and its inverse.
    struct Frame: Hashable, Sendable {
        /// The transform.
        let forward: AffineTransform
        /// Its inverse.
        let backward: AffineTransform

        /// Makes a frame of a transform with an area.
        init(_ forward: AffineTransform) {
            self.forward = forward
            backward = forward.reversed
        }
    }

    /// The formula.
    private(set) var formula: Formula
    /// From the plane to the formula's points.
    private var source: Frame
    /// From the formula's values to pixels.
    private(set) var target: Frame
    /// The sign of the formula's determinant where the image is not folded.
    let side: FloatingPointSign

    /// Fits a formula from places on a plane to pixels.
    ///
    /// - Parameters:
    ///   - places: points of the plane.
    ///   - pixels: the same number of points on the image.
    ///   - formula: makes the formula from both, in normal form.
    /// - Throws: what `formula` throws, and a `Failure` if the points lie on a line.
    init(
        from places: [Point], to pixels: [Point],
        by formula: (_ points: [Point], _ targets: [Point]) throws -> Formula
    ) throws {
        let (source, target) = (Normalisation(places), Normalisation(pixels))
        let (points, targets) = (places.map { source($0) }, pixels.map { target($0) })
        self.formula = try formula(points, targets)
        self.source = Frame(source.transform)
        self.target = Frame(target.inverse)
        side = try AffineTransform(fitting: points, to: targets).determinant.sign
    }

    /// The transform with another formula between the same normal forms.
    func replacing(_ formula: Formula) -> CurvedTransform {
        var transform = self
        transform.formula = formula
        return transform
    }

    /// All numbers that define the transform.
    var numbers: [Double] {
        formula.numbers + source.forward.numbers + target.forward.numbers + [side == .plus ? 1 : -1]
    }

    /// The pixel at a place of the plane; (nan, nan) beyond a fold, where the formula runs backwards.
    package func pixel(at place: Point) -> Point {
        let tangent = formula.tangent(at: source.forward(place))
        return isProper(tangent) ? target.forward(tangent.value) : .nowhere
    }

    /// The place of a pixel on the plane; (nan, nan) if a fold separates it from the control points.
    package func place(of pixel: Point) -> Point {
        solve(for: target.backward(pixel)).map { source.backward($0) } ?? .nowhere
    }

    /// Converts a difference between values of the formula into pixels.
    func pixelOffset(of difference: Point) -> Point {
        target.forward(difference) - target.forward(Point(x: 0, y: 0))
    }

    /// This transform, then another transform of the pixels.
    func followed(byPixels next: AffineTransform) -> CurvedTransform {
        var transform = self
        transform.target = Frame(target.forward.followed(by: next))
        return transform
    }

    /// Another transform of the plane, then this transform.
    func preceded(byPlane first: AffineTransform) -> CurvedTransform {
        var transform = self
        transform.source = Frame(first.followed(by: source.forward))
        return transform
    }

    /// Whether the formula does not run backwards at a point.
    func isProper(_ tangent: TangentMap) -> Bool {
        tangent.determinant != 0 && tangent.determinant.sign == side
    }
}

extension CurvedTransform {
    /// Follows the straight line from a pixel whose place is known, in steps as long as Newton's method
    /// allows. If the formula has the same value in several places, it thus stays on the sheet that contains
    /// the control points.
    ///
    /// - Parameter aim: a value of the formula.
    /// - Returns: the point with that value.
    func solve(for aim: Point) -> Point? {
        var (place, value) = start(for: aim)
        var share = 1.0
        while share > 1e-4 {
            let next = value + (aim - value) * share
            if let found = solve(for: next, from: place) {
                if share == 1 { return found }
                (place, value) = (found, next)
                share = min(1, 2 * share)
            } else {
                share /= 2
            }
        }
        return nil
    }

    /// A point whose value is known: the nearest control point of a spline, the centre for other formulas.
    private func start(for aim: Point) -> (place: Point, value: Point) {
        guard case .spline(let spline) = formula,
            let nearest = spline.targets.indices.min(by: {
                spline.targets[$0].distance(to: aim) < spline.targets[$1].distance(to: aim)
            })
        else {
            let origin = Point(x: 0, y: 0)
            return (origin, formula.tangent(at: origin).value)
        }
        return (spline.points[nearest], spline.targets[nearest])
    }

    /// Newton's method; nil unless each step is at most half as long as the step before, which is so if the
    /// formula is nearly straight between start and end.
    private func solve(for aim: Point, from start: Point) -> Point? {
        var place = start
        var longest = Double.infinity
        for _ in 0..<50 {
            let tangent = formula.tangent(at: place)
            guard isProper(tangent), let step = tangent.step(for: aim - tangent.value),
                step.length <= longest
            else { return nil }
            place = place + step
            // With ten thousand pixels to the points' spread, a millionth of a pixel; the remaining error is
            // its square.
            if step.length < 1e-10 { return isProper(formula.tangent(at: place)) ? place : nil }
            longest = step.length / 2
        }
        return nil
    }
}

/// A map of the plane near a point: its value there, and its change along both axes.
struct TangentMap {
    /// The image of the point.
    var value: Point
    /// Change of the value for a step along x.
    var alongX: Point
    /// Change of the value for a step along y.
    var alongY: Point

    /// The signed area of the image of a unit square; negative if it is mirrored.
    var determinant: Double { alongX.cross(alongY) }

    /// The step that changes the value by the given amount; nil if the map is flat.
    func step(for change: Point) -> Point? {
        let determinant = self.determinant
        guard determinant != 0, determinant.isFinite else { return nil }
        return Point(x: change.cross(alongY) / determinant, y: alongX.cross(change) / determinant)
    }
}

extension CurvedTransform {
    /// A pixel at which the transform folds a part of the image over itself; nil if there is none.
    ///
    /// Checks pixels along the edges and on a grid. In addition, a polynomial is checked by its determinant,
    /// and a spline in the surroundings of each point, where it is most likely to run backwards.
    func fold(in part: BoundingBox) -> Point? {
        let probes = ring(of: part) + part.lattice(steps: gridCells)
        if let stray = probes.first(where: { !place(of: $0).isFinite }) { return stray }
        switch formula {
        case .polynomial(let polynomial): return backwardPoint(of: polynomial, in: part)
        case .spline(let spline): return backwardPoint(of: spline, in: part)
        }
    }

    /// The number of pixels along an edge; between two of them, a polynomial is taken to be straight.
    private static let edgeSteps = 256

    /// Pixels along the edges, all the way around.
    private func ring(of part: BoundingBox) -> [Point] {
        let shares = (0..<Self.edgeSteps).map { Double($0) / Double(Self.edgeSteps) }
        return shares.map { part.point($0, 0) } + shares.map { part.point(1, $0) }
            + shares.map { part.point(1 - $0, 1) } + shares.map { part.point(0, 1 - $0) }
    }

    /// Cells of the grid along each axis: a spline gets about four per control point.
    private var gridCells: Int {
        guard case .spline(let spline) = formula else { return 32 }
        return max(32, 2 * Int(Double(spline.points.count).squareRoot()))
    }

    /// The determinant is 0 on a conic. An infinite branch that enters the image crosses its outline.
    /// Otherwise it is an ellipse inside, which has a centre.
    ///
    /// If the fold has a cusp, the pixels on both sides of it are found on two sheets: between their places,
    /// the determinant changes its sign. The reason: halfway between two places of the same pixel, a
    /// polynomial of the second order is stationary in the direction from one place to the other.
    private func backwardPoint(of polynomial: QuadraticPolynomial, in part: BoundingBox) -> Point? {
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

    private func backwardPoint(of spline: ThinPlateSpline, in part: BoundingBox) -> Point? {
        spline.surroundings.lazy.map { (point: Point) in spline.tangent(at: point) }
            .filter { !isProper($0) }.map { target.forward($0.value) }.first(where: part.includes)
    }
}

extension [Point] {
    /// Whether a point is inside a ring: a ray from it crosses an odd number of sides.
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
    /// The points, and places in eight directions around each, at half and a quarter of the distance to its
    /// nearest neighbour.
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
