import Testing

@testable import TilewrightTiles

/// The zooms of cameras and tiles, and what is asked of an archive.
@Suite struct ZoomTests {
    /// Zooms of the tiles at camera zoom 17, after Google's documents: a tile of `tileSize` pixels is
    /// tileSize / scale points wide, and the world is 256 * 2^17 points wide.
    @Test(
        "zooms of tiles at scales 1, 2, 3 and layers of 256 and 512 pixels",
        arguments: [
            (1.0, 256, 17.0), (2, 256, 18), (3, 256, 18.585), (1, 512, 16), (2, 512, 17), (3, 512, 17.585),
        ])
    func zooms(scale: Double, tileSize: Int, zoom: Double) {
        #expect(abs(MapZoom.ofTiles(camera: 17, scale: scale, tileSize: tileSize) - zoom) < 0.001)
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
            let zoom = MapZoom.ofTiles(camera: Double(quarter) / 4, scale: scale, tileSize: layer)
            // How the SDK rounds is not documented.
            for asked in Set([zoom.rounded(.down), zoom.rounded(), zoom.rounded(.up)].map { Int($0) }) {
                #expect(asked <= last)
                let part = TilePart(
                    zoom: asked, column: 1 << asked - 1, row: 3, lastZoom: facts.zooms.upperBound)
                #expect(facts.zooms.contains(part.zoom))
            }
        }
    }

    @Test("a layer of 256 pixels on a display of scale 2 asks one zoom too deep")
    func tooDeep() {
        #expect(MapZoom.ofTiles(camera: 21, scale: 2, tileSize: 256) == 22)
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
