import Foundation
import Testing

@testable import TilewrightTiles

/// The zooms of cameras and tiles, and what is asked of an archive.
@Suite struct ZoomTests {
    /// The zoom of the tiles that Google's SDK for iOS asks for, after its documents: a tile of `tileSize` pixels
    /// is tileSize / scale points wide, and the world is 256 * 2^camera points wide.
    private static func tileZoom(camera: Double, scale: Double, tileSize: Int) -> Double {
        camera + log2(256 * scale / Double(tileSize))
    }

    /// Files of 256 and of 512 pixels are the same for the map, which scales pictures to the layer's size.
    @Test(
        "with the advised layer, the plan is seen at every zoom of the camera up to the last one, at any density",
        arguments: [1.0, 2, 3], [256, 512])
    func seen(scale: Double, fileSize: Int) throws {
        let facts = TilesetFacts(
            zooms: 15...18, bounds: TileBounds(west: 0, south: 0, east: 1, north: 1), tileSize: fileSize)
        let layer = Int(256 * scale)
        let last = facts.zooms.upperBound + 3
        for quarter in 15 * 4...last * 4 {
            let zoom = Self.tileZoom(camera: Double(quarter) / 4, scale: scale, tileSize: layer)
            // How the SDK rounds is not documented.
            for asked in Set([zoom.rounded(.down), zoom.rounded(), zoom.rounded(.up)].map { Int($0) }) {
                #expect(asked <= last)
                let part = TilePart(
                    zoom: asked, column: 1 << asked - 1, row: 3, lastZoom: facts.zooms.upperBound)
                #expect(facts.zooms.contains(part.zoom))
            }
        }
    }

    /// 20/5/6 is at 18/1/1 the second column and the third row of four.
    @Test("the part of an ancestor is counted from the north-west")
    func parts() {
        let part = TilePart(zoom: 20, column: 5, row: 6, lastZoom: 18)
        #expect(part.zoom == 18 && part.column == 1 && part.row == 1 && part.steps == 2)
        #expect(part.x == 1 && part.y == 2)
        let whole = TilePart(zoom: 17, column: 5, row: 6, lastZoom: 18)
        #expect(whole.zoom == 17 && whole.steps == 0 && whole.x == 0 && whole.y == 0)
    }
}
