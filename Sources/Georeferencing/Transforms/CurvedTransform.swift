import Platform
package import Tiling

/// A map that bends lines: known by a formula from a plane to pixels, and solved for the way back.
///
/// The formula leads to the pixels, as in GDAL's transformers, because that is the direction in which
/// a picture is made: each pixel of a tile looks up its source. The other direction follows the same
/// formula by Newton's method, so that both agree to the last digits.
package struct CurvedTransform: Hashable, Sendable {
    /// The formula between normal forms of the plane and of the pixels.
    enum Formula: Hashable, Sendable {
        case polynomial(QuadraticPolynomial)
        case spline(ThinPlateSpline)

        /// All numbers of the formula, behind one that tells its kind.
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
    let formula: Formula
    /// From the plane to the formula's points.
    private var source: Frame
    /// From the formula's values to pixels.
    private(set) var target: Frame
    /// The sign of the formula's determinant if the image is not folded.
    let side: FloatingPointSign

    /// Fits a formula that leads from places on a plane to pixels.
    ///
    /// - Parameters:
    ///   - places: points of the plane.
    ///   - pixels: as many points of the image.
    ///   - formula: makes the formula from both in normal form.
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

    /// The same transform by another formula between the same normal forms.
    func replacing(_ formula: Formula) -> CurvedTransform {
        CurvedTransform(formula: formula, source: source, target: target, side: side)
    }

    private init(formula: Formula, source: Frame, target: Frame, side: FloatingPointSign) {
        (self.formula, self.source, self.target, self.side) = (formula, source, target, side)
    }

    /// All numbers that decide the transform.
    var numbers: [Double] {
        formula.numbers + source.forward.numbers + target.forward.numbers + [side == .plus ? 1 : -1]
    }

    /// The pixel at a place of the plane; (nan, nan) beyond a fold, where the formula runs backwards.
    package func pixel(at place: Point) -> Point {
        let tangent = formula.tangent(at: source.forward(place))
        return isProper(tangent) ? target.forward(tangent.value) : .nowhere
    }

    /// The place of a pixel on the plane; (nan, nan) if a fold lies between it and the control
    /// points.
    package func place(of pixel: Point) -> Point {
        solve(for: target.backward(pixel)).map { source.backward($0) } ?? .nowhere
    }

    /// A difference of the formula's values in pixels.
    func pixelOffset(of difference: Point) -> Point {
        target.forward(difference) - target.forward(Point(x: 0, y: 0))
    }

    /// The transform with another one of the pixels behind it.
    func followed(byPixels next: AffineTransform) -> CurvedTransform {
        var transform = self
        transform.target = Frame(target.forward.followed(by: next))
        return transform
    }

    /// The transform with another one of the plane before it.
    func preceded(byPlane first: AffineTransform) -> CurvedTransform {
        var transform = self
        transform.source = Frame(first.followed(by: source.forward))
        return transform
    }

    /// Whether the formula does not run backwards.
    func isProper(_ tangent: TangentMap) -> Bool {
        tangent.determinant != 0 && tangent.determinant.sign == side
    }
}
