import Platform
import Raster
import Resampling
import Synchronization
import Tiling

/// The tiles of a level that units of the finest level fill, packed part by part. All workers share them.
///
/// Once a unit has halved such a level's pixels further, only an encoder reads them. So each pixel is kept as
/// the four bytes of a tile, half of a deep pixel, and each tile is contiguous. In a ring of rows, each row
/// of a tile would be in a memory page of its own, which costs TLB lookups.
final class GatheredTiles: @unchecked Sendable {
    // Unchecked: units of work write different pixels, and encoding a tile waits for all units that have a
    // part in it.

    /// The rows of tiles that are kept: one that is being filled, and one that is being encoded.
    private static let rowsAtOnce = 2

    /// The state of a tile, one for each column and row that is kept.
    private struct Slot {
        var row = Int.min
        var seen = AlphaSeen()
        /// The index of its memory; nil if it has none.
        var place: Int?
    }

    /// The state of all tiles, and the places of memory that are free. The places that were freed last are
    /// reused first: while a row is encoded, hardly any of the next row exists, and touching new memory costs
    /// more than filling it.
    private struct Slots {
        var slots: [Slot]
        var free: [Int]

        init(count: Int) {
            slots = Array(repeating: Slot(), count: count)
            free = Array((0..<count).reversed())
        }

        /// The slot of a tile. A tile of another row may have used it before.
        mutating func begin(_ index: Int, row: Int) {
            if slots[index].row != row { slots[index] = Slot(row: row, place: slots[index].place) }
        }

        mutating func place(_ index: Int, row: Int) -> Int {
            begin(index, row: row)
            if let place = slots[index].place { return place }
            let place = free.popLast().unwrapped("there are as many places as slots")
            slots[index].place = place
            return place
        }

        mutating func release(_ index: Int) {
            if let place = slots[index].place { free.append(place) }
            slots[index].place = nil
        }
    }

    /// The existing pixels; all other pixels of the tiles are outside of the images.
    let window: PixelWindow
    /// The single-coloured cells; nil if they are not recorded. The pixels of such cells are not stored.
    let colors: CellColors?

    private let matrix: TileMatrix
    private let columns: Range<Int>
    private let rowsOfTiles: Int
    /// The tiles' pixels, one tile per row.
    private let memory: RowBand
    private let slots: Mutex<Slots>

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
        slots = Mutex(Slots(count: columns.count * rowsOfTiles))
    }

    /// The rows of pixels that fit.
    static func capacity(_ level: PyramidLevel) -> Int { rowsOfTiles(level) * level.tileSize }

    /// Bytes of the tiles of a level: a row of tiles, and the tiles of the next row that jobs begin while
    /// others encode the last tiles.
    ///
    /// - Parameter unitsTiles: the tiles of the units of all jobs.
    static func bytes(_ level: PyramidLevel, keepsColors: Bool, unitsTiles: Int) -> Int {
        let columns = level.matrix.tiles(ofPixels: level.part.hull.columns).count
        let colors =
            keepsColors ? CellColors.bytes(width: level.part.hull.width, capacity: capacity(level)) : 0
        let next = min(columns * (rowsOfTiles(level) - 1), unitsTiles)
        return (columns + next) * tileBytes(level) + colors
    }

    private static func rowsOfTiles(_ level: PyramidLevel) -> Int {
        min(rowsAtOnce, level.matrix.tiles(ofPixels: level.part.rows).count)
    }

    private static func tileBytes(_ level: PyramidLevel) -> Int { level.tileSize * level.tileSize * 4 }

    /// The tiles that contain pixels of a window, by column and row.
    func tiles(of window: PixelWindow) -> [(column: Int, row: Int)] {
        matrix.tiles(ofPixels: window.rows).flatMap { row in
            matrix.tiles(ofPixels: window.columns).map { ($0, row) }
        }
    }

    /// The pixels of a tile.
    func window(ofTileIn column: Int, _ row: Int) -> PixelWindow {
        PixelWindow(columns: matrix.pixels(ofTile: column), rows: matrix.pixels(ofTile: row))
    }

    /// The memory of a tile: new, or with its pixels so far.
    func tile(column: Int, row: Int) -> PackedWindow {
        let index = slot(column, row)
        let place = slots.withLock { $0.place(index, row: row) }
        let bytes = memory.row(place).assumingMemoryBound(to: UInt8.self)
        return PackedWindow(
            window(ofTileIn: column, row),
            bytes: UnsafeMutableBufferPointer(start: bytes, count: matrix.tileSize * matrix.tileSize * 4))
    }

    /// Frees the memory of a tile that is encoded.
    func release(column: Int, row: Int) {
        let index = slot(column, row)
        slots.withLock { $0.release(index) }
    }

    /// Records the alphas of a part of a tile.
    func add(_ seen: AlphaSeen, toTileIn column: Int, _ row: Int) {
        let index = slot(column, row)
        slots.withLock {
            $0.begin(index, row: row)
            $0.slots[index].seen.add(seen)
        }
    }

    /// The alphas of a tile so far.
    func seen(inTileIn column: Int, _ row: Int) -> AlphaSeen {
        let index = slot(column, row)
        let slot = slots.withLock { $0.slots[index] }
        return slot.row == row ? slot.seen : AlphaSeen()
    }

    private func slot(_ column: Int, _ row: Int) -> Int {
        (row - floorDivide(row, rowsOfTiles) * rowsOfTiles) * columns.count + column - columns.lowerBound
    }
}
