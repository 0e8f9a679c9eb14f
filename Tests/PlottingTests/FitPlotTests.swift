import Georeferencing
import Raster
import TestSupport
import Testing
import Tiling

@testable import Plotting

/// A source of one colour, or of a colour per pixel.
private final class Paper: RasterSource {
    let info: RasterInfo
    private let color: (_ column: Int, _ row: Int) -> [UInt8]
    private var row = 0

    init(
        width: Int, height: Int, _ format: PixelFormat = .rgb8,
        color: @escaping (_ column: Int, _ row: Int) -> [UInt8]
    ) {
        info = RasterInfo(width: width, height: height, pixelFormat: format, summary: "")
        self.color = color
    }

    func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int) throws {
        for index in 0..<count {
            let bytes = (0..<info.width).flatMap { color($0, row) }
            (destination + index * stride).copyMemory(from: bytes, byteCount: bytes.count)
            row += 1
        }
    }
}

/// A pixel of a drawn picture: red, green, blue.
private func color(_ canvas: Canvas, _ x: Double, _ y: Double) -> [UInt8] {
    let index = (Int(y) * canvas.width + Int(x)) * 4
    return Array(canvas.rgba[index..<index + 3])
}

/// Whether two colours differ by no more than the edge of a line.
private func isNear(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    zip(one, other).allSatisfy { abs(Int($0) - Int($1)) < 16 }
}

private let blue: [UInt8] = [0, 90, 181]
private let vermilion: [UInt8] = [213, 60, 0]

@Suite struct FitPlotTests {
    /// Points on a plan of 400 x 300 pixels of a metre; the fifth is a hundred pixels off, or less.
    private static func fit(
        _ model: TransformModel = .affine, offBy error: Double = 100
    ) throws -> ControlPointFit {
        let pixels = [
            (50.0, 40.0), (350, 60), (340, 260), (60, 250), (200, 150), (280, 110), (120, 190),
        ]
        let points = pixels.enumerated().map { index, pixel in
            let column = pixel.0 + (index == 4 ? error : 0)
            return ControlPoint(
                pixel: Point(x: pixel.0, y: pixel.1),
                lonLat: Point(x: 8.54 + 1.32e-5 * column, y: 47.38 - 9e-6 * pixel.1),
                name: "p\(index + 1)")
        }
        return try ControlPointFit(points, model: model, width: 400, height: 300)
    }

    private static func image(
        storedFromView: AffineTransform = .identity, crop: PixelWindow? = nil,
        color: @escaping (Int, Int) -> [UInt8] = { _, _ in [0, 0, 0] }
    ) throws -> PlottedImage {
        let turned = storedFromView.a == 0
        let paper = Paper(width: turned ? 300 : 400, height: turned ? 400 : 300, color: color)
        return PlottedImage(
            try ReducedImage(paper, box: 1), reduction: 1, storedFromView: storedFromView,
            width: 400,
            height: 300, crop: crop)
    }

    @Test("points are marked where they are, and the one that is wrong in another colour", .long)
    func marks() throws {
        let fit = try Self.fit()
        #expect(fit.suspect?.point.name == "p5")
        let canvas = FitPlot(fit, on: try Self.image()).draw()
        // A small image is shown three times as large: its longer side has 1000 pixels at least.
        #expect(canvas.width == 1200)
        #expect(canvas.height > 900)
        for (index, residual) in fit.residuals.enumerated() {
            let (x, y) = (3 * residual.point.pixel.x, 3 * residual.point.pixel.y)
            #expect(isNear(color(canvas, x, y), index == 4 ? vermilion : blue))
        }
        // Black is paled to 255 * 0.55.
        #expect(color(canvas, 600, 10) == [140, 140, 140])
        #expect(color(canvas, 5, 895) == [140, 140, 140])
    }

    @Test("a vector leads from its point to where the fit sees it, as often as long as is said", .long)
    func vectors() throws {
        let fit = try Self.fit()
        let plot = FitPlot(fit, on: try Self.image())
        let enlargement = try #require(plot.enlargement)
        // 1, 2 or 5 times a power of ten, and the suspect's within a third of the picture.
        #expect([1, 2, 5, 10, 20].contains(enlargement))
        let canvas = plot.draw()
        for residual in fit.residuals {
            let offset = residual.miss.pixelOffset
            let (x, y) = (3 * residual.point.pixel.x, 3 * residual.point.pixel.y)
            let ink = residual.point == fit.suspect?.point ? vermilion : blue
            let share = 0.9 * 3 * enlargement
            #expect(color(canvas, x + share * offset.x, y + share * offset.y) == ink)
        }
    }

