import Tiling

/// The labels of a plot's points, each placed where it covers least.
struct PlotLabels {
    /// A label and its place.
    struct Label {
        /// The name.
        let name: String
        /// How far the point is off; empty if there is no room for it.
        let amount: String
        /// The top-left corner of its capitals, in pixels.
        let corner: Point
        /// How the name is drawn; the amount is lighter.
        let style: TextStyle

        /// Draws the name and the amount.
        func draw(on canvas: inout Canvas) {
            canvas.write(name, at: corner, style)
            var light = style
            light.isBold = false
            let x = corner.x + style.width(of: name) + style.height * 0.8
            canvas.write(amount, at: Point(x: x, y: corner.y), light)
        }
    }

    /// With more points than this, amounts are left out, and names that would cover others.
    private static let crowd = 60

    /// The labels that are drawn.
    private(set) var placed: [Label] = []

    private var taken: [BoundingBox]
    private let plot: FitPlot

    /// Finds a place for each label.
    init(_ plot: FitPlot) {
        self.plot = plot
        taken = plot.marks.map { BoundingBox(around: $0.place, reach: plot.radius) }
        for mark in plot.marks {
            guard let tip = plot.tip(of: mark) else { continue }
            taken += PlotLabels.boxes(from: mark.place, to: tip, size: plot.textHeight)
        }
        // The most important points choose their places first.
        let important = plot.marks.filter { $0.isSuspect || $0.isWorst }
        let others = plot.marks.filter { !$0.isSuspect && !$0.isWorst }
        for mark in important + others { place(mark) }
    }

    private static func boxes(from start: Point, to end: Point, size: Double) -> [BoundingBox] {
        let steps = Int(start.distance(to: end) / size)
        return (0...max(1, min(steps, 200))).map { step in
            let share = Double(step) / Double(max(1, min(steps, 200)))
            let point = Point(
                x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
            return BoundingBox(around: point, reach: size / 3)
        }
    }

    private mutating func place(_ mark: FitPlot.Mark) {
        let matters = mark.isSuspect || mark.isWorst
        let isCrowded = plot.marks.count > PlotLabels.crowd
        let amount = isCrowded && !matters ? "" : mark.amount
        let style = TextStyle(
            height: plot.textHeight, ink: mark.isSuspect ? .vermilion : .black, isBold: true,
            hasHalo: true)
        let both = amount.isEmpty ? mark.label : "\(mark.label)   \(amount)"
        let (width, height) = (style.width(of: both), plot.textHeight)
        let choices = corners(of: mark, width: width).map { corner in
            let box = BoundingBox(
                minX: corner.x - height / 3, minY: corner.y - height / 3,
                maxX: corner.x + width + height / 3, maxY: corner.y + height * 4 / 3)
            return (corner: corner, box: box, cost: cost(of: box))
        }
        let best = choices.reduce(choices[0]) { $1.cost < $0.cost ? $1 : $0 }
        if isCrowded, !matters, best.cost > height * height { return }
        taken.append(best.box)
        placed.append(Label(name: mark.label, amount: amount, corner: best.corner, style: style))
    }

    /// The corners where a label of that width may begin: right, left, below and above the mark first,
    /// then aslant.
    private func corners(of mark: FitPlot.Mark, width: Double) -> [Point] {
        let (height, gap) = (plot.textHeight, plot.radius + 0.6 * plot.textHeight)
        let (left, right) = (mark.place.x - gap - width, mark.place.x + gap)
        let (above, below) = (mark.place.y - gap - height, mark.place.y + gap)
        let (middle, level) = (mark.place.x - width / 2, mark.place.y - height / 2)
        return [
            (right, level), (left, level), (middle, below), (middle, above), (right, below),
            (right, above), (left, below), (left, above),
        ].map { Point(x: $0.0, y: $0.1) }
    }

    /// The cost of what a label would cover: the area beyond the image's edge counts most, then other
    /// labels and marks, then the image's own lines.
    private func cost(of box: BoundingBox) -> Double {
        let image = BoundingBox(
            minX: 0, minY: 0, maxX: Double(plot.size.width), maxY: Double(plot.size.height))
        let beyond = box.width * box.height - box.overlap(with: image)
        let lines = 0.6 * box.width * box.height * darkness(of: box)
        return taken.reduce(10 * beyond + lines) { $0 + 3 * box.overlap(with: $1) }
    }

    /// How much darker the pixels below are than the lightest of them, 0 to 1, at a few samples.
    private func darkness(of box: BoundingBox) -> Double {
        let steps = 12
        let shades = (0..<steps * steps).compactMap { index -> Double? in
            let x = box.minX + box.width * Double(index % steps) / Double(steps - 1)
            let y = box.minY + box.height * Double(index / steps) / Double(steps - 1)
            guard x >= 0, y >= 0, let ink = plot.image.ink(Int(x), Int(y)) else { return nil }
            return Double(Int(ink.red) + Int(ink.green) + Int(ink.blue)) / 765
        }
        guard let lightest = shades.max() else { return 0 }
        return shades.reduce(0) { $0 + lightest - $1 } / Double(shades.count)
    }
}

extension BoundingBox {
    /// A square around a point.
    fileprivate init(around point: Point, reach: Double) {
        self.init(
            minX: point.x - reach, minY: point.y - reach, maxX: point.x + reach,
            maxY: point.y + reach)
    }

    /// The area that two boxes share.
    fileprivate func overlap(with other: BoundingBox) -> Double {
        max(0, min(maxX, other.maxX) - max(minX, other.minX))
            * max(0, min(maxY, other.maxY) - max(minY, other.minY))
    }
}
