import Testing
import Tilesets

/// What tiles are, by their bytes and by words.
struct TileKindTests {
    @Test(
        "First bytes tell the type of an image",
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], TileKind.png),
            ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
            (Array("RIFF....WEBPVP8 ".utf8), .webp), (Array("GIF89a".utf8), .gif),
            (Array("\0\0\0 ftypavif".utf8), .avif), (Array("\0\0\0 ftypavis".utf8), .avif),
            (Array("\0\0\0 ftypheic".utf8), .unknown), ([0x1F, 0x8B, 8], .unknown), ([], .unknown),
        ] as [([UInt8], TileKind)])
    func signature(bytes: [UInt8], kind: TileKind) {
        #expect(TileKind(signatureOf: bytes) == kind)
    }

    @Test(
        "Words of MBTiles, extensions and media types tell the type",
        arguments: [
            ("png", TileKind.png), ("JPG", .jpeg), ("image/jpeg", .jpeg), ("webp", .webp), ("pbf", .mvt),
            ("application/vnd.mapbox-vector-tile", .mvt), ("mvt", .mvt), ("tif", nil), ("unknown", nil),
            ("", nil),
        ] as [(String, TileKind?)])
    func words(word: String, kind: TileKind?) { #expect(TileKind(named: word) == kind) }
}