    @Test("what was cropped off is paler, and points outside are marked all the same", .long)
    func crop() throws {
        let crop = PixelWindow(columns: 100..<400, rows: 0..<300)
        let canvas = FitPlot(try Self.fit(), on: try Self.image(crop: crop)).draw()
        #expect(color(canvas, 900, 30) == [140, 140, 140])
        // 255 * 0.85
        #expect(color(canvas, 30, 450) == [217, 217, 217])
        #expect(isNear(color(canvas, 150, 120), blue))
    }

    @Test("an image that is stored turned is drawn as it is seen", .long)
    func orientation() throws {
        // Stored 300 wide and 400 high; its upper half is seen at the right.
        let turn = Orientation.quarterTurn.storedFromUpright(storedWidth: 300, storedHeight: 400)
        let image = try Self.image(storedFromView: turn) { _, row in
            row < 200 ? [255, 0, 0] : [0, 0, 255]
        }
        let canvas = FitPlot(try Self.fit(), on: image).draw()
        #expect(color(canvas, 30, 30) == [140, 140, 255])
        #expect(color(canvas, 1170, 30) == [255, 140, 140])
    }

    @Test("a spline shows how far points are off when left out; too few points show nothing", .long)
    func zeroResiduals() throws {
        #expect(FitPlot(try Self.fit(.tps, offBy: 20), on: try Self.image()).enlargement != nil)
        let three = Array(try Self.fit().residuals.prefix(3)).map(\.point)
        let exact = try ControlPointFit(three, model: .affine, width: 400, height: 300)
        let plot = FitPlot(exact, on: try Self.image())
        #expect(plot.enlargement == nil)
        #expect(plot.draw().width == 1200)
    }

    @Test("names do not cover each other, nor leave the image")
    func labels() throws {
        let plot = FitPlot(try Self.fit(), on: try Self.image())
        let boxes = PlotLabels(plot).placed.map { label in
            let text = "\(label.name) \(label.amount)"
            return BoundingBox(
                minX: label.corner.x, minY: label.corner.y,
                maxX: label.corner.x + label.style.width(of: text),
                maxY: label.corner.y + plot.textHeight)
        }
        #expect(boxes.count == 7)
        for (index, box) in boxes.enumerated() {
            #expect(box.minX >= 0 && box.maxX <= 1200 && box.minY >= 0 && box.maxY <= 900)
            for other in boxes[..<index] {
                let isApart =
                    box.minX > other.maxX || other.minX > box.maxX || box.minY > other.maxY
                    || other.minY > box.maxY
                #expect(isApart)
            }
        }
    }

    @Test("three points of a spline can spare none: there is no vector, and no amount")
    func unspared() throws {
        let three = Array(try Self.fit().residuals.prefix(3)).map(\.point)
        let fit = try ControlPointFit(three, model: .tps, width: 400, height: 300)
        let plot = FitPlot(fit, on: try Self.image())
        #expect(plot.enlargement == nil && plot.marks.allSatisfy { $0.offset == nil })
        #expect(PlotLabels(plot).placed.map(\.amount) == ["", "", ""])
    }

    @Test("of a spline, the legend says that the fit of all others sees a point")
    func splineLegend() throws {
        let texts = { (model: TransformModel) in
            PlotLegend(FitPlot(try Self.fit(model, offBy: 20), on: try Self.image())).items.map(\.text)
        }
        let sights = ["where the fit of all others sees it", "where the fit sees it"]
        for (model, index) in [(TransformModel.tps, 0), (.affine, 1)] {
            #expect(try texts(model).contains { $0.hasPrefix("from a point to \(sights[index])") })
        }
    }

