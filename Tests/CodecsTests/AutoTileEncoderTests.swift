import Codecs
import Raster
import TestSupport
import Testing

@Suite struct AutoTileEncoderTests {
    @Test("opaque tiles are JPEG, all others PNG, independently of earlier tiles", .long)
    func choice() throws {
        let auto = AutoTileEncoder(
            opaque: JPEGTileEncoder(quality: 85), translucent: PNGTileEncoder())
        for painting in Painting.all + Painting.all.reversed() {
            let isOpaque = stride(from: 3, to: painting.rgba.count, by: 4)
                .allSatisfy { painting.rgba[$0] == 255 }
            let alone: any TileEncoder =
                isOpaque ? JPEGTileEncoder(quality: 85) : PNGTileEncoder()
            let bytes = try painting.withPixels { try auto.encode($0) }
            let expected = try painting.withPixels { try alone.encode($0) }
            #expect(bytes == expected, "\(painting.testDescription)")
        }
    }
}
