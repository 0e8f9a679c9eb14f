import Codecs
import Platform
import Raster
import TestSupport
import Testing
import Tiling

/// Bytes of tiles as pixels.
struct TileDecoderTests {
    /// Decodes a tile into rows that lie farther apart than they are long.
    private func decode(_ bytes: [UInt8], size: Int) throws -> [UInt8] {
        let stride = size * 4 + 12
        var rows = [UInt8](repeating: 7, count: stride * size)
        try rows.withUnsafeMutableBytes { rows in
            try TileDecoder.decode(bytes, size: size, into: #require(rows.baseAddress), stride: stride)
        }
        for row in 0..<size {
            #expect(rows[row * stride + size * 4..<(row + 1) * stride].allSatisfy { $0 == 7 })
        }
        return (0..<size).flatMap { rows[$0 * stride..<$0 * stride + size * 4] }
    }

    @Test("Every form of a PNG tile gives the pixels that were encoded", arguments: Painting.all)
    func png(painting: Painting) throws {
        let (bytes, pixels) = try painting.withPixels {
            (try PNGTileEncoder().encode($0), Array($0.bytes))
        }
        #expect(try decode(bytes, size: painting.size) == pixels)
    }

    @Test(
        "Opaque tiles can be decoded to three samples, gray ones to one", arguments: Painting.all.some(7))
    func compactly(painting: Painting) throws {
        let size = painting.size
        let encoders: [any TileEncoder] = [PNGTileEncoder(), WebPTileEncoder(quality: nil)]
        for encoder in encoders {
            let (bytes, pixels) = try painting.withPixels { (try encoder.encode($0), Array($0.bytes)) }
            var rows = [UInt8](repeating: 7, count: size * size * 4)
            let format = try rows.withUnsafeMutableBytes {
                try TileDecoder.decodeCompactly(bytes, size: size, into: #require($0.baseAddress))
            }
            let count = format.bytesPerPixel
            let rgba = (0..<size * size).flatMap { index in
                let pixel = rows[index * count..<(index + 1) * count]
                return count == 1 ? pixel + pixel + pixel + [255] : count == 3 ? pixel + [255] : pixel
            }
            #expect(rgba == pixels)
        }
    }

    @Test("JPEG tiles are opaque, gray or not, and close to the encoded pixels")
    func jpeg() throws {
        for (red, green, blue) in [(90, 90, 90), (200, 30, 60)] {
            let painting = Painting.uniform(red, green, blue)
            let bytes = try painting.withPixels { try JPEGTileEncoder(quality: 95).encode($0) }
            let pixels = try decode(bytes, size: painting.size)
            for first in stride(from: 0, to: pixels.count, by: 4) {
                #expect(pixels[first + 3] == 255)
                #expect(abs(Int(pixels[first]) - red) < 4 && abs(Int(pixels[first + 1]) - green) < 4)
                #expect(abs(Int(pixels[first + 2]) - blue) < 4)
            }
        }
    }

    @Test("Lossless WebP tiles give the pixels that were encoded", arguments: Painting.all)
    func webp(painting: Painting) throws {
        let (bytes, pixels) = try painting.withPixels {
            (try WebPTileEncoder(quality: nil).encode($0), Array($0.bytes))
        }
        #expect(try decode(bytes, size: painting.size) == pixels)
    }

    @Test("Tiles of another size, damaged ones and other files are refused, each with its reason")
    func refusals() throws {
        let painting = Painting.uniform(9, 9, 9)
        let encoders: [any TileEncoder] = [
            PNGTileEncoder(), JPEGTileEncoder(quality: 80), WebPTileEncoder(quality: nil),
        ]
        for encoder in encoders {
            let bytes = try painting.withPixels { try encoder.encode($0) }
            let failure = #expect(throws: Failure.self) { try decode(bytes, size: painting.size + 1) }
            let size = "it has \(painting.size) x \(painting.size) pixels, not"
            #expect(failure?.message.hasPrefix(size) == true, "\(failure?.message ?? "")")
            #expect(throws: Failure.self) {
                try decode(Array(bytes.prefix(bytes.count / 2)), size: painting.size)
            }
        }
        let other = #expect(throws: Failure.self) { try decode([1, 2, 3], size: 8) }
        #expect(other?.message == "it is not a PNG, JPEG or WebP")
    }
}
