internal import Resampling
internal import Tiling

/// The tiles of a unit of the finest level, which are packed some rows at a time, and encoded when all rows are there.
///
/// Their pixels are the output's, which has room for one unit at a time.
struct TileRow {
    /// The row of tiles.
    let row: Int
    /// The columns of the tiles to write, from the west.
    let columns: [Int]
    /// The tiles of the level.
    let matrix: TileMatrix
    /// What packs and encodes them.
    let output: TileOutput

    /// The pixels of each tile.
    var windows: [PixelWindow] {
        columns.map { PixelWindow(columns: matrix.pixels(ofTile: $0), rows: matrix.pixels(ofTile: row)) }
    }

    /// Packs rows of pixels that are there; all of them are opaque.
    func pack(_ rows: Range<Int>, of band: LevelBand) { output.pack(rows, of: self, from: band) }

    /// Encodes the tiles.
    func encode() throws -> [UnitTile] { try output.encode(self) }
}
