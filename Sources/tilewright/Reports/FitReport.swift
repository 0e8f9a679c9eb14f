import Georeferencing
import Platform
import TilewrightKit
import Tiling

/// The errors of control points, for programs. Unknown values are null; no member is left out.
struct FitReport: Encodable {
    /// A control point of the fit.
    struct Point: Encodable {
        /// The point's name in messages.
        var name: String
        /// Column and row from the top-left corner of the image, in the coordinates of control points.
        var pixel: [Double]
        /// Longitude and latitude in degrees.
        var place: [Double]
        /// The error on the image.
        @Nullable var pixels: Double?
        /// The error on the ground, in metres.
        @Nullable var metres: Double?
        /// The leave-one-out error on the ground, in metres: that of a fit of all other points.
        @Nullable var leftOut: Double?
    }

    /// Root mean squares (RMS).
    struct Means: Encodable {
        /// The RMS error on the image.
        @Nullable var pixels: Double?
        /// The RMS error on the ground, in metres.
        @Nullable var metres: Double?
        /// The RMS leave-one-out error, in metres.
        @Nullable var leftOut: Double?
    }

    /// The family of transforms.
    var transform: String
    /// The points.
    var points: [Point]
    /// The means over the points.
    var rms: Means
    /// The name of the point that is probably wrong.
    @Nullable var suspect: String?
    /// The ratio of a pixel's width to its height on the ground, at the image's middle.
    @Nullable var square: Double?

    init(_ fit: ControlPointFit) {
        transform = fit.model.rawValue
        points = fit.residuals.map { residual in
            let point = residual.point
            return Point(
                name: point.name, pixel: [point.pixel.x, point.pixel.y],
                place: [point.lonLat.x, point.lonLat.y],
                pixels: residual.miss.pixels.ifFinite, metres: residual.miss.metres.ifFinite,
                leftOut: residual.leftOut?.metres.ifFinite)
        }
        rms = Means(
            pixels: fit.rmsPixels.ifFinite, metres: fit.rmsMetres.ifFinite,
            leftOut: fit.rmsLeftOutMetres?.ifFinite)
        suspect = fit.suspect?.point.name
        square = fit.pixelRatio.ifFinite
    }
}

extension Double {
    /// The number if JSON can represent it, otherwise nil.
    fileprivate var ifFinite: Double? { isFinite ? self : nil }
}

/// A member that is written as `null` if it is nil. An optional member would be left out.
@propertyWrapper
struct Nullable<Value: Encodable>: Encodable {
    var wrappedValue: Value?

    init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

/// The fits of all models, for programs and for people.
struct ComparisonReport: Encodable {
    /// A fit, or the reason why it failed.
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

    /// The fits, the least flexible model first.
    var transforms: [Trial]
    /// The recommended model.
    @Nullable var take: String?
    /// The report for people.
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
                case .success(let fit): row(fit.model.rawValue, ["\(fit.residuals.count)"] + fit.means)
                case .failure(let failure): trial.model.rawValue.aligned(left: 12) + "  " + failure.message
                }
            }
    }

    private static func row(_ name: String, _ columns: [String]) -> String {
        name.aligned(left: 12) + zip(columns, [8, 10, 12, 14]).map { $0.aligned(right: $1) }.joined()
    }

    private static func advice(_ comparison: FitComparison) -> String {
        if let best = comparison.best?.model.rawValue {
            return "use --transform \(best): models with more freedom do not clearly reduce the "
                + "leave-one-out error"
        }
        return comparison.warnings.isEmpty
            ? "too few points to compare models: use similarity for a plan from CAD, affine for a scan"
            : "correct the points first, then compare again"
    }
}

extension ControlPointFit {
    /// The errors of the points, in a line for people.
    var line: String {
        let points = "\(model.rawValue) fit of \(residuals.count.counted("control point"))"
        if isJustFixed { return "\(points), too few to show errors" }
        let misses = "RMS \(rmsMetres.text(decimals: 3)) m, \(rmsPixels.text(decimals: 2)) pixels"
        let leftOut = rmsLeftOutMetres.map { "leave-one-out RMS \($0.text(decimals: 3)) m" }
        return [points + (model.meetsAllPoints ? ", all met" : ": \(misses)"), leftOut].compactMap(\.self)
            .joined(separator: "; ")
    }

    /// The error of each point, for people.
    var table: [String] {
        let title = "\(model.rawValue) transform, \(residuals.count.counted("control point"))"
        let rows = rows
        // The name comes before five numbers; a point's label may come before the name.
        return [title] + TextTable.lines(rows, left: [rows[0].count - 6])
            + [worstLine, scaleLine, note].compactMap(\.self)
    }

    /// The scale that a rigid fit keeps, and what the points alone would make of it.
    private var scaleLine: String? {
        guard let kept else { return nil }
        let line = "scale kept: \(kept.metresPerPixel.text(upTo: 6)) metres per pixel"
        guard let measured = measuredMetresPerPixel else { return line }
        // The sum turns a zero without a sign, so that nothing is -0.00.
        let share = (10_000 * (measured / kept.metresPerPixel - 1)).rounded() / 100 + 0
        let sign = share < 0 ? "" : "+"
        return line
            + "; the points alone measure \(measured.text(upTo: 6)) (\(sign)\(share.text(decimals: 2)) %)"
    }

    private var rows: [[String]] {
        let head = ["point", "column", "row", "pixels", "metres", "left out (m)"]
        let rows = residuals.map { residual in
            [
                residual.point.name,
                residual.point.pixel.x.text(decimals: 1), residual.point.pixel.y.text(decimals: 1),
                residual.miss.pixels.text(decimals: 2), residual.miss.metres.text(decimals: 3),
                residual.leftOut?.metres.text(decimals: 3) ?? "-",
            ]
        }
        let foot = ["RMS", "", ""] + means
        let isNumbered = labels != residuals.map(\.point.name)
        return zip([""] + labels + [""], [head] + rows + [foot]).map { isNumbered ? [$0] + $1 : $1 }
    }

    /// The RMS errors over all points: pixels, metres, and the leave-one-out error in metres.
    fileprivate var means: [String] {
        [
            rmsPixels.text(decimals: 2), rmsMetres.text(decimals: 3),
            rmsLeftOutMetres?.text(decimals: 3) ?? "-",
        ]
    }

    private var worstLine: String? {
        if isJustFixed { return nil }
        return worst.map {
            "worst\(model.meetsAllPoints ? " when left out" : ""): '\($0.point.name)', "
                + "\($0.metres.text(decimals: 3)) m off"
        }
    }

    /// A note on errors of zero, which do not mean that the fit is perfect.
    private var note: String? {
        if isJustFixed { return "so few points are always met exactly: add one to see how well they agree" }
        return model.meetsAllPoints
            ? "a thin plate spline meets all points: look at the errors of points that are left out" : nil
    }
}
