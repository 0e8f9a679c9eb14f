import Codecs
import Foundation
import Raster
import TestSupport
import Testing

@Suite struct PNGTileEncoderTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func encode(_ painting: Painting, _ level: PNGLevel) throws -> [UInt8] {
        try painting.withPixels { try PNGTileEncoder(level: level).encode($0) }
    }

    @Test(
        "a tile is stored in the smallest form that holds its pixels", .long, arguments: Painting.all,
        PNGLevel.allCases)
    func form(painting: Painting, level: PNGLevel) throws {
        let bytes = try encode(painting, level)
        #expect(bytes[24] == painting.depth)
        #expect(bytes[25] == painting.colorType)
        let chunks = Self.chunks(bytes)
        let names =
            ["IHDR"] + (painting.colorType == 3 ? ["PLTE"] : [])
            + (painting.transparentEntries > 0 ? ["tRNS"] : []) + ["IDAT", "IEND"]
        #expect(chunks.map(\.type) == names)
        let transparent = chunks.first { $0.type == "tRNS" }?.size ?? 0
        #expect(transparent == painting.transparentEntries)
    }

    @Test("bytes are the same if a tile is not known to be opaque", arguments: Painting.all)
    func unknownAlpha(painting: Painting) throws {
        let bytes = try painting.withPixels { pixels in
            var unknown = pixels
            unknown.isOpaque = false
            return try PNGTileEncoder().encode(unknown)
        }
        #expect(try bytes == encode(painting, .standard))
    }

    @Test("a tile decodes to its pixels", .long, arguments: Painting.all, PNGLevel.allCases)
    func roundTrip(painting: Painting, level: PNGLevel) throws {
        let path = directory.path("tile.png")
        try Data(encode(painting, level)).write(to: URL(filePath: path))
        let image = try ImageFile.open(path: path).readAll()
        #expect(image.info.width == painting.size)
        #expect(image.info.height == painting.size)
        #expect(image.rgba == painting.rgba)
    }

    @Test("pngcheck finds no fault", .long, .needs("pngcheck"))
    func pngcheck() throws {
        var paths: [String] = []
        for level in PNGLevel.allCases {
            for (index, painting) in Painting.all.enumerated() {
                paths.append(directory.path("\(level.rawValue)-\(index).png"))
                try Data(encode(painting, level)).write(to: URL(filePath: paths[paths.count - 1]))
            }
        }
        let outcome = try Tool.run("pngcheck", ["-q"] + paths)
        #expect(outcome.status == 0)
        #expect(outcome.output == "")
    }

    @Test("ImageMagick decodes a tile to its pixels", .long, .needs("convert", "identify"))
    func otherDecoder() throws {
        for (index, painting) in Painting.all.enumerated() {
            let path = directory.path("\(index).png")
            try Data(encode(painting, .standard)).write(to: URL(filePath: path))
            let raw = directory.path("\(index).rgba")
            let outcome = try Tool.run(
                "convert", [path, "-depth", "8", "rgba:\(raw)"])
            #expect(outcome.status == 0)
            let pixels = try [UInt8](Data(contentsOf: URL(filePath: raw)))
            #expect(pixels == painting.rgba, "\(painting.testDescription)")
        }
    }

    @Test("bytes do not depend on what was encoded before", .long, arguments: PNGLevel.allCases)
    func determinism(level: PNGLevel) throws {
        let shared = PNGTileEncoder(level: level)
        for painting in Painting.all + Painting.all.reversed() {
            let bytes = try painting.withPixels { try shared.encode($0) }
            #expect(bytes == (try encode(painting, level)), "\(painting.testDescription)")
        }
    }

    @Test("the first entry of a palette is what most rows begin with", arguments: PNGLevel.allCases)
    func firstEntry(level: PNGLevel) throws {
        // The corner is transparent, and most rows begin with an opaque colour.
        let painting = Painting("a room", depth: 8, colorType: 3, transparentEntries: 2) { x, y in
            x + y < 30 ? (0, 0, 0, 0) : x < 200 ? (250, 240, 230, 255) : (9, (x - 200) / 2, y & 7, 255)
        }
        let bytes = try encode(painting, level)
        #expect(Self.chunk("PLTE", of: bytes).prefix(6) == [250, 240, 230, 0, 0, 0])
        #expect(Self.chunk("tRNS", of: bytes) == [255, 0])
        #expect(bytes[24] == painting.depth)
        try roundTrip(painting: painting, level: level)
    }

    @Test("tiles of one colour get that colour, independently of earlier tiles", .long)
    func uniformTiles() throws {
        let shared = PNGTileEncoder()
        for pass in 1...2 {
            for red in 0..<100 {
                let painting = Painting.uniform(red, 1, 2)
                let bytes = try painting.withPixels { try shared.encode($0) }
                #expect(Self.chunk("PLTE", of: bytes) == [UInt8(red), 1, 2], "pass \(pass)")
                #expect(bytes == (try encode(painting, .standard)), "pass \(pass)")
            }
        }
    }

    @Test("a tile of one colour has the size of its pixels, not of the tile before")
    func uniformTilesOfSizes() throws {
        let shared = PNGTileEncoder()
        for size in [256, 512, 256, 1] {
            let painting = Painting.uniform(7, 8, 9, size: size)
            let bytes = try painting.withPixels { try shared.encode($0) }
            let header = Self.chunk("IHDR", of: bytes)
            #expect(header.prefix(4) == [0, 0, UInt8(size >> 8), UInt8(size & 255)])
        }
    }

    @Test("empty pixels do not make a photograph a drawing")
    func photographAtEdge() throws {
        // At both levels a photograph is compressed the same way, a drawing is not.
        let painting = Painting.photographAtEdge
        #expect(try encode(painting, .fast) == encode(painting, .standard))
    }

    @Test("more effort never makes a drawing or a ramp larger")
    func levels() throws {
        for name in [
            "a gray ramp", "a smooth sky", "17 colours", "a smooth sky with a hole",
            "a drawing with noise", "a photograph at its edge",
        ] {
            let painting = try #require(Painting.all.first { $0.testDescription == name })
            let sizes = try PNGLevel.allCases.map { try encode(painting, $0).count }
            #expect(sizes == sizes.sorted(by: >), "\(name)")
        }
    }

    @Test("an empty tile takes hardly more than its chunks")
    func emptyTile() throws {
        let nothing = try #require(Painting.all.first { $0.testDescription == "nothing" })
        #expect(try encode(nothing, .standard).count < 130)
    }

    private static func chunk(_ type: String, of bytes: [UInt8]) -> ArraySlice<UInt8> {
        chunks(bytes).first { $0.type == type }?.data ?? []
    }

    private static func chunks(
        _ bytes: [UInt8]
    ) -> [(type: String, size: Int, data: ArraySlice<UInt8>)] {
        var chunks: [(String, Int, ArraySlice<UInt8>)] = []
        var offset = 8
        while offset < bytes.count {
            let size = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            let type = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
            chunks.append((type, size, bytes[offset + 8..<offset + 8 + size]))
            offset += 12 + size
        }
        return chunks
    }
}
