import Foundation
import Georeferencing
import TestSupport
import Testing
import TilewrightKit
import Tiling

/// The files of a fit: a world file, and a picture.
struct FitFileTests {
    private let site: Site

    init() throws { site = try Site() }

    private func placed(
        _ site: Site, _ model: TransformModel = .affine
    ) throws -> PlacedImage {
        try PlacedImage(
            site.image(at: PositionRequest(.controlPoints(Site.points()), transform: model)))
    }

    @Test("A world file and its .prj put the image where the fit does", .needs("cs2cs"))
    func worldFile() throws {
        let image = try placed(site)
        try WorldFilePair(image, path: site.path("plan.pgw")).write()
        let numbers = try site.text("plan.pgw").split(whereSeparator: \.isWhitespace)
            .compactMap { Double($0) }
        try #require(numbers.count == 6)
        // The file has the centre of the first pixel; the pixel's corner is half a pixel before it.
        let x = numbers[4] - (numbers[0] + numbers[2]) / 2
        let y = numbers[5] - (numbers[1] + numbers[3]) / 2
        let outcome = try Tool.run(
            "cs2cs", ["-f", "%.9f", "@" + site.path("plan.prj"), "EPSG:4326"], input: "\(x) \(y)\n")
        if outcome.status == 0 {
            let fields = outcome.output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
            #expect(hypot(fields[0] - 48.002, fields[1] - 2) < 1e-6)
        }
        let again = try PlacedImage(site.image(at: PositionRequest(.worldFile(site.path("plan.pgw")))))
        for (corner, expected) in zip(again.corners, Site.corners) {
            #expect(hypot(corner.x - expected.x, corner.y - expected.y) < 1e-6)
        }
    }

    @Test("The picture of a fit is an SVG file of the image")
    func picture() throws {
        let image = try placed(site)
        try FitPlotFile(image.request, path: site.path("fit.svg")).write(image)
        let text = try site.text("fit.svg")
        #expect(
            text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg ") && text.hasSuffix("</svg>\n"))
        #expect(
            text.contains("<image width=\"300\" height=\"200\" ")
                && text.contains("xlink:href=\"data:image/png;base64,"))
    }

    @Test(
        "A wrong name, a missing fit, and a fit that a world file cannot hold are refused",
        arguments: [
            ("plan.txt", "that is not the name of a world file"),
            ("plan", "that is not the name of a world file"),
            ("curved", "a world file cannot hold a polynomial2 fit"),
            ("nothing", "there is nothing to fit: the position comes from bounds"),
        ])
    func refusedWorldFiles(name: String, words: String) throws {
        let image: PlacedImage =
            switch name {
            case "curved": try placed(site, .polynomial2)
            case "nothing": try PlacedImage(site.image())
            default: try placed(site)
            }
        let path = site.path(name.hasPrefix("plan") ? name : "plan.pgw")
        expectRefusal(.usage, words) { try WorldFilePair(image, path: path) }
    }

    @Test("A picture needs a fit and the name of an SVG or PNG file, other than the image's own")
    func refusedPictures() throws {
        let image = try placed(site)
        expectRefusal(.usage, "the picture of a fit is an SVG or PNG file") {
            try FitPlotFile(image.request, path: site.path("fit.jpg"))
        }
        expectRefusal(.usage, "that is the image itself") {
            try FitPlotFile(image.request, path: site.path("plan.png"))
        }
        let bounds = try PlacedImage(site.image())
        expectRefusal(.usage, "there is nothing to fit: the position comes from bounds") {
            try FitPlotFile(bounds.request, path: site.path("fit.svg")).write(bounds)
        }
    }
}
