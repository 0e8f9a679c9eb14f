import Georeferencing
import Platform
import Publishing
import Tiling

/// The labels of a plot's points, each placed where it covers the least.
struct PlotLabels {
    /// A label and its place.
    struct Label {
        /// The mark of the label.
        let mark: FitPlot.Mark
        /// The error of the point; empty if there are many points.
        let amount: String
        /// The position of the text's anchor, in the middle of its height.
        let place: Point
        /// The text's anchor, as SVG names it.
        let anchor: String
        /// The approximate area of the text: fonts differ.
        let box: BoundingBox
        /// Whether a line connects the point and the label.
        let isApart: Bool
    }

    /// The labels that are drawn.
    private(set) var placed: [Label] = []
    /// The number of points without a label, since it would cover others.
    private(set) var hidden = 0

    private var taken: [BoundingBox]
    private let plot: FitPlot

    /// With more points than this, only suspects and the worst point show their errors.
    private static let crowd = 60

    /// The directions in which a label is tried, best first, with the text's anchor.
    private static let directions = [
        (1.0, 0.0, "start"), (-1, 0, "end"), (0, 1, "middle"), (0, -1, "middle"), (0.7, 0.8, "start"),
        (0.7, -0.8, "start"), (-0.7, 0.8, "end"), (-0.7, -0.8, "end"),
    ]

    /// Finds a place for each label. Labels of less important points are hidden if there is no place.
    init(_ plot: FitPlot) {
        self.plot = plot
        taken = plot.marks.flatMap { mark in
            let circle = BoundingBox(around: [mark.place])?.grown(by: FitPlot.radius)
            return [circle].compactMap(\.self) + Self.boxes(from: mark.place, to: plot.tip(of: mark))
        }
        let area = plot.area
        // The most important points choose first.
        let important = { (mark: FitPlot.Mark) in mark.isSuspect || mark.isWorst }
        for mark in plot.marks.filter(important) + plot.marks.filter({ !important($0) }) {
            place(mark, in: area, isImportant: important(mark))
        }
    }

    /// Boxes along an arrow.
    private static func boxes(from start: Point, to end: Point?) -> [BoundingBox] {
        guard let end else { return [] }
        let steps = min(max(1, Int(start.distance(to: end) / 15)), 60)
        return (1...steps).compactMap { step in
            BoundingBox(around: [start + (end - start) * (Double(step) / Double(steps))])?.grown(by: 6)
        }
    }

    private mutating func place(_ mark: FitPlot.Mark, in area: BoundingBox, isImportant: Bool) {
        let amount = plot.marks.count > Self.crowd && !isImportant ? "" : mark.amount
        let width = Self.width(of: mark.label) + (amount.isEmpty ? 0 : 10 + Self.width(of: amount))
        let choices = [1.0, 2.5, 4.5].flatMap { distance in
            Self.directions.map { self.label(mark, amount, width, $0, distance) }
        }
        let reach = choices.dropFirst().reduce(choices[0].box) { $0.hull(with: $1.box) }
        let near = taken.filter { $0.overlap(with: reach) > 0 }
        var best: (label: Label, cost: Double)?
        // Less than a square unit is rounding.
        for label in choices where best.map({ $0.cost >= 1 }) ?? true {
            let beyond = label.box.width * label.box.height - label.box.overlap(with: area)
            let cost = near.reduce(10 * beyond) { $0 + $1.overlap(with: label.box) }
            if best.map({ cost < $0.cost }) ?? true { best = (label, cost) }
        }
        // An eighth of the label may be covered, since its width is an estimate.
        guard let best, isImportant || best.cost < width * FitPlot.fontSize / 8 else {
            if area.contains(mark.place) { hidden += 1 }
            return
        }
        taken.append(best.label.box)
        placed.append(best.label)
    }

