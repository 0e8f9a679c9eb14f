import Platform
import Georeferencing
import TilewrightKit

/// The fits of all models, for programs and for people.
struct ComparisonReport: Encodable {
    /// A fit, or why there is none.
    enum Trial: Encodable {
        case fit(FitReport)
        case none(transform: String, error: String)

        private enum CodingKeys: CodingKey { case transform, error }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .fit(let report): try report.encode(to: encoder)
            case .none(let transform, let error):
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(transform, forKey: .transform)
                try container.encode(error, forKey: .error)
            }
        }
    }

    /// The fits, those with the least freedom first.
    var transforms: [Trial]
    /// The model to take.
    @Nullable var take: String?
    /// The same for people.
    let lines: [String]

    private enum CodingKeys: CodingKey { case transforms, take }

    init(_ comparison: FitComparison) {
        transforms = comparison.trials.map { trial in
            switch trial.fit {
            case .success(let fit): .fit(FitReport(fit))
            case .failure(let failure): .none(transform: trial.model.rawValue, error: failure.message)
            }
        }
        take = comparison.best?.model.rawValue
        lines = Self.table(comparison) + [Self.advice(comparison)]
    }

    private static func table(_ comparison: FitComparison) -> [String] {
        let head = row("transform", ["points", "pixels", "metres", "left out (m)"])
        return [head]
            + comparison.trials.map { trial in
                switch trial.fit {
                case .success(let fit): row(fit)
                case .failure(let failure): trial.model.rawValue.aligned(left: 12) + "  " + failure.message
                }
            }
    }

    private static func row(_ fit: ControlPointFit) -> String {
        row(
            fit.model.rawValue,
            [
                "\(fit.residuals.count)", fit.rmsPixels.text(decimals: 2), fit.rmsMetres.text(decimals: 3),
                fit.rmsLeftOutMetres?.text(decimals: 3) ?? "-",
            ])
    }

    private static func row(_ name: String, _ columns: [String]) -> String {
        name.aligned(left: 12) + zip(columns, [8, 10, 12, 14]).map { $0.aligned(right: $1) }.joined()
    }

    private static func advice(_ comparison: FitComparison) -> String {
        if let best = comparison.best?.model.rawValue {
            return "take \(best): --transform \(best); no model with more freedom misses points that are "
                + "left out by clearly less"
        }
        return comparison.warnings.isEmpty
            ? "so few points do not say which model to take: similarity for a plan from CAD, affine for a scan"
            : "correct the points first, then compare again"
    }
}
