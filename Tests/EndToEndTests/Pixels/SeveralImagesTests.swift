import Foundation
import TestSupport
import Testing

/// Several images that become one tileset.
struct SeveralImagesTests {
    private let workshop: Workshop

    /// The plan with a world file next to it, and the same cut into four sheets, with names in a list.
    init() throws {
        workshop = try Workshop()
        try writeWorldFile(column: 0, row: 0, of: "plan")
        var names: [String] = []
        for (column, columns) in [0..<121, 121..<300].enumerated() {
            for (row, rows) in [0..<90, 90..<200].enumerated() {
                let name = "sheet\(column)\(row)"
                try workshop.plan.part(columns, rows).write(to: workshop.path("\(name).png"))
                try writeWorldFile(column: columns.lowerBound, row: rows.lowerBound, of: name)
                names.append("\(name).png")
            }
        }
        try workshop.write("\(names.joined(separator: "\r\n"))\n\n".utf8, to: "sheets.txt")
    }

    private func writeWorldFile(column: Int, row: Int, of name: String) throws {
        let (west, north) = (2 + (Double(column) + 0.5) * 1e-5, 48.002 - (Double(row) + 0.5) * 1e-5)
        try workshop.write("1e-5\n0\n0\n-1e-5\n\(west)\n\(north)\n".utf8, to: "\(name).pgw")
    }

    private func build(_ sources: [String], to output: String) throws -> Mosaic {
        try Program.succeed(sources + ["--crs", "EPSG:4326", "-o", output], in: workshop.url)
        return try Mosaic(of: workshop.file(output), zoom: 17)
    }

    @Test("sheets that were cut out of a plan look like the plan")
    func sheets() throws {
        let whole = try build(["plan.png"], to: "whole")
        let sheets = try build(["@sheets.txt"], to: "sheets")
        #expect(whole.tiles == sheets.tiles)
        #expect(whole.picture.psnr(against: sheets.picture) > 55)
        #expect(whole.picture.alphaError(against: sheets.picture) <= 1)
        let (one, other) = try (bounds(of: "whole"), bounds(of: "sheets"))
        #expect(zip(one, other).allSatisfy { abs($0 - $1) < 1e-9 })
    }

    private func bounds(of output: String) throws -> [Double] {
        let data = try Data(contentsOf: workshop.file("\(output)/tilejson.json"))
        let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        return try #require(json?["bounds"] as? [Double])
    }

    @Test("a later image lies over an earlier one")
    func order() throws {
        try Picture(width: 300, height: 200, colour: (200, 0, 0, 255))
            .write(to: workshop.path("red.png"))
        try writeWorldFile(column: 0, row: 0, of: "red")
        let plan = try build(["red.png", "plan.png"], to: "plan-over")
        let red = try build(["plan.png", "red.png"], to: "red-over")
        let pixels = red.picture.rgba
        let middle = 4 * (pixels.count / 8 + red.picture.width / 2)
        #expect(Array(pixels[middle..<middle + 4]) == [200, 0, 0, 255])
        #expect(plan.picture != red.picture)
    }

    @Test("info lists the images and the box around them")
    func info() throws {
        let outcome = try workshop.run(["info", "@sheets.txt", "--crs", "EPSG:4326", "--json"])
        let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        let report = try #require(json as? [String: Any])
        #expect((report["images"] as? [Any])?.count == 4 && report["image"] == nil)
        let bounds = try #require(report["bounds"] as? [Double])
        #expect(zip(bounds, [2, 48, 2.003, 48.002]).allSatisfy { abs($0 - $1) < 1e-9 })
        let text = try workshop.run(["info", "@sheets.txt", "--crs", "EPSG:4326"]).output
        #expect(text.contains("images     4") && text.contains("sheet11.png: 179 x 110 pixels"))
    }

    @Test("a sheet that is damaged leaves nothing behind")
    func damage() throws {
        let bytes = try Data(contentsOf: workshop.file("sheet11.png"))
        try workshop.write(bytes.dropLast(bytes.count / 2), to: "sheet11.png")
        let outcome = try workshop.run(["@sheets.txt", "--crs", "EPSG:4326", "-o", "out"])
        #expect(outcome.status == 65 && outcome.errors.contains("cannot read 'sheet11.png'"))
        #expect(!workshop.has("out"))
    }
}
