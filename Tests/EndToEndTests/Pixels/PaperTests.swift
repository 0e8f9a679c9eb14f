import Foundation
import TestSupport
import Testing

/// Drawings lifted off their sheets: `--paper`.
struct PaperTests {
    private static let paper = ["--paper", "255,255,255"]

    /// A sheet with slanted bars, whose edges are mixed with the paper, and a pale fill.
    private static func sheet() -> Picture {
        var sheet = Picture(width: 300, height: 200, colour: (255, 255, 255, 255))
        sheet.fill(200..<280, 30..<90, (246, 248, 250, 255))
        for row in 10..<190 {
            // The left edge of each bar wanders by a third of a pixel per row.
            for left in [20.0, 80, 140] {
                let edge = left + Double(row) / 3
                let (first, share) = (Int(edge), edge - Double(Int(edge)))
                sheet.fill(first + 1..<first + 6, row..<row + 1, (30, 40, 90, 255))
                for (column, covered) in [(first, 1 - share), (first + 6, share)] {
                    let mixed = [30.0, 40, 90].map { UInt8((255 + covered * ($0 - 255)).rounded()) }
                    sheet[column, row] = (mixed[0], mixed[1], mixed[2], 255)
                }
            }
        }
        return sheet
    }

    @Test("The paper is transparent, no rim is lighter than the ink, and a pale fill stays")
    func lifted() throws {
        let workshop = try Workshop(Self.sheet())
        let options = ["--zoom", "17", "--resampling", "nearest"]
        let lifted = try Mosaic(of: workshop.build(options + Self.paper, to: "lifted"), zoom: 17).picture
        var counts = (opaque: 0, partial: 0, pale: 0)
        for index in 0..<lifted.width * lifted.height {
            let pixel = lifted[index % lifted.width, index / lifted.width]
            if pixel.alpha == 0 { continue }
            if pixel == (246, 248, 250, 255) {
                counts.pale += 1
            } else {
                let isInk =
                    abs(Int(pixel.red) - 30) < 9 && abs(Int(pixel.green) - 40) < 9
                    && abs(Int(pixel.blue) - 90) < 9
                #expect(isInk || pixel.alpha < 16, "\(pixel)")
                if pixel.alpha == 255 { counts.opaque += 1 } else { counts.partial += 1 }
            }
        }
        #expect(counts.pale > 2000 && counts.opaque > 1000 && counts.partial > 300, "\(counts)")
    }

    @Test("Tiles are the same with any number of jobs and any memory, of any file, and one by one", .long)
    func sameBytes() throws {
        try Workshop(Self.sheet()).expectSameTiles(["--zoom", "15-18"] + Self.paper, atLeast: 9)
    }

    @Test("A turned TIFF of tiles has the same tiles by rows and by blocks", .needs("gdal_translate"))
    func blocks() throws {
        let workshop = try Workshop(Self.sheet())
        let tiled = ["-co", "TILED=YES", "-co", "BLOCKXSIZE=32", "-co", "BLOCKYSIZE=32"]
        let outcome = try Tool.run(
            "gdal_translate", ["-q"] + tiled + ["plan.png", "plan.tif"], in: workshop.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let place = ["--corners", "2,48.001 2.0015,48.003 2.003,48.001 2.0015,47.999", "--zoom", "16-18"]
        for (image, output, more) in [
            ("plan.png", "png", []), ("plan.tif", "rows", ["-j", "3"]),
            ("plan.tif", "blocks", ["--memory", "1K"]),
        ] {
            try Program.succeed([image] + place + Self.paper + more + ["-o", output], in: workshop.url)
        }
        let tiles = try Snapshot(of: workshop.file("png")).tiles
        #expect(tiles.count > 4)
        #expect(try Snapshot(of: workshop.file("rows")).tiles == tiles)
        #expect(try Snapshot(of: workshop.file("blocks")).tiles == tiles)
    }

    @Test("A crop cuts what was lifted from the whole sheet")
    func crop() throws {
        let workshop = try Workshop(Self.sheet())
        let options = ["--zoom", "18", "--resampling", "nearest"] + Self.paper
        let whole = try Mosaic(of: workshop.build(options, to: "whole"), zoom: 18)
        let cropped = try Mosaic(
            of: workshop.build(options + ["--crop", "60,40,180,120"], to: "cropped"), zoom: 18)
        let seen = cropped.picture(like: whole)
        var count = 0
        for index in 0..<seen.width * seen.height {
            let (column, row) = (index % seen.width, index / seen.width)
            if seen[column, row].alpha == 0 { continue }
            count += 1
            #expect(seen[column, row] == whole.picture[column, row], "\(column) \(row)")
        }
        #expect(count > 1000)
    }

    @Test("Another paper colour rebuilds the tileset; without paper, nothing changes")
    func news() throws {
        let workshop = try Workshop(Self.sheet())
        try workshop.build(["--zoom", "17"])
        let plain = try Snapshot(of: workshop.file("out")).tiles
        try workshop.build(["--zoom", "17"] + Self.paper)
        let lifted = try Snapshot(of: workshop.file("out")).tiles
        #expect(lifted != plain)
        try workshop.build(["--zoom", "17", "--paper", "255,255,255,3"])
        try workshop.build(["--zoom", "17"])
        #expect(try Snapshot(of: workshop.file("out")).tiles == plain)
    }
}
