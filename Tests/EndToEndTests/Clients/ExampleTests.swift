import Foundation
import TestSupport
import Testing

/// The folder of examples, made as its reader would.
@Suite(.needs("make"))
struct ExampleTests {
    private func make(_ arguments: [String] = [], in folder: URL) throws -> Tool.Outcome {
        try Tool.run(
            "make", ["TILEWRIGHT=\(Program.path)"] + arguments, in: folder)
    }

    @Test("The examples build three floors at the position of the building", .long)
    func examplesBuild() throws {
        let scratch = try TemporaryDirectory()
        let folder = scratch.url.appending(path: "Examples")
        let original = SharedData.packageRoot.appending(path: "Examples")
        try FileManager.default.copyItem(at: original, to: folder)
        try? FileManager.default.removeItem(at: folder.appending(path: "tiles"))
        let first = try make(in: folder)
        #expect(first.status == 0, "\(first.errors)")

        let view = try Picture(contentsOf: folder.appending(path: "view.png").path)
        #expect((view.width, view.height) == (780, 960) && view[390, 480].alpha == 255)

        let tree = folder.appending(path: "tiles")
        let names = try Snapshot(of: tree).tiles.keys
        let form = /L([0-2])_(17|18|19|20|21)_[0-9]+_[0-9]+\.png/
        #expect(names.allSatisfy { $0.wholeMatch(of: form) != nil })
        #expect(Set(names.compactMap { $0.wholeMatch(of: form)?.1 }) == ["0", "1", "2"])

        let made = try FileIdentities(of: tree)
        let second = try make(in: folder)
        #expect(second.status == 0)
        #expect(!second.output.contains(Program.path), "nothing is built again")
        #expect(try FileIdentities(of: tree) == made)

        let building = try GeoJSON(
            contentsOf: folder.appending(path: "building.geojson"), kind: "outline")
        for floor in 0...2 {
            let mosaic = try Mosaic(of: tree, zoom: 21, form: "L\(floor)_Z_X_Y.png")
            let outline = building.pixels(zoom: 21).prefix(1)
            let alignment = Alignment(of: Array(outline), on: mosaic) { column, row in
                // The outline runs along the middle of the outer wall, which is 10 pixels thick:
                // what is 4 pixels away on either side is wall too.
                [(4, 0), (-4, 0), (0, 4), (0, -4)].reduce(255) {
                    min($0, mosaic.picture.darkness(column + $1.0, row + $1.1))
                }
            }
            #expect(abs(alignment.column) <= 1 && abs(alignment.row) <= 1, "floor \(floor)")
            #expect(alignment.contrast > 4, "floor \(floor)")
        }
    }
}
