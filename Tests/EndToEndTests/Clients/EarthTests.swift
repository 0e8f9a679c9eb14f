import Foundation
import TestSupport
import Testing

/// What Google Earth is given.
struct EarthTests {
    private struct Information: Decodable {
        struct Corners: Decodable {
            var upperLeft: [Double]
            var lowerRight: [Double]
        }
        var size: [Int]
        var cornerCoordinates: Corners
    }

    @Test(
        "The overlay of doc.kml lies where the plan does, as GDAL reads it", .needs("gdalinfo"))
    func overlay() throws {
        let workshop = try Workshop()
        let tree = try workshop.build(["--doc-kml", "overlay"])
        let picture = try Picture(contentsOf: tree.appending(path: "doc.png").path)
        let outcome = try Tool.run(
            "gdalinfo", ["-json", tree.appending(path: "doc.kml").path], in: workshop.url)
        let information = try JSONDecoder().decode(
            Information.self, from: Data(outcome.output.utf8))
        #expect(information.size == [picture.width, picture.height])
        // Its edges are those of pixels of zoom 17, 1.07e-5 degrees wide, around the plan's.
        let corners = information.cornerCoordinates
        for (edge, plan) in [
            (corners.upperLeft[0], 2), (corners.upperLeft[1], 48.002),
            (corners.lowerRight[0], 2.003),
            (corners.lowerRight[1], 48),
        ] {
            #expect(abs(edge - plan) < 1.1e-5)
        }
        // The plan's middle is in the picture's middle.
        #expect(
            picture.rgba[(picture.height / 2 * picture.width + picture.width / 2) * 4 + 3] == 255)
    }

    @Test("A superoverlay is removed with its tiles, and refused for too many of them")
    func superOverlay() throws {
        let workshop = try Workshop()
        try workshop.build(["--doc-kml", "superoverlay", "--zoom", "14-17"])
        #expect(try documents(workshop).count > 2)
        try workshop.build()
        #expect(try documents(workshop).isEmpty)
        let outcome = try workshop.run([
            "plan.png", "--bounds", "2,48,2.1,48.1", "-o", "many", "--zoom", "14-20", "--doc-kml",
            "superoverlay",
        ])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("superoverlay of "))
        #expect(!workshop.has("many"))
    }

    private func documents(_ workshop: Workshop) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: workshop.path("out"))
            .filter { $0.hasSuffix(".kml") }
    }
}
