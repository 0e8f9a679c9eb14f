import Codecs
import Foundation
import Raster
import TestSupport
import Testing
import Tiling

@Suite struct WebPTileEncoderTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static func encode(_ painting: Painting, quality: Int?) throws -> [UInt8] {
        try painting.withPixels { try WebPTileEncoder(quality: quality).encode($0) }
    }

    /// RGBA by libwebp's own program, which writes PAM: lines of text, then pixels.
    private func decode(_ bytes: [UInt8]) throws -> [UInt8] {
        let (file, pam) = (directory.path("tile.webp"), directory.path("tile.pam"))
        try Data(bytes).write(to: URL(filePath: file))
        let outcome = try Tool.run("dwebp", ["-quiet", file, "-pam", "-o", pam])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let picture = try Data(contentsOf: URL(filePath: pam))
        let end = try #require(picture.range(of: Data("ENDHDR\n".utf8))).upperBound
        return [UInt8](picture[end...])
    }

    @Test(
        "a lossless tile decodes to its pixels", .needs("dwebp"),
        arguments: Painting.all.some(13))
    func lossless(painting: Painting) throws {
        let isExact = try decode(Self.encode(painting, quality: nil)) == painting.rgba
        #expect(isExact)
    }

    @Test(
        "a lossy tile has its exact alpha and approximately its colours",
        .needs("dwebp"),
        arguments: ["a smooth sky", "a smooth sky with a hole", "grays with all alphas"], [75, 95])
    func lossy(name: String, quality: Int) throws {
        let painting = try #require(Painting.all.first { $0.testDescription == name })
        let pixels = try decode(Self.encode(painting, quality: quality))
        #expect(pixels.count == painting.rgba.count)
        var squares = 0
        for i in stride(from: 0, to: pixels.count, by: 4) {
            let alpha = Int(pixels[i + 3])
            if alpha != Int(painting.rgba[i + 3]) {
                Issue.record("the alpha of pixel \(i / 4) is \(alpha)")
                return
            }
            for j in i..<i + 3 {
                let error = (Int(pixels[j]) - Int(painting.rgba[j])) * alpha / 255
                squares += error * error
            }
        }
        // 30 dB, the usual bound of visible loss, is a mean square of 65.
        #expect(squares < 65 * pixels.count)
    }

    /// The type of a file's first chunk (RFC 9649, section 2.3): an extended file has alpha.
    private static func kind(_ bytes: [UInt8]) -> String {
        String(decoding: bytes[12..<16], as: UTF8.self)
    }

    @Test("only tiles that need alpha have it")
    func alphaWhereNeeded() throws {
        let (opaque, open) = (Painting.uniform(1, 2, 3), Painting.photographAtEdge)
        #expect(try Self.kind(Self.encode(opaque, quality: 85)) == "VP8 ")
        #expect(try Self.kind(Self.encode(open, quality: 85)) == "VP8X")
        for (painting, hasAlpha) in [(opaque, false), (open, true)] {
            let bytes = try Self.encode(painting, quality: nil)
            #expect(Self.kind(bytes) == "VP8L")
            // Of the four bytes behind the signature, 28 bits are the size (section 3.4).
            #expect((bytes[24] & 0x10 != 0) == hasAlpha)
        }
    }

    @Test("more quality takes more bytes, and a drawing is smaller without loss than as PNG")
    func sizes() throws {
        let photograph = Painting.photographAtEdge
        let sizes = try [30, 60, 85, 100].map { try Self.encode(photograph, quality: $0).count }
        #expect(sizes == sizes.sorted() && sizes[0] * 2 < sizes[3])
        let drawing = try #require(Painting.all.first { $0.testDescription == "17 colours" })
        let png = try drawing.withPixels { try PNGTileEncoder().encode($0) }
        #expect(try Self.encode(drawing, quality: nil).count < png.count)
    }

    @Test("bytes do not depend on what was encoded before", .long, arguments: [85, nil])
    func determinism(quality: Int?) throws {
        let shared = WebPTileEncoder(quality: quality)
        for painting in Painting.all + Painting.all.reversed() {
            let bytes = try painting.withPixels { try shared.encode($0) }
            let alone = try Self.encode(painting, quality: quality)
            #expect(bytes == alone, "\(painting.testDescription)")
        }
    }

    @Test("a complete tile is accepted, and one that ends too early is found", arguments: [85, nil])
    func inspection(quality: Int?) throws {
        for painting in [Painting.photographAtEdge, Painting.uniform(1, 2, 3, size: 20)] {
            let bytes = try Self.encode(painting, quality: quality)
            let found = try TileInspection.inspect(bytes)
            #expect(found == (.webp, painting.size, painting.size))
            for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 100)) {
                #expect(throws: (any Error).self, "\(count) bytes") {
                    try TileInspection.inspect(Array(bytes.prefix(count)))
                }
            }
        }
    }
}
