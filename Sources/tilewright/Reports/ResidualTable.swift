import Georeferencing
import Tiling

/// How far each control point is off, for people.
struct ResidualTable {
    /// The table.
    let text: String

    init(_ fit: ControlPointFit) {
        let names = fit.residuals.map(\.point.name)
        let width = max(5, names.map(\.count).max() ?? 0)
        let head =
            "point".aligned(left: width) + Self.columns(["column", "row", "pixels", "metres"])
        let rows = fit.residuals.map { residual in
            residual.point.name.aligned(left: width)
                + Self.columns([
                    residual.point.pixel.x.text(decimals: 1),
                    residual.point.pixel.y.text(decimals: 1),
                    residual.pixels.text(decimals: 2), residual.metres.text(decimals: 3),
                ])
        }
        let foot =
            "RMS".aligned(left: width)
            + Self.columns([
                "", "", fit.rmsPixels.text(decimals: 2), fit.rmsMetres.text(decimals: 3),
            ])
        let worst = fit.worst.map {
            ["worst: '\($0.point.name)', \($0.metres.text(decimals: 3)) m off"]
        }
        let title =
            "\(fit.model.rawValue) transform, \(fit.residuals.count.counted("control point"))"
        text = ([title, head] + rows + [foot] + (worst ?? [])).joined(separator: "\n")
    }

    private static func columns(_ texts: [String]) -> String {
        texts.map { $0.aligned(right: 12) }.joined()
    }
}
