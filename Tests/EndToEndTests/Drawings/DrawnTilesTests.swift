import Foundation
import TestSupport
import Testing

/// Tiles of documents that are drawn.
@Suite(.needsRenderer)
struct DrawnTilesTests {
    private func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try workshop.write(Data(Drawing.pdf(600, 400, pages: [Drawing.plan]).utf8), to: "plan.pdf")
        try workshop.write(Data(Drawing.svg.utf8), to: "plan.svg")
        return workshop
    }

    @Test(
        "Tiles do not depend on jobs and memory, and each is the same by itself", .long,
        arguments: [
            ["--zoom", "16-19"], ["--zoom", "16-19", "--overviews", "halved"],
            ["--zoom", "17-19", "--resampling", "nearest"], ["--zoom", "18-19", "--paper", "255,255,255,10"],
            ["--zoom", "18", "--tile-size", "512", "--crop", "100,50,801,600"],
        ])
    func sameTiles(options: [String]) throws {
        try workshop().expectSameTiles(options, of: "plan.pdf", atLeast: 3)
    }

    @Test("The same of a turned page, and of one in a system that bends its edges", .long)
    func sameTilesElsewhere() throws {
        let workshop = try workshop()
        for (name, place) in [
            ("turned", ["--corners", "2,48.0005 2.003,48.001 2.0025,47.999 1.9995,47.9985"]),
            ("utm", ["--crs", "EPSG:32631", "--bounds", "425000,5316000,425400,5316300"]),
            ("lambert", ["--crs", "EPSG:2154", "--bounds", "625000,6766000,625400,6766300"]),
        ] {
            let build = { (jobs: String, output: String) in
                try Program.succeed(
                    ["plan.pdf", "--zoom", "15-18", "-o", output, "-j", jobs] + place, in: workshop.url)
                return try Snapshot(of: workshop.file(output)).tiles
            }
            let once = try build("1", "\(name)1")
            #expect(once.count > 8)
            #expect(try build("3", "\(name)3") == once, "\(name)")
        }
    }

    /// A page whose 600 x 400 points are 1200 x 800 pixels of zoom 19 from a tile's corner on, as an option.
    private static let aligned: [String] = {
        let cell = World.cellSize(zoom: 19)
        let (west, north) = (
            Double(265_600 * 256) * cell - World.halfWidth, World.halfWidth - Double(181_500 * 256) * cell
        )
        let edges = [west, north - 800 * cell, west + 1200 * cell, north].map { "\($0)" }
        return ["--crs", "EPSG:3857", "--bounds", edges.joined(separator: ",")]
    }()

    private func drawn(_ image: String, _ options: [String], zoom: Int = 19, in workshop: Workshop) throws
        -> Mosaic
    {
        let output = "out-\(image)-\(options.count)"
        try Program.succeed(
            [image, "--zoom", "18-19", "-o", output] + Self.aligned + options, in: workshop.url)
        return try Mosaic(of: workshop.file(output), zoom: zoom)
    }

    @Test(
        "Pages are drawn like poppler's drawing at four times the size, averaged", .long,
        .needs("pdftocairo"),
        .needsPython("numpy", "PIL"), arguments: [19, 18])
    func agreesWithPoppler(zoom: Int) throws {
        let workshop = try workshop()
        // Lines of a pixel and more, and no letters of a font that each machine draws from another file.
        let rooms = (0..<4).map {
            "\(0.2 * Double($0)) 0.9 0.5 rg \(33 + $0 * 131) \(57 + $0 * 21) 117 201 re B"
        }
        let page = (["3 w"] + rooms + ["2.5 w 30 390 m 590 300 l S"]).joined(separator: "\n")
        try workshop.write(Data(Drawing.pdf(600, 400, pages: [page]).utf8), to: "lines.pdf")
        _ = try drawn("lines.pdf", [], in: workshop)
        let scale = zoom == 19 ? 2 : 1
        let drawn = try Tool.run(
            "pdftocairo",
            [
                "-png", "-transp", "-singlefile", "-r", "\(72 * scale * 4)", workshop.path("lines.pdf"),
                workshop.path("large"),
            ])
        #expect(drawn.status == 0, "\(drawn.errors)")
        let script = """
            import sys, glob, numpy as np
            from PIL import Image
            def load(path):
                pixels = np.asarray(Image.open(path).convert('RGBA')).astype(float)
                pixels[..., :3] *= pixels[..., 3:] / 255
                return pixels
            scale, zoom = int(sys.argv[1]), int(sys.argv[2])
            large = load('large.png')
            ideal = large.reshape(400 * scale, 4, 600 * scale, 4, 4).mean((1, 3))
            column, row = 265600 >> 19 - zoom, 181500 >> 19 - zoom
            ours = np.zeros((1024, 1536, 4))
            for path in glob.glob(f'out-lines.pdf-0/{zoom}/*/*.png'):
                x, y = (int(part.split('.')[0]) for part in path.split('/')[-2:])
                ours[(y - row) * 256:(y - row + 1) * 256, (x - column) * 256:(x - column + 1) * 256] = load(path)
            error = np.mean((ours[:400 * scale, :600 * scale] - ideal) ** 2)
            print(10 * np.log10(255 ** 2 / error))
            print(ours[400 * scale:].max() + ours[:, 600 * scale:].max())
            """
        let python = try #require(Python.path(with: ["numpy", "PIL"]))
        let compared = try Tool.run(python, ["-c", script, "\(scale)", "\(zoom)"], in: workshop.url)
        let numbers = compared.output.split(separator: "\n").compactMap { Double($0) }
        #expect(numbers.count == 2, "\(compared.errors)")
        #expect(numbers.first ?? 0 > 40, "\(numbers)")
        #expect(numbers.last == 0, "something is drawn beyond the page")
    }

    @Test("The same drawing as an SVG has the same tiles but for edges", .long)
    func agreesWithSVG() throws {
        let workshop = try workshop()
        try workshop.write(Data(Drawing.pdf(600, 400, pages: [Drawing.rooms]).utf8), to: "same.pdf")
        let svg = try drawn("plan.svg", [], in: workshop).picture
        let pdf = try drawn("same.pdf", [], in: workshop).picture
        #expect(svg.width == pdf.width && svg.height == pdf.height)
        let error = zip(svg.rgba, pdf.rgba).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) }
        let ratio = 10 * log10(255 * 255 / (error / Double(svg.rgba.count)))
        #expect(ratio > 35, "\(ratio) dB")
    }

    @Test("A hairline is seen at every zoom, and a hatch is even at every zoom")
    func hairlines() throws {
        let workshop = try Workshop()
        let hatch = (0..<300).map { "\(50 + Double($0) * 0.9) 40 m \(50 + Double($0) * 0.9) 340 l S" }
        let page = (["0 w 400 200 m 590 200 l S 495 50 m 495 350 l S"] + hatch).joined(separator: "\n")
        try workshop.write(Data(Drawing.pdf(600, 400, pages: [page]).utf8), to: "hair.pdf")
        try Program.succeed(
            ["hair.pdf", "--zoom", "13-19", "-o", "out"] + Self.aligned, in: workshop.url)
        for zoom in 14...19 {
            let mosaic = try Mosaic(of: workshop.file("out"), zoom: zoom)
            let scale = 2 / Double(1 << (19 - zoom))
            let (left, top) = (
                (265_600 * 256) >> (19 - zoom), (181_500 * 256) >> (19 - zoom)
            )
            func alpha(_ x: Double, _ y: Double) -> Int {
                let column = left + Int(x * scale) - mosaic.origin.column
                let row = top + Int(y * scale) - mosaic.origin.row
                return Int(mosaic.picture[column, row].alpha)
            }
            // Across the hairline, which may lie on two pixels.
            let seen = (-1...1).map { alpha(495 + Double($0) / scale, 120) }.reduce(0, +)
            #expect(seen > 15, "a hairline of zoom \(zoom) has \(seen) of 255")
            if scale < 0.6, scale > 0.1 {
                let tones = stride(from: 80.0, to: 300, by: 1 / scale).map { alpha($0, 200) }
                let range = (tones.max() ?? 0) - (tones.min() ?? 0)
                #expect(range < 26, "the hatch of zoom \(zoom) varies by \(range) of 255")
            }
        }
    }
}
