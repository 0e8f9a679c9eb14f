import Foundation
import TestSupport
import Testing

/// The options that say how tiles look and how they are named.
struct TileOptionTests {
    @Test("TMS counts rows from the south, and so does {-y}")
    func tmsCountsFromTheSouth() throws {
        let workshop = try Workshop()
        let northern = try Snapshot(of: workshop.build(to: "xyz")).tiles
        let southern = try Snapshot(of: workshop.build(["--scheme", "tms"], to: "tms")).tiles
        let named = try workshop.build(["--template", "{z}/{x}/{-y}.{ext}"], to: "named")
        #expect(southern == (try Snapshot(of: named)).tiles)
        #expect(northern.count == southern.count)
        for (path, tile) in northern {
            let (z, x, y) = try Self.numbers(path)
            #expect(southern["\(z)/\(x)/\((1 << z) - 1 - y).png"] == tile)
        }
    }

    @Test("A quadkey is the whole address")
    func quadkeyIsTheAddress() throws {
        let workshop = try Workshop()
        let tree = try workshop.build(["--template", "q{quadkey}.{ext}"], to: "keys")
        let keyed = try Snapshot(of: tree).tiles
        let tiles = try Snapshot(of: workshop.build(to: "xyz")).tiles
        #expect(keyed.count == tiles.count)
        for (path, tile) in tiles {
            let (z, x, y) = try Self.numbers(path)
            // Bing Maps' definition: the base-4 number of the interleaved bits, z digits long.
            var key = 0
            for bit in 0..<z {
                key |= (x >> bit & 1) << (2 * bit) | (y >> bit & 1) << (2 * bit + 1)
            }
            let digits = String(key, radix: 4)
            let name = String(repeating: "0", count: z - digits.count) + digits
            #expect(keyed["q\(name).png"] == tile)
        }
    }

    private static func numbers(_ path: String) throws -> (z: Int, x: Int, y: Int) {
        let match = try #require(path.wholeMatch(of: /(\d+)\/(\d+)\/(\d+)\.png/))
        return (Int(match.1) ?? -1, Int(match.2) ?? -1, Int(match.3) ?? -1)
    }

