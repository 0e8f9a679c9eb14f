import Platform
package import Georeferencing
import Publishing
package import Tiling

/// An SVG of a fit: the plan in pale colours, its control points, their enlarged errors, and a legend.
///
/// Lengths are in units of the SVG; the longer side of the plan has 1600 units.
package struct FitPlot {
    /// The plan, in the coordinates of its control points.
    package struct Plan {
        /// Columns and rows.
        let width, height: Int
        /// The cropped part; nil for the whole plan.
        let crop: PixelWindow?
        /// The picture of the stored image, as a `data:` URL.
        let picture: String
        /// Columns and rows of the stored image that the picture covers.
        let pictureSize: Point
        /// From points of the stored image to points of the plan.
        let planFromStored: AffineTransform

        /// Describes a plan.
        package init(
            width: Int, height: Int, crop: PixelWindow?, picture: String, pictureSize: Point,
            planFromStored: AffineTransform
        ) {
            (self.width, self.height, self.crop) = (width, height, crop)
            (self.picture, self.pictureSize, self.planFromStored) = (picture, pictureSize, planFromStored)
        }

        /// Units per pixel.
        var scale: Double { FitPlot.longerSide / Double(max(width, height)) }

        /// The plan in units.
        var box: BoundingBox {
            BoundingBox(minX: 0, minY: 0, maxX: Double(width) * scale, maxY: Double(height) * scale)
        }
    }

    /// A control point of the plot.
    struct Mark {
        /// The point's name.
        let name: String
        /// The name, or the number if names are long.
        let label: String
        /// The error of the point, with its unit; may be empty.
        let amount: String
        /// The point's place.
        let place: Point
        /// The vector from the point to its position by the fit, not enlarged; nil if unknown, or longer than
        /// the plan.
        let offset: Point?
        /// Whether the point is probably wrong.
        let isSuspect: Bool
        /// Whether the point has the largest error.
        let isWorst: Bool

        init(
            _ point: ControlPoint, label: String, miss: Residual.Miss?, scale: Double, isSuspect: Bool,
            isWorst: Bool
        ) {
            (name, self.label, place) = (point.name, label, point.pixel * scale)
            (self.isSuspect, self.isWorst) = (isSuspect, isWorst)
            amount = miss.map { FitPlot.lengthText($0.metres) } ?? ""
            // An arrow to another continent would make the others too small to see.
            offset = miss.map { $0.pixelOffset * scale }.flatMap { $0.length <= longerSide ? $0 : nil }
        }

        /// The colour of the mark and its arrow.
        var color: String { isSuspect ? FitPlot.red : FitPlot.blue }
    }

    /// Okabe and Ito's blue and vermilion, which can be distinguished with any colour vision.
    static let (blue, red) = ("#005ab5", "#d53c00")
    /// The plan's longer side.
    static let longerSide = 1600.0
    /// The font size: legible if the whole plot fills a screen.
    static let fontSize = 21.0
    /// The radius of a mark.
    static let radius = 9.0
    /// The style of lines.
    static let pen =
        "fill=\"none\" stroke-width=\"3\" stroke-linecap=\"round\" stroke-linejoin=\"round\""
    /// The space around the plan, for labels.
    static let margin = 60.0

    /// The fit.
    let fit: ControlPointFit
    /// The model for which there is no fit, if another fit is shown instead.
    let missing: TransformModel?
    /// The plan below the points.
    let plan: Plan
    /// The control points, without any that are extremely far from the plan.
    let marks: [Mark]
    /// The factor by which offsets are enlarged; nil if they are too small to see.
    let enlargement: Double?

    /// Prepares a plot of a fit.
    package init(_ fit: ControlPointFit, on plan: Plan) {
        self.init(fit, leftOut: [], missing: nil, on: plan)
    }

    /// Prepares a plot of the nearest fit of points for which a model has no fit.
    package init(_ nearest: NearestFit, missing: TransformModel, on plan: Plan) {
        self.init(nearest.fit, leftOut: nearest.leftOut, missing: missing, on: plan)
    }

    private init(_ fit: ControlPointFit, leftOut: [Residual], missing: TransformModel?, on plan: Plan) {
        (self.fit, self.missing, self.plan) = (fit, missing, plan)
        let (suspects, worst) = (fit.suspects.map(\.point), fit.worst?.point)
        let fitted = zip(fit.residuals, fit.labels).map { residual, label in
            let miss = fit.model.meetsAllPoints ? residual.leftOut : residual.miss
            return Mark(
                residual.point, label: label, miss: fit.isJustFixed ? nil : miss, scale: plan.scale,
                isSuspect: suspects.contains(residual.point), isWorst: residual.point == worst)
        }
        let others = leftOut.map { residual in
            let name = residual.point.name
            return Mark(
                residual.point, label: name.count <= 10 ? name : "left out", miss: residual.miss,
                scale: plan.scale, isSuspect: true, isWorst: false)
        }
        marks = (fitted + others).filter { $0.place.isDrawable }
        enlargement = Self.enlargement(marks)
    }

    /// The end of a mark's arrow; nil if it has none.
    func tip(of mark: Mark) -> Point? {
        guard let enlargement, let offset = mark.offset else { return nil }
        let tip = mark.place + offset * enlargement
        return tip.isDrawable ? tip : nil
    }

    /// The part that is drawn: the plan with the points and arrows near it.
    var area: BoundingBox {
        let reach = 0.3 * Self.longerSide
        let near = plan.box.grown(by: reach)
        let points = (marks.map(\.place) + marks.compactMap(tip)).map {
            Point(x: min(max($0.x, near.minX), near.maxX), y: min(max($0.y, near.minY), near.maxY))
        }
        var area = plan.box.grown(by: Self.margin)
        if let box = BoundingBox(around: points) { area = area.hull(with: box.grown(by: Self.margin)) }
        // Enough space for the longest line of the legend.
        area.maxX = area.minX + max(1000, area.width.rounded(.up))
        area.maxY = area.minY + area.height.rounded(.up)
        return area
    }

    /// The document.
    package var svg: String {
        let (area, labels) = (area, PlotLabels(self))
        let legend = PlotLegend(self, hiddenLabels: labels.hidden)
        let height = area.height + legend.height
        let size = "width=\"\(area.width.unit)\" height=\"\(height.unit)\""
        let corner = "x=\"\(area.minX.unit)\" y=\"\(area.minY.unit)\""
        let font = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
        return XMLText.declaration + """
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \(size) \
            viewBox="\(area.minX.unit) \(area.minY.unit) \(area.width.unit) \(height.unit)" \
            font-family="\(font)" font-size="\(Self.fontSize.unit)" fill="#212121">
            <title>\(XMLText.escaped(legend.title))</title>
            <rect \(corner) \(size) fill="#fff"/>
            <clipPath id="area"><rect \(corner) width="\(area.width.unit)" height="\(area.height.unit)"/></clipPath>
            <g clip-path="url(#area)">
            \(plan.svg)
            <g \(Self.pen)>
            <g stroke="#fff" stroke-width="9">\(marks.map(shapes).joined())</g>
            <g stroke="#757575" stroke-width="1.5">\(labels.leaders)</g>
            \(marks.map(group).joined(separator: "\n"))
            </g>
            \(labels.svg)
            </g>
            \(legend.svg(below: area))
            </svg>

            """
    }

    private func group(_ mark: Mark) -> String {
        let about = mark.amount.isEmpty ? mark.name : "\(mark.name), \(mark.amount)"
        return "<g stroke=\"\(mark.color)\"><title>\(XMLText.escaped(about))</title>\(shapes(mark))</g>"
    }

    private func shapes(_ mark: Mark) -> String {
        Self.circle(mark.place) + (tip(of: mark).map { Self.arrow(from: mark.place, to: $0) } ?? "")
    }

    /// A circle with a dot in it.
    static func circle(_ centre: Point) -> String {
        let place = "cx=\"\(centre.x.unit)\" cy=\"\(centre.y.unit)\""
        return "<circle \(place) r=\"\(radius.unit)\"/><circle \(place) r=\"0.5\"/>"
    }

    /// An arrow whose head is at most half as long as itself.
    static func arrow(from start: Point, to end: Point) -> String {
        let length = start.distance(to: end)
        let back = (start - end) * (min(radius, length / 2) / max(length, 1e-9))
        let wings = [0.5, -0.5].map { end + back + Point(x: -$0 * back.y, y: $0 * back.x) }
        return "<path d=\"M\(start.unit)L\(end.unit)M\(wings[0].unit)L\(end.unit) \(wings[1].unit)\"/>"
    }
}

