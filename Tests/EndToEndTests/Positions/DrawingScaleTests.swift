import Foundation
import TestSupport
import Testing

/// `--scale 1:N`, with the resolution that ImageMagick has written into a file.
struct DrawingScaleTests {
    private static let anchor = ["--anchor", "0,0,8.5,47.3"]

    /// The edge of a pixel on the ground, in metres, by the place of the top right corner.
    private func pixelSize(_ image: String, _ options: [String], in workshop: Workshop) throws -> Double {
        let outcome = try Program.succeed(
            ["info", image, "--json"] + Self.anchor + options, in: workshop.url)
        let corners = try Report(outcome.output).corners
        return corners[0].offset(to: corners[1]).east / 300
    }

    @Test(
        "The resolution of a file says what the scale of a drawing is on the ground",
        .needs("convert"),
        arguments: [
            ("a.png", "PixelsPerInch", 300.0, 1.0), ("b.png", "PixelsPerCentimeter", 120, 2.54),
            ("c.jpg", "PixelsPerInch", 150, 1), ("d.jpg", "PixelsPerCentimeter", 80, 2.54),
            ("e.tif", "PixelsPerInch", 200, 1), ("f.tif", "PixelsPerCentimeter", 40, 2.54),
        ].some(2))
    func resolutions(name: String, units: String, density: Double, perInch: Double) throws {
        let workshop = try Workshop()
        let made = try Tool.run(
            "convert",
            [
                workshop.path("plan.png"), "-units", units, "-density", "\(density)", workshop.path(name),
            ])
        #expect(made.status == 0)
        let expected = 250 * 0.0254 / (density * perInch)
        let size = try pixelSize(name, ["--scale", "1:250"], in: workshop)
        #expect(abs(size / expected - 1) < 1e-5)
        let other = try pixelSize(name, ["--scale", "1:250", "--dpi", "600"], in: workshop)
        #expect(abs(other / (250 * 0.0254 / 600) - 1) < 1e-5)
    }

