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