extension FitPlot {
    /// A round factor that makes most arrows easy to see. Arrows of suspects may be longer than others, but
    /// should not leave the plot.
    private static func enlargement(_ marks: [Mark]) -> Double? {
        let longest = { (marks: [Mark]) in marks.compactMap { $0.offset?.length }.max() ?? 0 }
        let (all, others) = (longest(marks), longest(marks.filter { !$0.isSuspect }))
        // Up to a millionth of a unit is rounding: the point fits exactly.
        guard all > 1e-6 else { return nil }
        return max(1, min(0.07 * longerSide / max(others, 1e-6), 0.3 * longerSide / all).roundedDown)
    }

    /// A length in a suitable unit, from millimetres to kilometres.
    static func lengthText(_ metres: Double) -> String {
        switch metres {
        case ..<0.01: "\((metres * 1000).text(decimals: 1)) mm"
        case ..<1: "\((metres * 100).text(decimals: 1)) cm"
        case ..<1000: "\(metres.text(decimals: 2)) m"
        case ..<1e9: "\((metres / 1000).text(decimals: 2)) km"
        default: "far"
        }
    }
}

extension FitPlot.Plan {
    /// The picture on white, so pale that marks are visible even on black; paler outside the crop.
    fileprivate var svg: String {
        let matrix = planFromStored
        let numbers = [matrix.a, matrix.d, matrix.b, matrix.e, matrix.c, matrix.f].map(\.unit)
        let picture =
            "<image width=\"\(pictureSize.x.unit)\" height=\"\(pictureSize.y.unit)\" opacity=\"0.45\" "
            + "preserveAspectRatio=\"none\" transform=\"matrix(\(numbers.joined(separator: " ")))\" "
            + "xlink:href=\"\(picture)\"/>"
        let veil = crop.map {
            "<path fill=\"#fff\" fill-opacity=\"0.67\" fill-rule=\"evenodd\" d=\"M0 0H\(width)V\(height)H0Z"
                + "M\($0.columns.lowerBound) \($0.rows.lowerBound)H\($0.columns.upperBound)"
                + "V\($0.rows.upperBound)H\($0.columns.lowerBound)Z\"/>"
        }
        return """
            <g transform="scale(\(scale.text(upTo: 9)))">\(picture)\(veil ?? "")</g>
            <rect width="\(box.maxX.unit)" height="\(box.maxY.unit)" fill="none" stroke="#969696"/>
            """
    }
}

extension Point {
    /// Whether it is near enough for renderers to draw it.
    fileprivate var isDrawable: Bool { abs(x) < 1e6 && abs(y) < 1e6 }

    /// Its distance from the origin.
    fileprivate var length: Double { distance(to: Point(x: 0, y: 0)) }

    /// Its coordinates in units.
    var unit: String { "\(x.unit) \(y.unit)" }
}

extension BoundingBox {
    /// Whether a point is in it.
    func contains(_ point: Point) -> Bool { minX...maxX ~= point.x && minY...maxY ~= point.y }

    /// The box with a margin.
    func grown(by margin: Double) -> BoundingBox {
        BoundingBox(minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin)
    }
}

extension Double {
    /// A length in units.
    var unit: String { text(upTo: 2) }

    /// The largest number that is 1, 2 or 5 times a power of ten and not greater than this number; 0 if there
    /// is none.
    var roundedDown: Double {
        guard self > 0, isFinite else { return 0 }
        var power = 1.0
        while power > self { power /= 10 }
        while power * 10 <= self { power *= 10 }
        return [5, 2].map { $0 * power }.first { $0 <= self } ?? power
    }
}
