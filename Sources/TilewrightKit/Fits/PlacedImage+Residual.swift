import Platform
package import Georeferencing

extension PlacedImage {
    /// The fit.
    ///
    /// - Throws: `.usage` if the position is not control points.
    package func requiredFit() throws -> ControlPointFit {
        guard let fit else { throw Failure.nothingToFit(positionSource) }
        return fit
    }

    /// Fails if a control point misses its place by more than allowed.
    package func check(maxResidual: Double?) throws {
        guard let maxResidual else { return }
        guard maxResidual >= 0 else {
            throw Failure(.usage, "--max-residual \(maxResidual) is not a distance in metres")
        }
        guard let fit else {
            throw Failure(
                .usage, "--max-residual has no meaning for \(position.summary)",
                remedy: "leave it out: there are no control points whose fit could be bad")
        }
        guard let worst = fit.worst else {
            throw Failure(
                .usage,
                "--max-residual cannot judge a \(fit.model.rawValue) fit of "
                    + "\(fit.residuals.count.counted("control point")): it meets them all, and is "
                    + "judged by leaving out each of 4 to \(ControlPointFit.mostLeftOut) points",
                remedy: "leave the option out, or fit --transform affine")
        }
        guard worst.metres > maxResidual else { return }
        let condition = fit.model.meetsAllPoints ? " when it is left out" : ""
        throw Failure(
            .checkFailed,
            "the control point '\(worst.point.name)' misses its place by "
                + "\(worst.metres.text(decimals: 2)) m\(condition), and --max-residual allows "
                + "\(maxResidual.text(decimals: 2)) m",
            remedy: "'tilewright fit' lists all residuals")
    }
}
