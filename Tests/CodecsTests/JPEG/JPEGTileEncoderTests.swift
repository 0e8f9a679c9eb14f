import Codecs
import Foundation
import Raster
import TestSupport
import Testing

@Suite struct JPEGTileEncoderTests {
    private static let sky = Painting("a smooth sky", depth: 8, colorType: 2) { x, y in
        (x, y, (x + y) / 2, 255)
    }

    private func encode(
        _ painting: Painting, quality: Int, level: JPEGLevel = .standard
    ) throws -> [UInt8] {
        try painting.withPixels { try JPEGTileEncoder(quality: quality, level: level).encode($0) }
    }

    /// The sampling factors of the components, from the frame header (T.81, section B.2.2).
    private static func samplingFactors(_ bytes: [UInt8]) throws -> [UInt8] {
        let frame = try #require(Data(bytes).range(of: Data([0xFF, 0xC0]))).lowerBound
        return (0..<3).map { bytes[frame + 11 + 3 * $0] }
    }

    @Test(
        "chroma is halved below quality 90",
        arguments: [(1, 0x22), (75, 0x22), (89, 0x22), (90, 0x11), (100, 0x11)])
    func subsampling(quality: Int, luma: UInt8) throws {
        let factors = try Self.samplingFactors(encode(Self.sky, quality: quality))
        #expect(factors == [luma, 0x11, 0x11])
    }

    @Test(
        "a tile decodes to approximately its pixels", .long, arguments: [1, 13, 256, 512], [75, 85, 95])
    func roundTrip(size: Int, quality: Int) throws {
        let painting = Painting("sky", size: size, depth: 8, colorType: 2) { x, y in
            (x * 255 / size, y * 255 / size, (x + y) * 127 / size, 255)
        }
        let directory = try TemporaryDirectory()
        let path = directory.path("tile.jpg")
        try Data(encode(painting, quality: quality)).write(to: URL(filePath: path))
        let image = try ImageFile.open(path: path).readAll()
        #expect((image.info.width, image.info.height) == (size, size))
        let squares = zip(image.rgba, painting.rgba).map { (read: UInt8, painted: UInt8) -> Int in
            let difference = Int(read) - Int(painted)
            return difference * difference
        }
        // 30 dB, the usual bound of visible loss, is a mean square of 65.
        #expect(squares.reduce(0, +) < 65 * squares.count)
    }

    @Test("a gray tile has one component, and the same pixels as with three", arguments: [75, 95])
    func grayTiles(quality: Int) throws {
        func shade(_ x: Int, _ y: Int) -> Int { (x * x / 97 + y * (x & 8)) & 255 }
        let gray = Painting("gray", depth: 8, colorType: 0) { x, y in
            (shade(x, y), shade(x, y), shade(x, y), 255)
        }
        // The same but for one pixel in the last block.
        let last = 4 * gray.size * gray.size - 4
        var almost = gray
        almost.rgba[last] ^= 0x80
        let encoder = JPEGTileEncoder(quality: quality)
        let files = try [gray, almost].map { painting in
            try painting.withPixels { Data(try encoder.encode($0)) }
        }
        // The number of components in the frame header (T.81, section B.2.2).
        let components = try files.map { file in
            file[try #require(file.range(of: Data([0xFF, 0xC0]))).upperBound + 7]
        }
        #expect(components == [1, 3])
        #expect(files[0].count < files[1].count)
        let directory = try TemporaryDirectory()
        let pixels = try files.map { file in
            try file.write(to: URL(filePath: directory.path("tile.jpg")))
            return try ImageFile.open(path: directory.path("tile.jpg")).readAll().rgba
        }
        // Rows that no block with the pixel reaches, nor chroma that is interpolated from there.
        let same = 4 * gray.size * (gray.size - 32)
        #expect(pixels[0].prefix(same) == pixels[1].prefix(same))
    }

    @Test(
        "bytes do not depend on what was encoded before, nor on alpha", arguments: JPEGLevel.allCases.some(1))
    func determinism(level: JPEGLevel) throws {
        let shared = JPEGTileEncoder(quality: 85, level: level)
        var transparent = Self.sky
        for i in stride(from: 3, to: transparent.rgba.count, by: 4) { transparent.rgba[i] = 7 }
        for painting in Painting.all + [Self.sky, transparent] {
            let bytes = try painting.withPixels { try shared.encode($0) }
            #expect(
                bytes == (try encode(painting, quality: 85, level: level)), "\(painting.testDescription)")
        }
        #expect(
            try encode(transparent, quality: 85, level: level)
                == encode(Self.sky, quality: 85, level: level))
    }

    @Test("noise that is larger than the first buffer is complete")
    func growth() throws {
        let noise = Painting("noise", size: 512, depth: 8, colorType: 2) { x, y in
            let n = (x &* 7919 ^ y &* 104_729) &* 2_654_435_761
            return (n >> 3, n >> 9, n >> 17, 255)
        }
        let bytes = try encode(noise, quality: 100)
        #expect(bytes.count > 1 << 17)
        let directory = try TemporaryDirectory()
        try Data(bytes).write(to: URL(filePath: directory.path("tile.jpg")))
        let image = try ImageFile.open(path: directory.path("tile.jpg")).readAll(atATime: 100)
        #expect(image.pixels.count == 512 * 512 * 3)
    }
}
