import Platform
import Foundation
import Palettes
import TestSupport
import Testing

@Suite struct PaletteTests {
    /// Every alpha that there is, many of them 0 and 255.
    private static func anyAlpha(_ random: inout SplitMix) -> Int {
        min(255, max(0, Int(random.next() % 400) - 70))
    }

    /// 12 rooms in white, black and colours, with a transition from each to the next.
    private static func rooms(_ seed: Int) -> Pixels {
        Pixels(size: 96) { x, y in
            let (column, row) = (x / 24, y / 32)
            let room = column + 4 * row
            let blend = max(0, x % 24 - 15) * 25
            func channel(_ room: Int, _ factor: Int) -> Int {
                room == 0 ? 255 : room == 1 ? 0 : 255 - (room * factor + seed) % 120
            }
            func mixed(_ factor: Int) -> Int {
                (channel(room, factor) * (255 - blend) + channel(room + 1, factor) * blend) / 255
            }
            return y % 32 == 31 ? (0, 0, 0, 8 * y % 255) : (mixed(31), mixed(47), mixed(61), 255)
        }
    }

    @Test("counts are restored from bytes, and damaged bytes are refused")
    func coding() throws {
        let census = ColorCensus()
        for seed in 0..<3 { _ = try Self.rooms(seed).withPixels { try census.encode($0) } }
        let again = ColorCensus()
        #expect(again.merge(census.bytes) && again.bytes == census.bytes)
        #expect(ColorCensus().merge(ColorCensus().bytes))
        for count in [0, 1, 40, census.bytes.count - 1] {
            #expect(!ColorCensus().merge(Array(census.bytes.prefix(count))))
        }
        #expect(!ColorCensus().merge(census.bytes + [0]))
    }

    @Test("pictures of few colours stay unchanged", arguments: [2, 3, 17, 255, 256])
    func fewColors(count: Int) throws {
        func tiles(_ count: Int) -> [Pixels] {
            (0..<3).map { tile in
                Pixels { x, y in
                    let color = (x + 64 * y + 1000 * tile) % count
                    return (color % 7 * 30, color, 5, color % 2 * 200 + 55)
                }
            }
        }
        #expect(try Pixels.palette(of: tiles(count), size: count) == nil)
        #expect(try Pixels.palette(of: tiles(count), size: 256) == nil)
        if count < 256 {
            let palette = try #require(try Pixels.palette(of: tiles(count + 1), size: count))
            #expect(palette.colors.count <= count)
        }
    }

    @Test(
        "all tiles together have at most the requested colours, including white, black and transparency",
        arguments: [4, 16, 256])
    func sizeAndPinnedColors(size: Int) throws {
        var tiles = (0..<3).map { Pixels.noise(seed: UInt64($0), alpha: Self.anyAlpha) }
        tiles.append(Pixels { x, y in x < 9 && y < 9 ? (255, 255, 255, 255) : (0, 0, y, 255) })
        let palette = try #require(try Pixels.palette(of: tiles, size: size))
        let rounded = try tiles.map { try $0.rounded(to: palette) }
        let colors = Set(rounded.flatMap(\.colors))
        #expect(colors.count <= size && colors.count > size / 2)
        let pinned = [[255, 255, 255, 255], [0, 0, 0, 255], [0, 0, 0, 0]]
        var seen: Set<[Int]> = []
        for (before, after) in zip(tiles.flatMap(\.colors), rounded.flatMap(\.colors)) {
            if pinned.contains(before) {
                seen.insert(before)
                #expect(after == before)
            }
            if before[3] == 255, after[3] != 255 {
                Issue.record("an opaque pixel has the alpha \(after[3])")
                return
            }
        }
        #expect(seen.count == 3)
    }

