import Platform
import Raster
import Resampling
import Synchronization
import Tiling

/// The tiles of a level that units of the finest level fill, packed part by part. All workers share them.
///
/// Nothing but an encoder reads the pixels of such a level once a unit has halved them on. So each is kept as the four
/// bytes of a tile, half of what a deep pixel takes, and each tile in one piece: of a ring of rows, each row of a tile
/// is in a page of memory of its own, which the processor has to look up.
final class GatheredTiles: @unchecked Sendable {
    // Unchecked: units of work write different pixels, and encoding a tile waits for all units that have a
    // part in it.

    /// Rows of tiles that are kept: one that is filled, and one that is encoded meanwhile.
    private static let rowsAtOnce = 2

    /// What is known of the tile of a column whose row is one of those that are kept.
    private struct Slot {
        var row = Int.min
        var seen = AlphaSeen()
        /// Where its pixels are; nil if there are none.
        var place: Int?
    }

    /// What is known of all tiles, and which places of memory have none. Those that were used last are the first to be
    /// used again: while a row is encoded, hardly any of the next is there, and memory that was never touched costs the
    /// system more than what is put into it.
    private struct Slots {
        var slots: [Slot]
        var free: [Int]

        init(count: Int) {
            slots = Array(repeating: Slot(), count: count)
            free = Array((0..<count).reversed())
        }

        /// The slot of a tile, in which another row's may have been before.
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

    /// The pixels that exist; all others of the tiles are outside of the images.
    let window: PixelWindow
    /// Which cells are of one colour; nil if that is not noted. The pixels of such cells are not there.
    let colors: CellColors?

    private let matrix: TileMatrix
    private let columns: Range<Int>
    private let rowsOfTiles: Int
    /// A tile to a row.
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

    /// Rows of pixels that there is room for.
    static func capacity(_ level: PyramidLevel) -> Int { rowsOfTiles(level) * level.tileSize }

    /// Bytes that the tiles of a level take: a row of them, and of the next one as many as all jobs begin while they
    /// encode the last of it.
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

    /// The tiles that have some pixels.
    func tiles(of window: PixelWindow) -> [(column: Int, row: Int)] {
        matrix.tiles(ofPixels: window.rows).flatMap { row in
            matrix.tiles(ofPixels: window.columns).map { ($0, row) }
        }
    }

    /// The pixels that a tile has.
    func window(ofTileIn column: Int, _ row: Int) -> PixelWindow {
        PixelWindow(columns: matrix.pixels(ofTile: column), rows: matrix.pixels(ofTile: row))
    }

    /// Room for the pixels of a tile, or those that are there.
    func tile(column: Int, row: Int) -> PackedWindow {
        let index = slot(column, row)
        let place = slots.withLock { $0.place(index, row: row) }
        let bytes = memory.row(place).assumingMemoryBound(to: UInt8.self)
        return PackedWindow(
            window(ofTileIn: column, row),
            bytes: UnsafeMutableBufferPointer(start: bytes, count: matrix.tileSize * matrix.tileSize * 4))
    }

    /// Forgets the pixels of a tile that is encoded.
    func release(column: Int, row: Int) {
        let index = slot(column, row)
        slots.withLock { $0.release(index) }
    }

    /// Notes the alphas of a part of a tile.
    func add(_ seen: AlphaSeen, toTileIn column: Int, _ row: Int) {
        let index = slot(column, row)
        slots.withLock {
            $0.begin(index, row: row)
            $0.slots[index].seen.add(seen)
        }
    }

    /// What is known of a tile's alphas.
    func seen(inTileIn column: Int, _ row: Int) -> AlphaSeen {
        let index = slot(column, row)
        let slot = slots.withLock { $0.slots[index] }
        return slot.row == row ? slot.seen : AlphaSeen()
    }

    private func slot(_ column: Int, _ row: Int) -> Int {
        (row - floorDivide(row, rowsOfTiles) * rowsOfTiles) * columns.count + column - columns.lowerBound
    }
}
