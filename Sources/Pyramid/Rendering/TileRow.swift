internal import Raster
internal import Resampling
internal import Tiling

/// The tiles of a unit of the finest level: they are packed some rows at a time, while these are in a cache, and
/// encoded when all are there.
///
/// Their pixels are the output's, which has room for one unit at a time.
struct TileRow {
    /// The row of tiles.
    let row: Int
    /// The columns of the tiles to write, from the west.
    let columns: [Int]
    /// The level.
    let level: PyramidLevel
    /// What packs and encodes them.
    let output: TileOutput

    /// Packs rows of pixels that are there.
    func pack(_ rows: Range<Int>, of band: LevelBand) { output.pack(rows, of: band) }

    /// Encodes the tiles.
    func encode() throws -> [UnitTile] { try output.encode(self) }
}
