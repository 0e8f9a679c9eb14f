import Codecs
import Platform
import Foundation
import Raster
import Testing
import Tiling

@Suite struct TileInspectionTests {
    private static let sky = Painting("a small sky", size: 24, depth: 8, colorType: 2) { x, y in
        (x * 9, y * 9, (x ^ y) * 9, 255)
    }

    private static func reason(_ bytes: [UInt8]) -> String? {
        do {
            _ = try TileInspection.inspect(bytes)
            return nil
        } catch {
            #expect(error.kind == .badInput)
            return error.message
        }
    }

    @Test("every form of a PNG tile is complete", arguments: Painting.all)
    func soundPNG(painting: Painting) throws {
        let bytes = try painting.withPixels { try PNGTileEncoder().encode($0) }
        let found = try TileInspection.inspect(bytes)
        #expect(found == (.png, painting.size, painting.size))
    }

    @Test("a JPEG tile is complete, gray or not", arguments: [75, 95])
    func soundJPEG(quality: Int) throws {
        for painting in [Self.sky, Painting.uniform(9, 9, 9)] {
            let bytes = try painting.withPixels {
                try JPEGTileEncoder(quality: quality).encode($0)
            }
            let found = try TileInspection.inspect(bytes)
            #expect(found == (.jpeg, painting.size, painting.size))
        }
    }

    @Test("a PNG tile that ends too early is found, wherever it ends")
    func shortPNG() throws {
        let bytes = try Self.sky.withPixels { try PNGTileEncoder().encode($0) }
        for count in bytes.indices {
            #expect(Self.reason(Array(bytes.prefix(count))) != nil, "\(count) bytes")
        }
        #expect(Self.reason(Array(bytes.dropLast(12))) == "the file ends before its IEND chunk")
    }

    @Test("so is one that libpng decodes")
    func shortDeepPNG() throws {
        var builder = PNGBuilder(width: 3, height: 2, depth: 16)
        builder.finish(rows: [[0, 1, 2, 3, 4, 5, 6], [0, 6, 5, 4, 3, 2, 1]])
        let found = try TileInspection.inspect(builder.bytes)
        #expect(found == (.png, 3, 2))
        for count in builder.bytes.indices {
            #expect(Self.reason(Array(builder.bytes.prefix(count))) != nil, "\(count) bytes")
        }
        let reason = Self.reason(Array(builder.bytes.dropLast(12)))
        #expect(reason == "the file ends before its IEND chunk")
    }

    @Test("a PNG tile with any byte changed is found")
    func changedPNG() throws {
        let bytes = try Self.sky.withPixels { try PNGTileEncoder().encode($0) }
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x40
            #expect(Self.reason(changed) != nil, "byte \(index)")
        }
    }

    @Test(
        "a JPEG tile that ends too early is found, wherever it ends",
        arguments: [sky, Painting.uniform(9, 9, 9, size: 24)])
    func shortJPEG(painting: Painting) throws {
        let bytes = try painting.withPixels { try JPEGTileEncoder(quality: 85).encode($0) }
        for count in bytes.indices {
            #expect(Self.reason(Array(bytes.prefix(count))) != nil, "\(count) bytes")
        }
    }

    @Test("an animation is not a tile, nor is a WebP file with other bytes where its image begins")
    func strangeWebP() throws {
        // RFC 9649, section 2.7: an extended file of 4 x 4 pixels, with the bit of animation.
        let animation =
            Array("RIFF".utf8) + [22, 0, 0, 0] + Array("WEBPVP8X".utf8)
            + [10, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 3, 0, 0]
        #expect(Self.reason(animation) == "it is an animation")
        var tile = try Self.sky.withPixels { try WebPTileEncoder(quality: nil).encode($0) }
        // Section 3.4: the signature is 0x2F.
        #expect(tile[20] == 0x2F)
        tile[20] = 0x2E
        #expect(Self.reason(tile) == "its image data is damaged")
    }

    @Test("a picture that is too large for a tile is not decoded")
    func tooLarge() throws {
        let builder = PNGBuilder(width: 4097, height: 1)
        #expect(
            Self.reason(builder.bytes + [0, 0, 0, 0] + Array("IDAT".utf8))
                == "it has 4097 x 1 pixels, too many for a tile")
    }

    @Test(
        "other files are called by their types",
        arguments: [
            ("", "it is empty"), ("GIF89a", "it is a GIF, not a PNG, JPEG or WebP"),
            ("<html>", "it is not a PNG, JPEG or WebP"),
            ("II*\0", "it is a TIFF, not a PNG, JPEG or WebP"),
        ])
    func otherTypes(bytes: String, reason: String) {
        #expect(Self.reason(Array(bytes.utf8)) == reason)
    }
}
