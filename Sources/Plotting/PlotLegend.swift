import Platform
import Georeferencing
import Publishing
import Tiling

/// The legend below a plot: how good the fit is, and what the marks mean.
struct PlotLegend {
    /// A line: a symbol that is drawn from the origin to the right, and a text after it.
    struct Row {
        var symbol = ""
        var width = 0.0
        var text: String
        var color = "#212121"
    }

    /// The first line.
    let title: String
    /// The other lines.
    let rows: [Row]

    private static let lineHeight = 34.0

    /// Writes the legend of a plot.
    ///
    /// - Parameter hiddenLabels: the number of points without a label.
    init(_ plot: FitPlot, hiddenLabels: Int) {
        title = "\(plot.fit.model.rawValue) fit of \(plot.fit.residuals.count) control points"
        let missing = plot.missing.map {
            Row(text: "there is no \($0.rawValue) fit of all points", color: FitPlot.red)
        }
        let hidden = "\(hiddenLabels.counted("name")) left out where points are close together"
        rows =
            [missing].compactMap(\.self) + Self.quality(plot.fit).map { Row(text: $0) } + Self.arrows(plot)
            + Self.marks(plot) + (hiddenLabels > 0 ? [Row(text: hidden)] : [])
    }

    /// Its height.
    var height: Double { Double(rows.count + 1) * Self.lineHeight + 30 }

    /// The lines, below the part that is drawn.
    func svg(below area: BoundingBox) -> String {
        ([Row(text: title)] + rows).enumerated().map { index, row in
            let (x, y) = (area.minX + FitPlot.margin, area.maxY + (Double(index) + 0.5) * Self.lineHeight)
            let (left, weight) = (row.width > 0 ? row.width + 15 : 0, index == 0 ? "bold" : "normal")
            return """
                <g transform="translate(\(x.unit) \(y.unit))">\(row.symbol)\
                <text x="\(left.unit)" dy="0.35em" fill="\(row.color)" font-weight="\(weight)">\
                \(XMLText.escaped(row.text))</text></g>
                """
        }.joined(separator: "\n")
    }

    private static func quality(_ fit: ControlPointFit) -> [String] {
        if fit.isJustFixed {
            return ["so few points are always met exactly: add one to see how well they agree"]
        }
        let rms = "RMS \(FitPlot.lengthText(fit.rmsMetres)), \(fit.rmsPixels.text(decimals: 2)) pixels"
        let leftOut = fit.rmsLeftOutMetres.map { "RMS of points left out \(FitPlot.lengthText($0))" }
        let worst = fit.worst.flatMap { worst in
            zip(fit.residuals, fit.labels).first { $0.0.point == worst.point }.map {
                "worst: '\($0.1)', \(FitPlot.lengthText(worst.metres))"
            }
        }
        return [fit.model.meetsAllPoints ? nil : rms, leftOut, worst].compactMap(\.self)
    }

    /// The arrow, and a bar for its scale: a round length on the ground.
    private static func arrows(_ plot: FitPlot) -> [Row] {
        guard let enlargement = plot.enlargement else { return [] }
        let sight =
            plot.fit.model.meetsAllPoints ? "where the fit of all others sees it" : "where the fit sees it"
        let times = enlargement > 1 ? ", \(enlargement.text(decimals: 0)) times as long" : ""
        let unitsPerMetre = plot.plan.scale / plot.fit.metresPerPixel * enlargement
        let metres = (150 / unitsPerMetre).roundedDown
        let length = metres * unitsPerMetre
        let bar = "<path d=\"M0 0H\(length.unit)M0 -6V6M\(length.unit) -6V6\"/>"
        let arrow = FitPlot.arrow(from: Point(x: 0, y: 0), to: Point(x: 75, y: 0))
        return [
            Row(symbol: lines(arrow, FitPlot.blue), width: 75, text: "from a point to \(sight)\(times)"),
            Row(symbol: lines(bar, "#212121"), width: length, text: "an error of \(roundText(metres))"),
        ]
    }

    private static func marks(_ plot: FitPlot) -> [Row] {
        func circle(_ color: String) -> String {
            lines(FitPlot.circle(Point(x: FitPlot.radius, y: 0)), color)
        }
        let width = 2 * FitPlot.radius
        var rows = [Row(symbol: circle(FitPlot.blue), width: width, text: "control point")]
        let suspects = plot.marks.filter(\.isSuspect).map { "'\($0.label)'" }
        if !suspects.isEmpty {
            let text =
                suspects.count == 1
                ? "\(suspects[0]) is probably wrong: without it the others agree far better"
                : "\(suspects.joined(separator: " and ")) are probably wrong or interchanged"
            rows.append(Row(symbol: circle(FitPlot.red), width: width, text: text, color: FitPlot.red))
        }
        let beyond = plot.marks.filter { !plot.plan.box.contains($0.place) }.count
        if beyond > 0 { rows.append(Row(text: "\(beyond) beyond the image's edges")) }
        return rows
    }

    private static func lines(_ shapes: String, _ color: String) -> String {
        "<g stroke=\"\(color)\" \(FitPlot.pen)>\(shapes)</g>"
    }

    /// A round length in a unit that suits it.
    private static func roundText(_ metres: Double) -> String {
        switch metres {
        case ..<0.01: "\((metres * 1000).text(upTo: 6)) mm"
        case ..<1: "\((metres * 100).text(upTo: 2)) cm"
        default: "\(metres.text(decimals: 0)) m"
        }
    }
}
