internal import Raster
internal import Resampling
internal import Synchronization
internal import Tiling

/// The tiles of a level that units of the finest level fill, packed part by part. All workers share them.
///
/// Nothing but an encoder reads the pixels of such a level once a unit has halved them on. So each is kept as the four
/// bytes of a tile, half of what a deep pixel takes, and each tile in one piece: of a ring of rows, each row of a tile
/// lies in a page of memory of its own, which the processor has to look up.
final class GatheredTiles: @unchecked Sendable {
    // Unchecked: units of work write different pixels, and who encodes a tile waits for all units that have a part in it.

    /// Rows of tiles that are kept: one that is filled, and one that is encoded meanwhile.
    private static let rowsAtOnce = 2

    /// What is known of a tile.
    private struct Slot {
        /// Its row. Another one's tile may have been in the same place before.
        var row = Int.min
        var seen = AlphaSeen()
    }

    /// The pixels that exist; all others of the tiles lie outside of the images.
    let window: PixelWindow
    /// Which cells are of one colour; nil if nobody takes note. The pixels of such cells are not there.
    let colors: CellColors?

    private let matrix: TileMatrix
    private let columns: Range<Int>
    private let rowsOfTiles: Int
    /// A tile to a row.
    private let memory: RowBand
    private let slots: Mutex<[Slot]>

    /// Makes room for tiles.
    ///
    /// - Throws: `Failure` if there is not enough memory or disk space.
    init(_ level: PyramidLevel, keepsColors: Bool, scratchDirectory: String?) throws {
        window = level.part.hull
        matrix = level.matrix
        columns = matrix.tiles(ofPixels: window.columns)
        rowsOfTiles = Self.rowsOfTiles(level)
        memory = try RowBand(
            rowBytes: Self.tileBytes(level), marginBytes: 0, capacity: columns.count * rowsOfTiles,
            scratchDirectory: scratchDirectory)
        colors =
            keepsColors
            ? CellColors(ofRing: window, capacity: Self.capacity(level), standForPixels: true) : nil
        slots = Mutex(Array(repeating: Slot(), count: columns.count * rowsOfTiles))
    }

    /// Rows of pixels that there is room for.
    static func capacity(_ level: PyramidLevel) -> Int { rowsOfTiles(level) * level.tileSize }

    /// Bytes that the tiles of a level take.
    static func bytes(_ level: PyramidLevel, keepsColors: Bool) -> Int {
        let columns = level.matrix.tiles(ofPixels: level.part.hull.columns).count
        let colors =
            keepsColors ? CellColors.bytes(width: level.part.hull.width, capacity: capacity(level)) : 0
        return columns * rowsOfTiles(level) * tileBytes(level) + colors
    }

    private static func rowsOfTiles(_ level: PyramidLevel) -> Int {
        min(rowsAtOnce, level.matrix.tiles(ofPixels: level.part.rows).count)
    }

    private static func tileBytes(_ level: PyramidLevel) -> Int { level.tileSize * level.tileSize * 4 }

    /// The tiles that some pixels lie in.
    func tiles(of window: PixelWindow) -> [(column: Int, row: Int)] {
        matrix.tiles(ofPixels: window.rows).flatMap { row in
            matrix.tiles(ofPixels: window.columns).map { ($0, row) }
        }
    }

    /// The pixels of a tile.
    func tile(column: Int, row: Int) -> PackedWindow {
        let bytes = memory.row(slot(column, row)).assumingMemoryBound(to: UInt8.self)
        return PackedWindow(
            PixelWindow(columns: matrix.pixels(ofTile: column), rows: matrix.pixels(ofTile: row)),
            bytes: UnsafeMutableBufferPointer(start: bytes, count: matrix.tileSize * matrix.tileSize * 4))
    }

    /// Takes note of the alphas of a part of a tile.
    func add(_ seen: AlphaSeen, toTileIn column: Int, _ row: Int) {
        let index = slot(column, row)
        slots.withLock {
            if $0[index].row != row { $0[index] = Slot(row: row) }
            $0[index].seen.add(seen)
        }
    }

    /// What is known of a tile's alphas.
    func seen(inTileIn column: Int, _ row: Int) -> AlphaSeen {
        let index = slot(column, row)
        let slot = slots.withLock { $0[index] }
        return slot.row == row ? slot.seen : AlphaSeen()
    }

    private func slot(_ column: Int, _ row: Int) -> Int {
        (row - floorDivide(row, rowsOfTiles) * rowsOfTiles) * columns.count + column - columns.lowerBound
    }
}
