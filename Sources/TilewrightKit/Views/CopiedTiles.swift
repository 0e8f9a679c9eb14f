import Codecs
import Pyramid
import Tiling

/// The tiles of a zoom whose pixels are a view's: they are copied.
struct CopiedTiles {
    private let tileset: StoredTileset
    private let zoom: Int
    /// From columns and rows of the view to those of the zoom.
    private let shift: (columns: Int, rows: Int)
    private let size: PixelWindow

    /// The tiles of all things that a view shows; nil if one of them must be resampled.
    static func all(
        _ contents: [MapContent], on grid: PixelGrid, size: PixelWindow
    ) -> [CopiedTiles]? {
        var copies: [CopiedTiles] = []
        for content in contents {
            guard case .tileset(let tileset) = content,
                let found = CoincidingZoom(of: tileset, on: grid, size: size), let shift = found.shift
            else { return nil }
            copies.append(
                CopiedTiles(tileset: tileset, zoom: found.zoom, shift: shift, size: size))
        }
        return copies
    }

    /// Lays the tiles over what a picture shows.
    func lay(over picture: ViewPicture) throws {
        let tileSize = tileset.metadata.tileSize
        let matrix = TileMatrix(zoom: zoom, tileSize: tileSize)
        let seen = PixelWindow(
            columns: size.columns.moved(by: shift.columns), rows: size.rows.moved(by: shift.rows))
        let mosaic = TileMosaic(
            TileLookups(tileset.reader), zoom: zoom,
            tiles: PixelWindow(
                columns: matrix.tiles(ofPixels: seen.columns), rows: matrix.tiles(ofPixels: seen.rows)),
            tileSize: tileSize, halvings: 0)
        try mosaic.forEachTile { tile, pixels in
            let columns = matrix.pixels(ofTile: tile.column).moved(by: -shift.columns)
            let rows = matrix.pixels(ofTile: tile.row).moved(by: -shift.rows)
            let part = PixelWindow(columns: columns, rows: rows).intersection(size)
            for row in part.rows where !part.isEmpty {
                let first =
                    (row - rows.lowerBound) * tileSize + part.columns.lowerBound - columns.lowerBound
                picture.lay(
                    UnsafeRawPointer(pixels + first * 4), count: part.width,
                    column: part.columns.lowerBound, row: row)
            }
        }
    }
}