    @Test("Empty tiles are left out, or written on request", .long)
    func emptyTilesAreWritten() throws {
        // A corner of ink on a sheet of nothing.
        var plan = Picture(width: 300, height: 200)
        plan.fill(0..<40, 0..<40, (0, 0, 0, 255))
        let workshop = try Workshop(plan)
        let options = ["--zoom", "19"]
        let few = try Snapshot(of: workshop.build(options, to: "few")).tiles
        let all = try Snapshot(of: workshop.build(options + ["--empty", "write"], to: "all")).tiles
        #expect(few.count < all.count)
        for (path, tile) in few { #expect(all[path] == tile) }
        for path in all.keys where few[path] == nil {
            let tile = try Picture(contentsOf: workshop.file("all").appending(path: path).path)
            #expect(tile.rgba.allSatisfy { $0 == 0 })
        }
    }

    @Test("A background shows where the image does not", .long)
    func backgroundShows() throws {
        let workshop = try Workshop()
        let clear = try Mosaic(of: workshop.build(["--zoom", "17"], to: "clear"), zoom: 17)
        let painted = try Mosaic(
            of: workshop.build(["--zoom", "17", "--background", "#0a80ff"], to: "painted"), zoom: 17
        )
        #expect(clear.tiles == painted.tiles)
        for pixel in stride(from: 0, to: clear.picture.rgba.count, by: 4) {
            let (above, result) = (
                clear.picture.rgba[pixel..<pixel + 4], painted.picture.rgba[pixel..<pixel + 4]
            )
            let alpha = Int(above[pixel + 3])
            for (channel, ground) in [0x0A, 0x80, 0xFF].enumerated() {
                let blend = Int(above[pixel + channel]) * alpha + ground * (255 - alpha)
                if abs(blend - 255 * Int(result[pixel + channel])) > 400 {
                    Issue.record("channel \(channel) of pixel \(pixel / 4)")
                    return
                }
            }
            if result[pixel + 3] != 255 { Issue.record("pixel \(pixel / 4) is not opaque") }
        }
    }

    @Test("Paper becomes transparent, with what its scanner added", .long)
    func nodataBecomesTransparent() throws {
        var sheet = Picture(width: 300, height: 200, colour: (250, 247, 255, 255))
        sheet.fill(100..<200, 50..<150, (20, 30, 40, 255))
        sheet.fill(120..<140, 70..<90, (240, 247, 255, 255))
        let workshop = try Workshop(sheet)
        let options = ["--zoom", "17", "--resampling", "nearest", "--nodata"]
        let strict = try Mosaic(of: workshop.build(options + ["250,247,255"], to: "a"), zoom: 17)
        let loose = try Mosaic(of: workshop.build(options + ["255,252,250,5"], to: "b"), zoom: 17)
        #expect(strict.picture == loose.picture)
        let looser = try Mosaic(of: workshop.build(options + ["255,252,250,15"], to: "c"), zoom: 17)
        func count(_ picture: Picture, _ isCounted: (Picture.Colour) -> Bool) -> Int {
            (0..<picture.width * picture.height).count {
                isCounted(picture[$0 % picture.width, $0 / picture.width])
            }
        }
        #expect(count(strict.picture) { $0 == (250, 247, 255, 255) } == 0)
        #expect(count(strict.picture) { $0 == (20, 30, 40, 255) } > 1000)
        #expect(count(strict.picture) { $0 == (240, 247, 255, 255) } > 100)
        #expect(count(looser.picture) { $0 == (240, 247, 255, 255) } == 0)
    }

    @Test("JPEG tiles are opaque, on white, and smaller for less quality")
    func jpegTilesAreOpaque() throws {
        let workshop = try Workshop()
        let png = try Mosaic(of: workshop.build(["--zoom", "17"], to: "png"), zoom: 17)
        var sizes: [Int] = []
        for quality in ["30", "95"] {
            let tree = try workshop.build(
                ["--zoom", "17", "--format", "jpeg", "--quality", quality], to: quality)
            let tiles = try Snapshot(of: tree).tiles
            #expect(!tiles.isEmpty && tiles.keys.allSatisfy { $0.hasSuffix(".jpg") })
            #expect(tiles.values.allSatisfy { $0.starts(with: [0xFF, 0xD8, 0xFF]) })
            sizes.append(tiles.values.reduce(0) { $0 + $1.count })
            let mosaic = try Mosaic(of: tree, zoom: 17, form: "Z/X/Y.jpg")
            #expect(mosaic.tiles == png.tiles)
            #expect(mosaic.picture.psnr(against: png.picture) > (quality == "95" ? 35 : 22))
        }
        #expect(sizes[0] * 2 < sizes[1])
    }

    @Test("Automatic tiles are JPEG's if they are opaque, and PNG's if not", .long)
    func automaticTilesAreOfBothTypes() throws {
        let workshop = try Workshop()
        let zoom = ["--zoom", "19", "--resampling", "cubic"]
        func tiles(_ format: String, _ options: [String] = []) throws -> [String: Data] {
            let tree = try workshop.build(zoom + ["--format", format] + options, to: format)
            return try Snapshot(of: tree).tiles
        }
        let (png, jpeg) = try (tiles("png"), tiles("jpeg", ["--quality", "70"]))
        let auto = try tiles("auto", ["--quality", "70"])
        #expect(auto.keys == png.keys)
        var counts = [0, 0]
        for (path, tile) in auto {
            let isJPEG = tile.starts(with: [0xFF, 0xD8, 0xFF])
            let other = isJPEG ? jpeg[path.replacing(".png", with: ".jpg")] : png[path]
            #expect(tile == other, "\(path)")
            counts[isJPEG ? 0 : 1] += 1
        }
        #expect(counts.allSatisfy { $0 > 1 })
        // By its name the side file tells one type; that there are two stands beside it.
        let side = try String(contentsOf: workshop.file("auto/tilejson.json"), encoding: .utf8)
        #expect(side.contains("image/jpeg") && side.contains("image/png"))
    }

    @Test("WebP tiles have their extension and their own defaults", .long)
    func webPTiles() throws {
        let workshop = try Workshop()
        func build(_ name: String, _ options: [String]) throws -> [String: Data] {
            try Snapshot(of: workshop.build(["--zoom", "16-17"] + options, to: name)).tiles
        }
        let png = try build("png", [])
        let lossy = try build("lossy", ["--format", "webp"])
        let lossless = try build("lossless", ["--format", "webp", "--lossless"])
        // The defaults of photographs, and those of drawings.
        let asLossy = try build(
            "as lossy", ["--format", "webp", "--quality", "85", "--resampling", "cubic"])
        let asLossless = try build(
            "as lossless", ["--format", "webp", "--lossless", "--resampling", "area"])
        #expect(lossy == asLossy && lossless == asLossless)
        for tiles in [lossy, lossless] {
            #expect(Set(tiles.keys) == Set(png.keys.map { $0.replacing(".png", with: ".webp") }))
            #expect(tiles.values.allSatisfy { $0.starts(with: Data("RIFF".utf8)) })
        }
    }

    @Test("A palette is one for all tiles, and leaves pictures of fewer colours alone", .long)
    func paletteIsOneForAll() throws {
        let workshop = try Workshop(.plan(width: 300, height: 200, hasPaper: true))
        func colors(_ tree: URL) throws -> Set<[UInt8]> {
            try [16, 17, 18].reduce(into: []) { colors, zoom in
                let rgba = try Mosaic(of: tree, zoom: zoom).picture.rgba
                for i in stride(from: 0, to: rgba.count, by: 4) {
                    colors.insert(rgba[i + 3] == 0 ? [] : Array(rgba[i..<i + 4]))
                }
            }
        }
        let zoom = ["--zoom", "16-18"]
        let all = try colors(workshop.build(zoom, to: "all"))
        let few = try colors(workshop.build(zoom + ["--palette", "40"], to: "few"))
        #expect(all.count > 256 && few.count <= 40 && few.count > 30)
        #expect(few.contains([255, 255, 255, 255]) && few.contains([]))

        let nearest = zoom + ["--resampling", "nearest"]
        let exact = try Snapshot(of: workshop.build(nearest, to: "exact")).tiles
        let rounded = try workshop.build(nearest + ["--palette", "64"], to: "rounded")
        #expect(try exact == Snapshot(of: rounded).tiles)
    }

    @Test("A palette too small for what must stay is refused, and nothing is left behind")
    func paletteNeedsRoom() throws {
        var plan = Picture.plan(width: 300, height: 200, hasPaper: true)
        plan.fill(20..<60, 20..<60, (0, 0, 0, 255))
        let workshop = try Workshop(plan)
        let outcome = try workshop.run(
            ["plan.png", "--bounds", Workshop.bounds, "-o", "out", "--palette", "2"])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("no room for white, black and transparency"))
        #expect(!workshop.has("out"))
    }