    private func label(
        _ mark: FitPlot.Mark, _ amount: String, _ width: Double, _ direction: (Double, Double, String),
        _ distance: Double
    ) -> Label {
        let (size, gap) = (FitPlot.fontSize, distance * (FitPlot.radius + 0.4 * FitPlot.fontSize))
        let (x, y, anchor) = direction
        let rise = y == 0 ? 0 : y * (gap + 0.4 * size)
        let place = mark.place + Point(x: x * gap, y: rise)
        let left = place.x - (anchor == "start" ? 0 : anchor == "end" ? width : width / 2)
        let box = BoundingBox(
            minX: left, minY: place.y - 0.6 * size, maxX: left + width, maxY: place.y + 0.6 * size)
        return Label(
            mark: mark, amount: amount, place: place, anchor: anchor, box: box, isApart: distance > 1)
    }

    /// The approximate width of a text in a wide font: Chinese characters are square.
    private static func width(of text: String) -> Double {
        text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 0.68 : 1) * FitPlot.fontSize }
    }

    /// The texts, whose letters have a white outline to stand out from the plan.
    var svg: String {
        // After a Hebrew or Arabic name, a number and its unit would otherwise change places.
        let amountStyle = "font-weight=\"normal\" unicode-bidi=\"isolate\" dx=\"10\""
        let texts = placed.map { label in
            let amount = label.amount.isEmpty ? "" : "<tspan \(amountStyle)>\(label.amount)</tspan>"
            let color = label.mark.isSuspect ? " fill=\"\(label.mark.color)\"" : ""
            return "<text x=\"\(label.place.x.unit)\" y=\"\(label.place.y.unit)\" dy=\"0.35em\" "
                + "text-anchor=\"\(label.anchor)\"\(color)>\(XMLText.escaped(label.mark.label))\(amount)</text>"
        }
        return """
            <g font-weight="bold" stroke="#fff" stroke-width="7" stroke-linejoin="round" paint-order="stroke">
            \(texts.joined(separator: "\n"))
            </g>
            """
    }

    /// Lines from points to labels that are not next to them.
    var leaders: String {
        placed.filter(\.isApart).map {
            "<path d=\"M\($0.mark.place.unit)L\($0.place.unit)\"/>"
        }.joined()
    }
}

extension BoundingBox {
    /// The area that two boxes share.
    fileprivate func overlap(with other: BoundingBox) -> Double {
        max(0, min(maxX, other.maxX) - max(minX, other.minX))
            * max(0, min(maxY, other.maxY) - max(minY, other.minY))
    }
}

/// The legend below a plot: the quality of the fit, and the meaning of the marks.
struct PlotLegend {
    /// A line: a symbol, drawn from the origin to the right, and a text after it.
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

    /// The lines, below the plot.
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
        let leftOut = fit.rmsLeftOutMetres.map { "leave-one-out RMS \(FitPlot.lengthText($0))" }
        let worst = fit.worst.flatMap { worst in
            zip(fit.residuals, fit.labels).first { $0.0.point == worst.point }.map {
                "worst: '\($0.1)', \(FitPlot.lengthText(worst.metres))"
            }
        }
        return [fit.model.meetsAllPoints ? nil : rms, leftOut, worst].compactMap(\.self)
    }

    /// The arrow, and a bar that shows its scale as a round length on the ground.
    private static func arrows(_ plot: FitPlot) -> [Row] {
        guard let enlargement = plot.enlargement else { return [] }
        let sight =
            plot.fit.model.meetsAllPoints
            ? "its position by the fit of the other points" : "its position by the fit"
        let times = enlargement > 1 ? ", enlarged \(enlargement.text(decimals: 0)) times" : ""
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
                : "\(suspects.joined(separator: " and ")) are probably wrong or swapped"
            rows.append(Row(symbol: circle(FitPlot.red), width: width, text: text, color: FitPlot.red))
        }
        let beyond = plot.marks.filter { !plot.plan.box.contains($0.place) }.count
        if beyond > 0 { rows.append(Row(text: "\(beyond) outside the image")) }
        return rows
    }

    private static func lines(_ shapes: String, _ color: String) -> String {
        "<g stroke=\"\(color)\" \(FitPlot.pen)>\(shapes)</g>"
    }

    /// A round length in a suitable unit.
    private static func roundText(_ metres: Double) -> String {
        switch metres {
        case ..<0.01: "\((metres * 1000).text(upTo: 6)) mm"
        case ..<1: "\((metres * 100).text(upTo: 2)) cm"
        default: "\(metres.text(decimals: 0)) m"
        }
    }
}