    @Test("points beyond the image's edges are counted in the legend")
    func beyond() throws {
        let points = try Self.fit().residuals.map(\.point)
        // A plan that ends at column 300: two of the points lie beyond it.
        let fit = try ControlPointFit(points, width: 300, height: 300)
        let paper = Paper(width: 300, height: 300) { _, _ in [0, 0, 0] }
        let image = PlottedImage(
            try ReducedImage(paper, box: 1), reduction: 1, storedFromView: .identity, width: 300,
            height: 300, crop: nil)
        let texts = PlotLegend(FitPlot(fit, on: image)).items.map(\.text)
        #expect(texts.contains("2 beyond the image's edges"))
        #expect(
            !PlotLegend(FitPlot(try Self.fit(), on: try Self.image())).items
                .contains { $0.text.contains("beyond") })
    }

    @Test("among many points, amounts are left out but for the worst, and names that would cover others")
    func crowd() throws {
        let all = (0..<100).map { index in
            let (x, y) = (4 * Double(index % 10), 3 * Double(index / 10))
            return ControlPoint(
                pixel: Point(x: x, y: y),
                lonLat: Point(
                    x: 8.54 + 1.32e-5 * (x + (index == 55 ? 100 : 0)), y: 47.38 - 9e-6 * y),
                name: "point \(index)")
        }
        let fit = try ControlPointFit(all, width: 400, height: 300)
        let labels = PlotLabels(FitPlot(fit, on: try Self.image())).placed
        #expect(labels.count < 100)
        #expect(labels.filter { !$0.amount.isEmpty }.map(\.name) == [labels[0].name])
        #expect(labels[0].name.contains("55"))
    }

    @Test(
        "a length has a unit that suits it",
        arguments: [
            (0.004, "4.0 mm"), (0.25, "25.0 cm"), (12, "12.00 m"), (12_000, "12.00 km"),
            (Double.infinity, "more km"),
        ])
    func lengths(metres: Double, text: String) {
        #expect(FitPlot.lengthText(metres) == text)
    }

    @Test(
        "the scale bar of errors has a round length in a unit that suits it",
        arguments: [(1e-3, 1.0, "mm"), (0.1, 1, "cm"), (10, 1, "m"), (1e-4, 1, "mm"), (1e-4, 0.1, "mm")])
    func scaleBar(metresPerPixel: Double, error: Double, unit: String) throws {
        let fit = try ControlPointFit(
            Self.fit(offBy: 0).residuals.enumerated().map { index, residual in
                let pixel = residual.point.pixel
                let degrees = metresPerPixel / 111_195
                return ControlPoint(
                    pixel: pixel,
                    lonLat: Point(
                        x: 8 + (pixel.x + (index == 4 ? error : 0)) * degrees, y: -pixel.y * degrees),
                    name: "p")
            }, width: 400, height: 300)
        let texts = PlotLegend(FitPlot(fit, on: try Self.image())).items.map(\.text)
        let bar = try #require(texts.first { $0.hasPrefix("an error of ") })
        #expect(bar.hasSuffix(" \(unit)"), "\(bar)")
        let number = try #require(Double(bar.split(separator: " ")[3]))
        #expect(RoundNumber.below(number * 1.000_001) == number, "\(bar)")
    }
}

@Suite struct CanvasTests {
    @Test("a line beyond the edges draws nothing")
    func beyond() {
        var canvas = Canvas(width: 20, height: 10)
        let before = canvas.rgba
        for line in [[Point(x: -50, y: 5), Point(x: -30, y: 5)], [Point(x: 5, y: 90), Point(x: 9, y: 90)]] {
            canvas.stroke([line], thickness: 2, .black)
        }
        #expect(canvas.rgba == before)
        canvas.stroke([[Point(x: 2, y: 5), Point(x: 18, y: 5)]], thickness: 2, .black)
        #expect(canvas.rgba != before)
    }
}

@Suite struct ReducedImageTests {
    @Test("a box is the mean of its pixels over white paper, also at the edges")
    func means() throws {
        let source = Paper(width: 5, height: 3, .rgba8) { column, row in
            column == 4 ? [0, 0, 0, 51] : [UInt8(10 * column), UInt8(100 * row), 7, 255]
        }
        let image = try ReducedImage(source, box: 2)
        #expect((image.width, image.height) == (3, 2))
        #expect(image.rgb[0..<6] == [5, 50, 7, 25, 50, 7])
        // A fifth of black on white.
        #expect(image.rgb[6..<9] == [204, 204, 204])
        #expect(image.rgb[9..<12] == [5, 200, 7])
    }

    @Test("gray pixels are gray")
    func gray() throws {
        let source = Paper(width: 4, height: 2, .gray8) { column, row in [UInt8(40 * column + 20 * row)] }
        let image = try ReducedImage(source, box: 2)
        #expect(image.rgb == [30, 30, 30, 110, 110, 110])
    }
}

@Suite struct StrokeFontTests {
    @Test("all printable characters of ASCII that names are made of are drawn")
    func characters() {
        let text =
            "0123456789 abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ .,:;!?-+=_/\\|'\"()[]<>*#%@"
        let box = StrokeFont.glyph(of: "\u{2603}").strokes
        for character in text where character != " " {
            let glyph = StrokeFont.glyph(of: character)
            #expect(glyph.strokes != box, "\(character)")
            #expect(glyph.strokes.allSatisfy { $0.count >= 2 })
            for point in glyph.strokes.joined() {
                #expect(0...10 ~= point.x && 0...16 ~= point.y, "\(character)")
            }
        }
    }
}

@Suite struct RoundNumberTests {
    @Test(
        "a round number is 1, 2 or 5 times a power of ten",
        arguments: [
            (1.0, 1.0), (1.99, 1), (2, 2), (4.99, 2), (7, 5), (99, 50), (0.03, 0.02), (0, 0),
        ])
    func below(number: Double, round: Double) {
        #expect(abs(RoundNumber.below(number) - round) < 1e-12)
    }
}