    @Test("A crop does not move the rest")
    func cropKeepsThePlace() throws {
        let workshop = try Workshop()
        let options = ["--zoom", "18", "--resampling", "area"]
        let whole = try Mosaic(of: workshop.build(options, to: "whole"), zoom: 18)
        let cropped = try Mosaic(
            of: workshop.build(options + ["--crop", "60,40,180,120"], to: "cropped"), zoom: 18)
        // Two pixels inside the crop's edge nothing may have changed; beyond it nothing is left.
        let (west, north) = Place(longitude: 2, latitude: 48.002).pixel(zoom: 18)
        let (east, south) = Place(longitude: 2.003, latitude: 48).pixel(zoom: 18)
        let (x, y) = ((east - west) / 300, (south - north) / 200)
        let columns = Int(west + 60 * x) + 2..<Int(west + 240 * x) - 2
        let rows = Int(north + 40 * y) + 2..<Int(north + 160 * y) - 2
        func part(_ mosaic: Mosaic) -> Picture {
            let (left, top) = mosaic.origin
            return mosaic.picture.part(
                columns.lowerBound - left..<columns.upperBound - left,
                rows.lowerBound - top..<rows.upperBound - top)
        }
        #expect(part(cropped) == part(whole))
        let visible = stride(from: 3, to: cropped.picture.rgba.count, by: 4).count {
            cropped.picture.rgba[$0] > 0
        }
        #expect(visible <= (columns.count + 7) * (rows.count + 7))
    }
}
