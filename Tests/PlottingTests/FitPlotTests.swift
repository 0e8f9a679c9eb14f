import Testing
import Tiling

@testable import Georeferencing
@testable import Plotting

/// A drawn point: its name, the place of its mark, and the end of its arrow.
private struct DrawnPoint {
    let title: String
    let color: String
    let place: Point
    let tip: Point?

    init(_ group: XMLElement) throws {
        title = group["title"]?.text ?? ""
        color = group.attributes["stroke"] ?? ""
        let circle = try #require(group["circle"]).attributes
        place = Point(
            x: try #require(circle["cx"].flatMap { Double($0) }),
            y: try #require(circle["cy"].flatMap { Double($0) }))
        let numbers = group["path"]?.attributes["d"]?.split { "ML ".contains($0) }.compactMap { Double($0) }
        tip = numbers.map { Point(x: $0[2], y: $0[3]) }
        if let numbers { #expect(Point(x: numbers[0], y: numbers[1]) == place) }
    }
}

extension FitPlot {
    /// The document, read by Expat: it is well-formed.
    fileprivate var document: XMLElement { get throws { try XMLDocument.parse(Array(svg.utf8)) } }

    /// The points that are drawn.
    fileprivate var drawn: [DrawnPoint] {
        get throws { try document.descendants("g").filter { $0["title"] != nil }.map(DrawnPoint.init) }
    }

    /// All texts.
    fileprivate var texts: [String] { get throws { try document.descendants("text").map(\.text) } }
}

@Suite struct FitPlotTests {
    private static let pixels = [
        (50.0, 40.0), (350, 60), (340, 260), (60, 250), (200, 150), (280, 110), (120, 190),
    ]

    /// Points on a plan of 400 x 300 pixels of a metre; the fifth is a hundred pixels off, or less.
    private static func fit(
        _ model: TransformModel = .affine, offBy error: Double = 100, names: [String]? = nil
    ) throws -> ControlPointFit {
        let points = pixels.enumerated().map { index, pixel in
            ControlPoint(
                pixel: Point(x: pixel.0, y: pixel.1),
                lonLat: lonLat(pixel.0 + (index == 4 ? error : 0), pixel.1),
                name: names?[index] ?? "p\(index + 1)")
        }
        return try ControlPointFit(points, model: model, width: 400, height: 300)
    }

    private static func lonLat(_ x: Double, _ y: Double) -> Point {
        Point(x: 8.54 + 1.32e-5 * x, y: 47.38 - 9e-6 * y)
    }

    private static func plan(
        width: Int = 400, crop: PixelWindow? = nil, planFromStored: AffineTransform = .identity
    ) -> FitPlot.Plan {
        FitPlot.Plan(
            width: width, height: 300, crop: crop, picture: "data:image/png;base64,AAAA",
            pictureSize: Point(x: 400, y: 300), planFromStored: planFromStored)
    }

    private static func plot(_ fit: ControlPointFit) -> FitPlot { FitPlot(fit, on: plan()) }

    @Test("points are marked at their places, and a wrong point in another colour")
    func marks() throws {
        let plot = Self.plot(try Self.fit())
        // The longer side of 400 pixels has 1600 units.
        #expect(try plot.drawn.map(\.place) == Self.pixels.map { Point(x: 4 * $0.0, y: 4 * $0.1) })
        #expect(try plot.drawn.map { $0.color == "#d53c00" } == (0..<7).map { $0 == 4 })
        #expect(try plot.drawn[4].title.hasPrefix("p5, "))
        #expect(try plot.texts.contains { $0.hasPrefix("'p5' is probably wrong") })
    }

    @Test(
        "an arrow leads from its point to its given place, enlarged as the legend says",
        arguments: [(1.0, 0.0), (0, 1), (-0.6, 0.8)])
    func arrows(x: Double, y: Double) throws {
        // The corners of a square, moved to and fro in turn: no affine transform can follow, and the best one
        // stays where it is.
        let corners = [(100.0, 50.0), (300, 50), (300, 250), (100, 250)]
        let points = corners.enumerated().map { index, corner in
            let sign = index % 2 == 0 ? 1.0 : -1
            return ControlPoint(
                pixel: Point(x: corner.0, y: corner.1),
                lonLat: Self.lonLat(corner.0 + sign * x, corner.1 + sign * y), name: "p\(index)")
        }
        let plot = Self.plot(try ControlPointFit(points, model: .affine, width: 400, height: 300))
        // An error of a pixel is 4 units long. 7 % of 1600 units are 28 times as long: 20 is the round number below.
        #expect(plot.enlargement == 20)
        #expect(try plot.texts.contains("from a point to its position by the fit, enlarged 20 times"))
        for (index, point) in try plot.drawn.enumerated() {
            let tip = try #require(point.tip)
            let length = index % 2 == 0 ? 80.0 : -80
            #expect(abs(tip.x - point.place.x - length * x) < 0.5)
            #expect(abs(tip.y - point.place.y - length * y) < 0.5)
        }
        // A pixel is a metre, and so is the error of which the bar is 80 units long.
        let bar = try #require(
            try plot.document.descendants("g").first { $0["text"]?.text == "an error of 1 m" }?["g"]?["path"])
        let length = try #require(bar.attributes["d"]?.split { "MHV ".contains($0) }.dropFirst(2).first)
        #expect(abs(try #require(Double(length)) - 80) < 0.5)
    }

    @Test("the arrow of a wrong point stays in the plot, and its enlargement is a round number")
    func longArrow() throws {
        let plot = Self.plot(try Self.fit())
        #expect([1, 2, 5, 10, 20].contains(try #require(plot.enlargement)))
        let wrong = try plot.drawn[4]
        #expect(wrong.place.distance(to: try #require(wrong.tip)) <= 0.3 * 1600)
        for point in try plot.drawn {
            let tip = try #require(point.tip)
            #expect(plot.area.minX...plot.area.maxX ~= tip.x && plot.area.minY...plot.area.maxY ~= tip.y)
        }
    }

    @Test("the plan is pale, paler outside the crop, and points are marked even there")
    func crop() throws {
        let crop = PixelWindow(columns: 100..<390, rows: 20..<280)
        let plot = FitPlot(try Self.fit(), on: Self.plan(crop: crop))
        let image = try #require(try plot.document.descendants("image").first)
        #expect(image.attributes["opacity"] == "0.45")
        let veil = try plot.document.descendants("path").first { $0.attributes["fill-rule"] == "evenodd" }
        #expect(veil?.attributes["d"] == "M0 0H400V300H0ZM100 20H390V280H100Z")
        #expect(try plot.drawn.count == 7)
        #expect(!(Self.plot(try Self.fit()).svg.contains("evenodd")))
    }

    @Test("an image with an orientation is drawn upright")
    func orientation() throws {
        // Stored 300 wide and 400 high: its top left corner is seen at the top right, its bottom left one at the
        // top left (EXIF 6).
        let turned = AffineTransform(a: 0, b: -1, c: 400, d: 1, e: 0, f: 0)
        #expect(turned(Point(x: 0, y: 0)) == Point(x: 400, y: 0))
        #expect(turned(Point(x: 0, y: 400)) == Point(x: 0, y: 0))
        let plot = FitPlot(try Self.fit(), on: Self.plan(planFromStored: turned))
        let image = try #require(try plot.document.descendants("image").first).attributes
        // SVG 1.1, 7.4: matrix(a b c d e f) is x' = ax + cy + e, y' = bx + dy + f.
        #expect(image["transform"] == "matrix(0 1 -1 0 400 0)")
        #expect(image["href"] == "data:image/png;base64,AAAA")
    }

    @Test("a spline shows leave-one-out errors; too few points show none")
    func zeroResiduals() throws {
        #expect(try Self.plot(Self.fit(.tps, offBy: 20)).drawn.allSatisfy { $0.tip != nil })
        let three = Array(try Self.fit().residuals.prefix(3)).map(\.point)
        let exact = try ControlPointFit(three, model: .affine, width: 400, height: 300)
        #expect(try Self.plot(exact).drawn.map(\.tip) == [nil, nil, nil])
        #expect(try Self.plot(exact).texts.contains { $0.hasPrefix("so few points are always met exactly") })
    }

    @Test("names do not cover each other, nor leave the plot")
    func labels() throws {
        let plot = Self.plot(try Self.fit())
        let labels = PlotLabels(plot).placed
        #expect(labels.count == 7)
        for (index, box) in labels.map(\.box).enumerated() {
            #expect(box.intersection(plot.area) == box)
            for other in labels[..<index].map(\.box) { #expect(box.intersection(other) == nil) }
        }
        #expect(try Set(plot.texts).isSuperset(of: plot.marks.filter { !$0.isSuspect }.map(\.label)))
    }

    @Test("where points are close together, names move away, and lines lead to them")
    func cluster() throws {
        let points = Self.pixels.enumerated().map { index, pixel in
            let pixel = index < 3 ? pixel : (200 + pixel.0 / 40, 150 + pixel.1 / 40)
            return ControlPoint(
                pixel: Point(x: pixel.0, y: pixel.1), lonLat: Self.lonLat(pixel.0, pixel.1),
                name: "name \(index)")
        }
        let labels = PlotLabels(Self.plot(try ControlPointFit(points, width: 400, height: 300))).placed
        #expect(labels.count == 7 && labels.contains(where: \.isApart))
        for (index, label) in labels.enumerated() {
            for other in labels[..<index] {
                let shared = label.box.intersection(other.box)
                #expect((shared?.width ?? 0) * (shared?.height ?? 0) < label.box.width * label.box.height / 8)
            }
        }
    }

    @Test("a spline of three points has no leave-one-out errors: no arrows and no amounts")
    func unspared() throws {
        let three = Array(try Self.fit().residuals.prefix(3)).map(\.point)
        let plot = Self.plot(try ControlPointFit(three, model: .tps, width: 400, height: 300))
        #expect(plot.enlargement == nil && plot.marks.allSatisfy { $0.offset == nil })
        #expect(PlotLabels(plot).placed.map(\.amount) == ["", "", ""])
    }

    @Test("for a spline, the legend says that arrows show the fit of the other points")
    func splineLegend() throws {
        let sights = ["its position by the fit of the other points", "its position by the fit"]
        for (model, sight) in zip([TransformModel.tps, .affine], sights) {
            let texts = try Self.plot(Self.fit(model, offBy: 20)).texts
            #expect(texts.contains { $0.hasPrefix("from a point to \(sight)") })
        }
    }

    @Test("points outside the image are counted in the legend")
    func beyond() throws {
        let points = try Self.fit().residuals.map(\.point)
        // A plan that ends at column 300: two of the points are outside.
        let fit = try ControlPointFit(points, width: 300, height: 300)
        let texts = try FitPlot(fit, on: Self.plan(width: 300)).texts
        #expect(texts.contains("2 outside the image"))
        #expect(try !Self.plot(Self.fit()).texts.contains { $0.contains("beyond") })
    }

    @Test("among many points, only the worst have amounts, and names that would cover others are hidden")
    func crowd() throws {
        let all = (0..<100).map { index in
            let (x, y) = (4 * Double(index % 10), 3 * Double(index / 10))
            return ControlPoint(
                pixel: Point(x: x, y: y), lonLat: Self.lonLat(x + (index == 55 ? 100 : 0), y),
                name: "point \(index)")
        }
        let plot = Self.plot(try ControlPointFit(all, width: 400, height: 300))
        let labels = PlotLabels(plot).placed
        #expect(labels.count < 100)
        #expect(labels.filter { !$0.amount.isEmpty }.map(\.mark.name) == [labels[0].mark.name])
        #expect(labels[0].mark.name.contains("55"))
        #expect(
            try plot.texts.contains("\(100 - labels.count) names left out where points are close together"))
        // Each is in the tooltip of its mark.
        #expect(try plot.drawn.map { $0.title.prefix { $0 != "," } } == (0..<100).map { "point \($0)" })
    }

    @Test(
        "names are always escaped as text",
        arguments: [
            "<script>", "\"'&<>", "]]><!--", "a\u{0}\u{1B}\u{FFFE}\u{FFFF}b", "&#0;&amp;", "x\t\r\ny",
            "\u{202E}漢字é",
            "</title></g><script xlink:href=\"https://a.example\">alert(1)</script>", "\" onload=\"alert(1)",
        ])
    func hostileNames(name: String) throws {
        let names = (1...7).map { $0 == 5 ? name : "p\($0)" }
        let plot = Self.plot(try Self.fit(names: names))
        let kept = String(
            String.UnicodeScalarView(
                name.unicodeScalars.filter { !"\0\u{1B}\r\u{FFFE}\u{FFFF}".unicodeScalars.contains($0) }))
        #expect(try plot.drawn[4].title.hasPrefix("\(kept), "))
        if name.count <= 10 { #expect(try plot.texts.contains(kept)) }
        let plain = Self.plot(try Self.fit())
        #expect(try plot.document.shape == plain.document.shape)
    }

    @Test("texts stand out from the plan, in the system's font")
    func letters() throws {
        let document = try Self.plot(Self.fit()).document
        #expect(document.attributes["font-family"]?.hasSuffix("sans-serif") == true)
        let labels = try #require(
            document.descendants("g").first { $0.attributes["paint-order"] == "stroke" })
        #expect(labels.attributes["stroke"] == "#fff" && labels.children("text").count == 7)
    }

    @Test(
        "a length has a suitable unit",
        arguments: [
            (0.004, "4.0 mm"), (0.25, "25.0 cm"), (12, "12.00 m"), (12_000, "12.00 km"),
            (Double.infinity, "far"),
        ])
    func lengths(metres: Double, text: String) {
        #expect(FitPlot.lengthText(metres) == text)
    }

    @Test(
        "the scale bar of errors has a round length in a suitable unit",
        arguments: [(1e-3, 1.0, "mm"), (0.1, 1, "cm"), (10, 1, "m"), (1e-4, 1, "mm"), (1e-4, 0.1, "mm")])
    func scaleBar(metresPerPixel: Double, error: Double, unit: String) throws {
        let fit = try ControlPointFit(
            Self.pixels.enumerated().map { index, pixel in
                let degrees = metresPerPixel / 111_195
                return ControlPoint(
                    pixel: Point(x: pixel.0, y: pixel.1),
                    lonLat: Point(
                        x: 8 + (pixel.0 + (index == 4 ? error : 0)) * degrees, y: -pixel.1 * degrees),
                    name: "p")
            }, width: 400, height: 300)
        let bar = try #require(try Self.plot(fit).texts.first { $0.hasPrefix("an error of ") })
        #expect(bar.hasSuffix(" \(unit)"), "\(bar)")
        let number = try #require(Double(bar.split(separator: " ")[3]))
        #expect((number * 1.000_001).roundedDown == number, "\(bar)")
    }

    @Test(
        "a round number is 1, 2 or 5 times a power of ten",
        arguments: [
            (1.0, 1.0), (1.99, 1), (2, 2), (4.99, 2), (7, 5), (99, 50), (0.03, 0.02), (0, 0),
        ])
    func roundNumbers(number: Double, round: Double) {
        #expect(abs(number.roundedDown - round) < 1e-12)
    }
}

extension XMLElement {
    /// The names of all elements and of their attributes.
    fileprivate var shape: [String] {
        ["\(name) \(attributes.keys.sorted())"] + children.flatMap(\.shape)
    }
}
