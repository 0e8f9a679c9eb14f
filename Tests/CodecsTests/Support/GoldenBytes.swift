import Codecs
import Raster
import TestSupport
import Testing

/// All painted tiles, encoded in one way, whose bytes are written down; see `GoldenBytesTests`.
struct GoldenBytes: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The hash of the bytes, as `digest` makes it.
    let expected: String
    private let makeEncoder: @Sendable () -> any TileEncoder

    private init(
        _ name: String, _ expected: String, _ makeEncoder: @escaping @Sendable () -> any TileEncoder
    ) {
        testDescription = name
        self.expected = expected
        self.makeEncoder = makeEncoder
    }

    static let all = [
        GoldenBytes("PNG, fast", "575bd0ab9b73dd57") { PNGTileEncoder(level: .fast) },
        GoldenBytes("PNG", "0ae0d07fd86acdeb") { PNGTileEncoder(level: .standard) },
        GoldenBytes("PNG, small", "9c1965d2f689ef43") { PNGTileEncoder(level: .small) },
        GoldenBytes("JPEG of quality 85", "5d4f5bc1cc0d90bb") { JPEGTileEncoder(quality: 85) },
        GoldenBytes("JPEG of quality 95", "4af7be0e2a249a2f") { JPEGTileEncoder(quality: 95) },
        GoldenBytes("JPEG of quality 85, small", "766392d9e2aacede") {
            JPEGTileEncoder(quality: 85, level: .small)
        },
        GoldenBytes("WebP of quality 85", "7d0d3dd3c67d53c3") { WebPTileEncoder(quality: 85) },
        GoldenBytes("WebP without loss", "0070f59c120e10e9") { WebPTileEncoder(quality: nil) },
    ]

    /// Encodes all tiles that the encoder takes: those of JPEG are opaque.
    func digest() throws -> String {
        let encoder = makeEncoder()
        var hash = StableHash()
        for painting in Painting.all {
            try painting.withPixels { pixels in
                if pixels.isOpaque || !(encoder is JPEGTileEncoder) {
                    hash.combine(try encoder.encode(pixels))
                }
            }
        }
        return hash.hex
    }

    /// Debian 12's libraries for x86-64: whatever a newer one writes better is a change too.
    static let belongHere: Bool = {
        #if arch(x86_64)
            libraries.allSatisfy { name, version in
                (try? Tool.run("pkg-config", ["--exact-version", version, name]))?.status == 0
            }
        #else
            false
        #endif
    }()

    private static let libraries = [
        ("libpng", "1.6.39"), ("libdeflate", "1.14"), ("libjpeg", "2.1.5"),
        ("libwebp", "1.2.4"),
    ]
}
