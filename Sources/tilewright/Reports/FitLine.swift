import Platform
import Georeferencing

/// How well control points agree, in a line for people.
struct FitLine {
    /// The line.
    let text: String

    init(_ fit: ControlPointFit) {
        let points = "\(fit.model.rawValue) fit of \(fit.residuals.count.counted("control point"))"
        let leftOut = fit.rmsLeftOutMetres.map { "RMS left out \($0.text(decimals: 3)) m" }
        let misses = "RMS \(fit.rmsMetres.text(decimals: 3)) m, \(fit.rmsPixels.text(decimals: 2)) pixels"
        if fit.isJustFixed {
            text = "\(points), so few that all are met"
        } else if fit.model.meetsAllPoints {
            text = ["\(points), all met", leftOut].compactMap(\.self).joined(separator: "; ")
        } else {
            text = ["\(points): \(misses)", leftOut].compactMap(\.self).joined(separator: "; ")
        }
    }
}
