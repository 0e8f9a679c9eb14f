import Platform
import Georeferencing
import Tiling

/// How far each control point is off, for people.
struct ResidualTable {
    /// The table.
    let lines: [String]

    init(_ fit: ControlPointFit) {
        let title =
            "\(fit.model.rawValue) transform, \(fit.residuals.count.counted("control point"))"
        let rows = Self.rows(fit)
        // The name stands before five numbers, and may have a number of its own.
        let table = TextTable.lines(rows, left: [rows[0].count - 6])
        lines = [title] + table + [Self.worst(fit), Self.note(fit)].compactMap(\.self)
    }

    private static func rows(_ fit: ControlPointFit) -> [[String]] {
        let head = ["point", "column", "row", "pixels", "metres", "left out (m)"]
        let rows = fit.residuals.map { residual in
            [
                residual.point.name,
                residual.point.pixel.x.text(decimals: 1), residual.point.pixel.y.text(decimals: 1),
                residual.miss.pixels.text(decimals: 2), residual.miss.metres.text(decimals: 3),
                residual.leftOut?.metres.text(decimals: 3) ?? "-",
            ]
        }
        let foot = [
            "RMS", "", "", fit.rmsPixels.text(decimals: 2), fit.rmsMetres.text(decimals: 3),
            fit.rmsLeftOutMetres?.text(decimals: 3) ?? "-",
        ]
        let labels = fit.labels
        let isNumbered = labels != fit.residuals.map(\.point.name)
        let numbers = [""] + labels + [""]
        return zip(numbers, [head] + rows + [foot]).map { isNumbered ? [$0] + $1 : $1 }
    }

    private static func worst(_ fit: ControlPointFit) -> String? {
        if fit.isJustFixed { return nil }
        return fit.worst.map {
            "worst\(fit.model.meetsAllPoints ? " when left out" : ""): '\($0.point.name)', "
                + "\($0.metres.text(decimals: 3)) m off"
        }
    }

    /// Zeros look like a perfect fit, but here they say nothing.
    private static func note(_ fit: ControlPointFit) -> String? {
        if fit.isJustFixed {
            return "so few points are always met exactly: add one to see how well they agree"
        }
        return fit.model.meetsAllPoints
            ? "a thin plate spline meets all points: see how far it misses them when left out"
            : nil
    }
}