    @Test(
        "flat areas keep their colours, and no pixel between them jumps far", arguments: [48, 96])
    func flatAreas(size: Int) throws {
        let tiles = (0..<2).map { Self.rooms(40 * $0) }
        let palette = try #require(try Pixels.palette(of: tiles, size: size))
        for tile in tiles {
            let rounded = try tile.rounded(to: palette)
            for index in 0..<tile.size * tile.size {
                let (x, y) = (index % tile.size, index / tile.size)
                if x % 24 < 16, y % 32 < 31 { #expect(rounded[index] == tile[index]) }
                let jump = zip(rounded[index], tile[index]).map { abs($0 - $1) }.max() ?? 0
                if tile[index][3] == 255 { #expect(jump < (size == 96 ? 30 : 60)) }
            }
        }
    }

    @Test("a palette does not depend on which worker counted which tiles", arguments: [2, 3, 7])
    func workers(count: Int) throws {
        let tiles =
            (0..<4).map { Self.rooms(7 * $0) } + [Pixels.noise(seed: 9, alpha: Self.anyAlpha)]
        let alone = try #require(try Pixels.palette(of: tiles, size: 32))
        let together = try #require(
            try Pixels.palette(of: tiles.reversed(), size: 32, workers: count))
        #expect(alone.colors == together.colors)
    }

    @Test("a pixel becomes the colour that is nearest over black and over white")
    func nearest() throws {
        let tile = Pixels.noise(seed: 3, alpha: Self.anyAlpha)
        let palette = try #require(try Pixels.palette(of: [tile], size: 100))
        let colors = palette.colors.map { [$0.red, $0.green, $0.blue, $0.alpha] }
        // The sum of the squares of the errors of the three channels over both grounds.
        func error(_ one: [Int], _ other: [Int]) -> Int {
            func shown(_ color: [Int], _ channel: Int, over ground: Int) -> Int {
                (color[channel] * color[3] + 127) / 255 + ground * (255 - color[3]) / 255
            }
            return [0, 255].reduce(0) { sum, ground in
                sum
                    + (0..<3).reduce(0) { sum, channel in
                        let difference =
                            shown(one, channel, over: ground) - shown(other, channel, over: ground)
                        return sum + difference * difference
                    }
            }
        }
        for (before, after) in zip(tile.colors, try tile.rounded(to: palette).colors) {
            let allowed = colors.filter { before[3] < 255 || $0[3] == 255 }
            let least = allowed.map { error(before, $0) }.min()
            if error(before, after) != least {
                Issue.record("\(before) became \(after)")
                return
            }
        }
    }

    @Test("two colours leave no room for white, black and transparency")
    func tooSmall() throws {
        let tile = Pixels { x, y in
            [(0, 0, 0, 0), (255, 255, 255, 255), (0, 0, 0, 255), (9, 9, 9, 255)][x % 4]
        }
        let error = #expect(throws: Failure.self) { try Pixels.palette(of: [tile], size: 2) }
        #expect(error?.kind == .usage)
        #expect(try Pixels.palette(of: [tile], size: 3)?.colors.count == 3)
    }

    /// Prints the mean square error of Pillow's palette of 16 colours for a picture of raw RGB.
    private static let pillow = """
        import sys
        from PIL import Image
        image = Image.frombytes("RGB", (64, 64), open(sys.argv[1], "rb").read())
        few = image.quantize(16, int(sys.argv[2]), dither=0).convert("RGB")
        print(sum((a - b) ** 2 for a, b in zip(image.tobytes(), few.tobytes())) / 64 / 64 / 3)
        """

    @Test(
        "a photograph loses no more than with Pillow's palettes",
        .needsPython("PIL"),
        arguments: [0, 1, 2].some(1))
    func photograph(method: Int) throws {
        var random = SplitMix(seed: 5)
        let tile = Pixels { x, y in
            let n = Int(random.next() % 24)
            return (90 + x + n, 60 + 2 * y + n, (x * x + y * y) / 40 + n, 255)
        }
        let directory = try TemporaryDirectory()
        let raw = directory.url.appending(path: "raw")
        try Data(tile.colors.flatMap { $0.prefix(3).map { UInt8($0) } }).write(to: raw)
        let outcome = try Python.run(Self.pillow, [raw.path, "\(method)"], with: ["PIL"])
        let theirs = try #require(
            Double(outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)),
            "\(outcome.errors)")
        let palette = try #require(try Pixels.palette(of: [tile], size: 16))
        let squares = zip(tile.rgba, try tile.rounded(to: palette).rgba).reduce(0) {
            $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1))
        }
        #expect(Double(squares) / 64 / 64 / 3 <= theirs)
    }

    @Test("if there are too many flat colours, none is preferred, whichever workers count them", .long)
    func manyFlatColors() throws {
        // Runs of 8 pixels in 163 840 colours, of which one worker sees 98 304.
        let tiles = (0..<5).map { tile in
            Pixels(size: 512) { x, y in
                let number = x / 8 + 64 * y + 32_768 * tile
                return (number & 255, number >> 8 & 255, (number >> 16) * 90, 255)
            }
        }
        let palette = try #require(try Pixels.palette(of: tiles, size: 16))
        #expect(palette.colors.count <= 16)
        #expect(try Pixels.palette(of: tiles, size: 16, workers: 2)?.colors == palette.colors)
    }
}
