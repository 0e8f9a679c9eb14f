package import Georeferencing
import Tiling

/// A fit as a picture: the image in pale colours, its control points, and how far each is off, enlarged.
package struct FitPlot {
    /// A control point of the picture.
    struct Mark {
        /// The point's name.
        let label: String
        /// How far the point is off, with its unit.
        let amount: String
        /// The point's place, in pixels of the picture.
        let place: Point
        /// The vector from there to where the fit puts the point, in pixels of the picture and not
        /// enlarged; nil if it is unknown.
        let offset: Point?
        /// Whether the point is probably wrong.
        let isSuspect: Bool
        /// Whether the point is farthest off.
        let isWorst: Bool
    }

    /// The fit.
    let fit: ControlPointFit
    /// The image under the points.
    let image: PlottedImage
    /// The control points, without those that are extremely far from the image.
    let marks: [Mark]
    /// How many times the offsets are enlarged; nil if they are too small to see.
    let enlargement: Double?

    /// The model of which there is no fit, if the one that is drawn stands in for it.
    let missing: TransformModel?

    /// Columns and rows of the image in the picture.
    let size: (width: Int, height: Int)

    /// Prepares a plot of a fit.
    package init(_ fit: ControlPointFit, on image: PlottedImage) {
        self.init(fit, leftOut: [], missing: nil, on: image)
    }

    /// Prepares a plot of what comes nearest to a fit.
    ///
    /// - Parameter missing: the model of which there is no fit.
    package init(_ nearest: NearestFit, missing: TransformModel, on image: PlottedImage) {
        self.init(nearest.fit, leftOut: nearest.leftOut, missing: missing, on: image)
    }

    private init(
        _ fit: ControlPointFit, leftOut: [Residual], missing: TransformModel?, on image: PlottedImage
    ) {
        (self.fit, self.image, self.missing) = (fit, image, missing)
        let scale = image.scale
        size = (
            Int((Double(image.width) * scale).rounded(.up)),
            Int((Double(image.height) * scale).rounded(.up))
        )
        let longerSide = Double(max(size.width, size.height))
        marks =
            (FitPlot.marks(fit, scale: scale)
            + FitPlot.marks(of: leftOut, scale: scale, longest: longerSide))
            .filter { $0.place.isDrawable }
        enlargement = FitPlot.enlargement(marks, longerSide: longerSide)
    }

    /// The height of capitals in pixels: legible if the whole picture fills a screen.
    var textHeight: Double { max(12, Double(max(size.width, size.height)) / 105) }

    /// Draws the picture.
    package func draw() -> Canvas {
        let legend = PlotLegend(self)
        let width = max(size.width, Int(legend.narrowest.rounded(.up)))
        let height = size.height + Int(legend.height(width: Double(width)).rounded(.up))
        var canvas = Canvas(width: width, height: height)
        drawImage(on: &canvas)
        // All halos first, so that none covers another mark's lines.
        for mark in marks { draw(mark, pen(of: mark).halo, on: &canvas) }
        for mark in marks { draw(mark, pen(of: mark), on: &canvas) }
        for label in PlotLabels(self).placed { label.draw(on: &canvas) }
        legend.draw(on: &canvas, top: Double(size.height))
        return canvas
    }

    /// The radius of a mark in pixels.
    var radius: Double { 0.6 * textHeight }

    /// The width of the lines of marks and vectors in pixels.
    var thickness: Double { max(2, 0.16 * textHeight) }

    /// The end of a mark's vector, in pixels; nil if the vector is not drawn.
    func tip(of mark: Mark) -> Point? {
        guard let enlargement, let offset = mark.offset else { return nil }
        let tip = Point(
            x: mark.place.x + enlargement * offset.x, y: mark.place.y + enlargement * offset.y)
        return tip.isDrawable ? tip : nil
    }

    private func drawImage(on canvas: inout Canvas) {
        for row in 0..<size.height {
            for column in 0..<size.width {
                if let ink = image.ink(column, row) { canvas.set(column, row, ink) }
            }
        }
        if let crop = image.crop { drawFrame(crop, on: &canvas) }
        let edge = Double(size.height)
        canvas.stroke(
            [[Point(x: 0, y: edge), Point(x: Double(canvas.width), y: edge)]], thickness: 1, .gray)
    }

    private func drawFrame(_ window: PixelWindow, on canvas: inout Canvas) {
        let (left, right) = (Double(window.columns.lowerBound), Double(window.columns.upperBound))
        let (top, bottom) = (Double(window.rows.lowerBound), Double(window.rows.upperBound))
        let ring = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
        canvas.stroke(
            [ring.map { Point(x: $0.0 * image.scale, y: $0.1 * image.scale) }],
            thickness: thickness / 2, .gray)
    }

    private func pen(of mark: Mark) -> Pen {
        Pen(thickness: thickness, ink: mark.isSuspect ? .vermilion : .blue)
    }

    private func draw(_ mark: Mark, _ pen: Pen, on canvas: inout Canvas) {
        canvas.mark(at: mark.place, radius: radius, pen)
        if let tip = tip(of: mark) { canvas.arrow(from: mark.place, to: tip, head: radius, pen) }
    }
}

