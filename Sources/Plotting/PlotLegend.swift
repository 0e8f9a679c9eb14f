import Georeferencing
import Tiling

/// The legend below a plot: how good the fit is, and what the marks mean.
struct PlotLegend {
    /// A text, perhaps with a symbol before it.
    struct Item {
        enum Symbol { case none, mark(Ink), arrow(Ink), bar(Double) }

        var symbol = Symbol.none
        var text: String
        var isTitle = false
        var ink = Ink.black
    }

    /// In the order in which they stand.
    let items: [Item]
    private let textHeight: Double
    private let radius: Double
    private let thickness: Double

    /// Writes the items for a plot.
    init(_ plot: FitPlot) {
        (textHeight, radius, thickness) = (plot.textHeight, plot.radius, plot.thickness)
        items = PlotLegend.items(plot)
    }

    /// The width of the widest item with margins, in pixels.
    var narrowest: Double { items.map(width(of:)).reduce(0, max) + 2 * margin }

    /// The height of the items in a picture of some width, in pixels.
    func height(width: Double) -> Double {
        Double(lines(width: width).count) * lineHeight + 2 * margin - (lineHeight - textHeight)
    }

    /// Draws the items below a row of the canvas.
    func draw(on canvas: inout Canvas, top: Double) {
        for (index, line) in lines(width: Double(canvas.width)).enumerated() {
            var x = margin
            let y = top + margin + Double(index) * lineHeight
            for item in line {
                draw(item.symbol, at: Point(x: x, y: y + textHeight / 2), on: &canvas)
                canvas.write(
                    item.text, at: Point(x: x + symbolWidth(item.symbol), y: y), style(of: item))
                x += width(of: item) + 2.5 * textHeight
            }
        }
    }

    private var margin: Double { 1.5 * textHeight }
    private var lineHeight: Double { 2.3 * textHeight }

    private func style(of item: Item) -> TextStyle {
        TextStyle(height: textHeight, ink: item.ink, isBold: item.isTitle)
    }

    private func width(of item: Item) -> Double {
        symbolWidth(item.symbol) + style(of: item).width(of: item.text)
    }

    private func symbolWidth(_ symbol: Item.Symbol) -> Double {
        switch symbol {
        case .none: 0
        case .mark: 2 * radius + 0.9 * textHeight
        case .arrow: 4.4 * textHeight
        case .bar(let length): length + 1.2 * textHeight
        }
    }

    /// The items in lines: as many side by side as fit, but the title in a line of its own.
    private func lines(width: Double) -> [[Item]] {
        var lines: [[Item]] = []
        var used = Double.infinity
        for item in items {
            let next = used + 2.5 * textHeight + self.width(of: item)
            if next > width - margin || lines.last?.first?.isTitle == true {
                lines.append([item])
                used = margin + self.width(of: item)
            } else {
                lines[lines.count - 1].append(item)
                used = next
            }
        }
        return lines
    }

    private func draw(_ symbol: Item.Symbol, at left: Point, on canvas: inout Canvas) {
        switch symbol {
        case .none: break
        case .mark(let ink):
            canvas.mark(
                at: Point(x: left.x + radius, y: left.y), radius: radius,
                Pen(thickness: thickness, ink: ink))
        case .arrow(let ink):
            canvas.arrow(
                from: left, to: Point(x: left.x + 3.5 * textHeight, y: left.y), head: radius,
                Pen(thickness: thickness, ink: ink))
        case .bar(let length):
            let (end, tick) = (left.x + length, textHeight / 3)
            let ends = [left.x, end].map { x in
                [Point(x: x, y: left.y - tick), Point(x: x, y: left.y + tick)]
            }
            canvas.stroke(
                [[left, Point(x: end, y: left.y)]] + ends, thickness: thickness, .black)
        }
    }
}

extension PlotLegend {
    private static func items(_ plot: FitPlot) -> [Item] {
        let fit = plot.fit
        let count = fit.residuals.count
        var items = [
            Item(text: "\(fit.model.rawValue) fit of \(count) control points", isTitle: true)
        ]
        if let missing = plot.missing {
            items.append(Item(text: "there is no \(missing.rawValue) fit of all points", ink: .vermilion))
        }
        items += quality(fit) + vectors(plot)
        items.append(Item(symbol: .mark(.blue), text: "control point"))
        let suspects = plot.marks.filter(\.isSuspect).map { "'\($0.label)'" }
        if !suspects.isEmpty {
            let text =
                suspects.count == 1
                ? "\(suspects[0]) is probably wrong: without it the others agree far better"
                : "\(suspects.joined(separator: " and ")) are probably wrong or interchanged"
            items.append(Item(symbol: .mark(.vermilion), text: text, ink: .vermilion))
        }
        let outside = plot.marks.filter {
            !(0...Double(plot.size.width) ~= $0.place.x
                && 0...Double(plot.size.height) ~= $0.place.y)
        }
        if !outside.isEmpty {
            items.append(Item(text: "\(outside.count) beyond the image's edges"))
        }
        return items
    }

    private static func quality(_ fit: ControlPointFit) -> [Item] {
        if fit.isJustFixed {
            let text = "so few points are always met exactly: add one to see how well they agree"
            return [Item(text: text)]
        }
        var items: [Item] = []
        if !fit.model.meetsAllPoints {
            let pixels = FitPlot.decimal(fit.rmsPixels, 2)
            items.append(Item(text: "RMS \(FitPlot.lengthText(fit.rmsMetres)), \(pixels) pixels"))
        }
        if let leftOut = fit.rmsLeftOutMetres {
            items.append(Item(text: "RMS of points left out \(FitPlot.lengthText(leftOut))"))
        }
        if let worst = fit.worst,
            let index = fit.residuals.firstIndex(where: { $0.point == worst.point })
        {
            let amount = FitPlot.lengthText(worst.metres)
            items.append(Item(text: "worst: '\(fit.labels[index])', \(amount)"))
        }
        return items
    }

    private static func vectors(_ plot: FitPlot) -> [Item] {
        guard let enlargement = plot.enlargement else { return [] }
        let sight =
            plot.fit.model.meetsAllPoints
            ? "where the fit of all others sees it" : "where the fit sees it"
        let times = enlargement > 1 ? ", \(FitPlot.decimal(enlargement, 0)) times as long" : ""
        var items = [Item(symbol: .arrow(.blue), text: "from a point to \(sight)\(times)")]
        items.append(bar(plot, enlargement))
        return items
    }

    /// A scale bar for the vectors: a round length on the ground.
    private static func bar(_ plot: FitPlot, _ enlargement: Double) -> Item {
        let pixelsPerMetre = plot.image.scale / plot.fit.metresPerPixel * enlargement
        let metres = RoundNumber.below(9 * plot.textHeight / pixelsPerMetre)
        return Item(
            symbol: .bar(metres * pixelsPerMetre), text: "an error of \(roundText(metres))")
    }

    private static func roundText(_ metres: Double) -> String {
        let (number, unit) =
            metres < 0.01
            ? (metres * 1000, "mm") : metres < 1 ? (metres * 100, "cm") : (metres, "m")
        let decimals = number >= 1 ? 0 : number >= 0.1 ? 1 : 2
        return "\(FitPlot.decimal(number, decimals)) \(unit)"
    }
}
