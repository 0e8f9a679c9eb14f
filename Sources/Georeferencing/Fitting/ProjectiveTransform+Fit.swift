import Platform
package import Tiling

extension ProjectiveTransform {
    /// The transform that takes points to targets with the smallest squares of their distances;
    /// exact for four.
    ///
    /// Solved linearly in normal form first. The points' centre is the origin there, and it lies on
    /// this side of the horizon as the points do, so its denominator can be set to one. A few
    /// Gauss-Newton steps then turn the algebraic error into the distance.
    ///
    /// - Parameters:
    ///   - points: four or more.
    ///   - targets: as many.
    /// - Throws: a `Failure` if three of four points are in line or the like, or if the
    ///   transform would send a point beyond the horizon.
    package init(from points: [Point], to targets: [Point]) throws {
        let (source, target) = (Normalisation(points), Normalisation(targets))
        let (from, to) = (points.map { source($0) }, targets.map { target($0) })
        guard var fit = ProjectiveTransform.linearFit(from, to) else {
            throw Failure(
                .badInput, "the points do not fix a projective transform: too many lie on one line")
        }
        for _ in 0..<5 where points.count > 4 {
            guard let better = fit.refined(from, to) else { break }
            fit = better
        }
        guard from.allSatisfy({ fit.denominator(at: $0) > 0 }) else {
            throw Failure(
                .badInput, "no view of a plane fits the points: the horizon would pass between them"
            )
        }
        self = ProjectiveTransform(source.transform).followed(by: fit)
            .followed(by: ProjectiveTransform(target.inverse))
    }

    /// Four points of which three are in line within this fraction of their distances fix nothing.
    private static let tolerance = 1e-4

    private init(parameters p: [Double]) {
        self.init((p[0], p[1], p[2]), (p[3], p[4], p[5]), (p[6], p[7], 1))
    }

    /// Solves `x' w = a x + b y + c` and `y' w = d x + e y + f`, which are linear in the unknowns.
    private static func linearFit(_ from: [Point], _ to: [Point]) -> ProjectiveTransform? {
        var system = LeastSquares(equations: 2 * from.count, unknowns: 8, sides: 1)
        for (index, (p, q)) in zip(from, to).enumerated() {
            system.set(2 * index, [p.x, p.y, 1, 0, 0, 0, -p.x * q.x, -p.y * q.x, q.x])
            system.set(2 * index + 1, [0, 0, 0, p.x, p.y, 1, -p.x * q.y, -p.y * q.y, q.y])
        }
        return system.solve(tolerance: tolerance).map(ProjectiveTransform.init(parameters:))
    }

    /// One Gauss-Newton step on the distances, or nil if it does not help any more.
    private func refined(_ from: [Point], _ to: [Point]) -> ProjectiveTransform? {
        var system = LeastSquares(equations: 2 * from.count, unknowns: 8, sides: 1)
        for (index, (p, q)) in zip(from, to).enumerated() {
            let (w, image) = (denominator(at: p), self(p))
            let (x, y, miss) = (p.x / w, p.y / w, q - image)
            guard miss.isFinite else { return nil }
            system.set(2 * index, [x, y, 1 / w, 0, 0, 0, -x * image.x, -y * image.x, miss.x])
            system.set(2 * index + 1, [0, 0, 0, x, y, 1 / w, -x * image.y, -y * image.y, miss.y])
        }
        guard let step = system.solve(tolerance: ProjectiveTransform.tolerance) else { return nil }
        let next = ProjectiveTransform(parameters: zip([a, b, c, d, e, f, g, h], step).map(+))
        return next.squaredError(from, to) < squaredError(from, to) ? next : nil
    }

    private func squaredError(_ from: [Point], _ to: [Point]) -> Double {
        zip(from, to).reduce(0) { sum, pair in
            let miss = self(pair.0) - pair.1
            return sum + miss.dot(miss)
        }
    }
}