extension FitPlot {
    private static func marks(_ fit: ControlPointFit, scale: Double) -> [Mark] {
        zip(fit.residuals, fit.labels).map { residual, label in
            let miss = fit.model.meetsAllPoints ? residual.leftOut : residual.miss
            let amount = miss.map { lengthText($0.metres) } ?? ""
            let offset = (miss?.pixelOffset).flatMap { $0.x.isFinite && $0.y.isFinite ? $0 : nil }
            let point = residual.point
            return Mark(
                label: label, amount: fit.isJustFixed ? "" : amount,
                place: Point(x: point.pixel.x * scale, y: point.pixel.y * scale),
                offset: offset.map { Point(x: $0.x * scale, y: $0.y * scale) },
                isSuspect: fit.suspects.contains { $0.point == point }, isWorst: point == fit.worst?.point)
        }
    }

    /// Points that the fit leaves out, for they are probably wrong; with a vector up to the longest, so that
    /// a place on another continent does not leave those of the others too small to see.
    private static func marks(of leftOut: [Residual], scale: Double, longest: Double) -> [Mark] {
        leftOut.map { residual in
            let point = residual.point
            let offset = Point(
                x: residual.miss.pixelOffset.x * scale, y: residual.miss.pixelOffset.y * scale)
            return Mark(
                label: point.name.count <= 10 ? point.name : "left out",
                amount: residual.miss.metres.isFinite ? lengthText(residual.miss.metres) : "far",
                place: Point(x: point.pixel.x * scale, y: point.pixel.y * scale),
                offset: offset.distance(to: Point(x: 0, y: 0)) <= longest ? offset : nil,
                isSuspect: true, isWorst: false)
        }
    }

    /// A round factor that makes most vectors easy to see. The vector of a suspect may be longer than
    /// the others, but should not leave the picture.
    private static func enlargement(_ marks: [Mark], longerSide: Double) -> Double? {
        func longest(_ marks: [Mark]) -> Double {
            let origin = Point(x: 0, y: 0)
            return marks.compactMap { $0.offset?.distance(to: origin) }.reduce(0, max)
        }
        let (all, others) = (longest(marks), longest(marks.filter { !$0.isSuspect }))
        // Up to a millionth of a pixel is rounding: the point is met exactly.
        guard all > 1e-6 else { return nil }
        let factor = min(0.07 * longerSide / max(others, 1e-6), 0.3 * longerSide / all)
        return max(1, RoundNumber.below(factor))
    }

    /// A length in a unit that suits it, from millimetres to kilometres.
    static func lengthText(_ metres: Double) -> String {
        switch metres {
        case ..<0.01: "\(decimal(metres * 1000, 1)) mm"
        case ..<1: "\(decimal(metres * 100, 1)) cm"
        case ..<1000: "\(decimal(metres, 2)) m"
        default: "\(decimal(metres / 1000, 2)) km"
        }
    }

    /// A number with a fixed count of decimals; `more` if it is too large.
    static func decimal(_ number: Double, _ decimals: Int) -> String {
        guard number.isFinite, number < 1e9 else { return "more" }
        let power = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
        let units = Int((number * power).rounded())
        let (whole, rest) = units.quotientAndRemainder(dividingBy: Int(power))
        let digits = String(rest + Int(power)).dropFirst()
        return decimals == 0 ? "\(whole)" : "\(whole).\(digits)"
    }
}

extension Point {
    /// Whether the point is so near the picture that its pixels fit into integers.
    fileprivate var isDrawable: Bool { abs(x) < 1e6 && abs(y) < 1e6 }
}

/// Round numbers: 1, 2 or 5 times a power of ten.
enum RoundNumber {
    /// The largest round number that is not above a number; 0 if there is none.
    static func below(_ number: Double) -> Double {
        guard number > 0, number.isFinite else { return 0 }
        var power = 1.0
        while power > number { power /= 10 }
        while power * 10 <= number { power *= 10 }
        return [5, 2].map { $0 * power }.first { $0 <= number } ?? power
    }
}