    @Test(
        "Missing and invalid values are errors with a remedy",
        arguments: [
            (["--scale", "1:100"], "--scale 1:100 needs the resolution of the image", "add --dpi N"),
            (["--scale", "0.02", "--dpi", "300"], "--dpi does not apply", "use it with --scale 1:N"),
            (["--scale", "1/100"], "'1/100' is not a scale", "as 1:100"),
            (["--scale", "2:100"], "'2:100' is not a scale", "as 1:100"),
            (["--scale", "1:0"], "'1:0' is not a scale", "as 1:100"),
            (["--scale", "1:100", "--dpi", "0"], "--dpi 0 is not a resolution", "300"),
        ])
    func refusals(options: [String], words: String, way: String) throws {
        let workshop = try Workshop()
        let outcome = try workshop.run(["info", "plan.png"] + Self.anchor + options)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(words) && outcome.errors.contains(way), "\(outcome.errors)")
    }

    private static let points = ["--gcp", "20,30,8.5,47.3", "--gcp", "280,200,8.5004,47.2999"]

    @Test("A rigid fit has exactly the scale of the drawing, by options and by a manifest")
    func rigid() throws {
        let workshop = try Workshop()
        func size(_ arguments: [String]) throws -> Double {
            try Program.succeed(["fit"] + arguments + ["-o", "fit.pgw"], in: workshop.url)
            let world = try String(contentsOf: workshop.file("fit.pgw"), encoding: .utf8)
                .split(whereSeparator: \.isNewline).compactMap { Double($0) }
            return hypot(world[0], world[1])
        }
        let expected = 250 * 0.0254 / 60
        let options = ["--transform", "rigid", "--scale", "1:250", "--dpi", "60"]
        #expect(abs(try size(["plan.png"] + Self.points + options) / expected - 1) < 1e-12)
        // A single point with a bearing is an anchor.
        let single = try Program.succeed(
            ["info", "plan.png", "--json", "--gcp", "20,30,8.5,47.3", "--bearing", "12"] + options,
            in: workshop.url)
        let anchor = try Program.succeed(
            [
                "info", "plan.png", "--json", "--anchor", "20,30,8.5,47.3", "--bearing", "12", "--scale",
                "1:250", "--dpi", "60",
            ], in: workshop.url)
        for (one, other) in zip(try Report(single.output).corners, try Report(anchor.output).corners) {
            let miss = one.offset(to: other)
            #expect(hypot(miss.east, miss.north) < 1e-6)
        }
        try Data(
            """
            output: tiles
            transform: rigid
            scale: "1:250"
            dpi: 60
            gcp: ["20,30,8.5,47.3", "280,200,8.5004,47.2999"]
            floors:
              - {floor: 1, image: plan.png}
            """.utf8
        ).write(to: workshop.file("building.yaml"))
        #expect(abs(try size(["building.yaml"]) / expected - 1) < 1e-12)
    }

    @Test("Points that keep a scale are taken, even if the manifest names another transform")
    func taken() throws {
        let workshop = try Workshop()
        let rows = ["8.5,47.3,20,-30", "8.5004,47.2999,280,-200"].enumerated().map { index, row in
            "\(row),1,0,0,0,\(index),300x200,rigid,0.12,\n"
        }
        let header =
            "mapX,mapY,sourceX,sourceY,enable,dX,dY,residual,name,imageSize,transform,scale,bearing\n"
        try Data((header + rows.joined()).utf8).write(to: workshop.file("plan.png.points"))
        func take(_ transform: String) throws -> (errors: String, fit: Tool.Outcome) {
            try Data(
                "output: tiles\ntransform: \(transform)\nfloors:\n  - {floor: 1, image: plan.png}\n".utf8
            ).write(to: workshop.file("building.yaml"))
            let taken = try Program.succeed(
                ["place", "building.yaml", "--take", "plan.png.points"], in: workshop.url)
            return (taken.errors, try workshop.run(["fit", "building.yaml", "--json"]))
        }
        let other = try take("affine")
        #expect(other.errors.contains("2 points, rigid fit"), "\(other.errors)")
        #expect(other.errors.contains("write 'transform: rigid' instead of 'transform: affine'"))
        #expect(other.fit.status == 65 && other.fit.errors.contains("affine fit needs 3"))
        let rigid = try take("rigid")
        #expect(!rigid.errors.contains("write"), "\(rigid.errors)")
        #expect(rigid.fit.status == 0 && rigid.fit.output.contains(#""transform" : "rigid""#))
    }

    @Test(
        "A rigid fit without its scale, or a scale without a rigid fit, is an error with a way out",
        arguments: [
            (["--transform", "rigid"], "--transform rigid needs the plan's scale", "add --scale 1:N"),
            (["--transform", "rigid", "--scale", "1:100"], "needs the resolution of the image", "--dpi N"),
            (["--scale", "1:100"], "--scale needs --transform rigid", "add --transform rigid"),
            (
                ["--transform", "affine", "--scale", "1:100"],
                "needs --transform rigid, not --transform affine",
                "leave --scale out"
            ),
            (
                ["--transform", "rigid", "--scale", "0.1", "--bearing", "3"],
                "a bearing does not apply to 2 control points", "leave --bearing out"
            ),
        ])
    func rigidRefusals(options: [String], words: String, way: String) throws {
        let workshop = try Workshop()
        let outcome = try workshop.run(["info", "plan.png"] + Self.points + options)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(words) && outcome.errors.contains(way), "\(outcome.errors)")
    }

    @Test("Pixels that are not square on paper have no scale", .needs("convert"))
    func fax() throws {
        let workshop = try Workshop()
        let made = try Tool.run(
            "convert",
            [
                workshop.path("plan.png"), "-units", "PixelsPerInch", "-density", "204x98",
                workshop.path("fax.tif"),
            ])
        #expect(made.status == 0)
        let outcome = try workshop.run(["info", "fax.tif"] + Self.anchor + ["--scale", "1:100"])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("the image has 204 x 98 pixels per inch"), "\(outcome.errors)")
    }
}
