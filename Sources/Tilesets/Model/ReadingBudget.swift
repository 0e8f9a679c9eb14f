package import Platform
import Synchronization
package import Tiling

/// The limits for reading a tileset, which follow from `--max-tiles` and the size of its file.
///
/// A few bytes can claim billions of tiles, give one large content to a million tiles, or join a table with
/// itself. Readers of archives have no other limits: each pass over a file counts its cost in a
/// `ReadingCost`.
package struct ReadingBudget: Hashable, Sendable {
    /// The default of `--max-tiles`.
    package static let standardTiles = 4_000_000

    /// The maximum number of tiles that a tileset may have.
    package var tiles: Int

    /// Allows a number of tiles.
    package init(tiles: Int = Self.standardTiles) { self.tiles = tiles }

    /// Refuses a tileset with more tiles, if its reader has not done so.
    ///
    /// - Throws: `.usage`.
    package func check(_ count: Int, of path: String) throws(Failure) {
        guard count > tiles else { return }
        throw ReadingExcess.tiles(found: count, most: tiles).failure(reading: path)
    }

    /// Refuses a folder whose list of files has more tiles, including missing ones.
    ///
    /// - Throws: `.usage`.
    package func check(_ tree: TreeReader) throws(Failure) {
        try check(tree.manifest?.tileCount ?? 0, of: tree.path)
    }

    /// The most bytes of a tile: those of the largest image that is decoded, 4096 x 4096 pixels of RGBA.
    package static let largestTile = 64 << 20
    /// The most bytes of metadata, decompressed: vector tiles describe their layers in some megabytes.
    static let largestMetadata = 16 << 20
    /// The maximum number of bytes of a directory of PMTiles, decompressed: half a million entries, ten times
    /// as many as in the largest directories in practice.
    static let largestDirectory = 4 << 20
    /// The number of directory entries that are cached: 6 MB, 64 directories of usual size.
    static let keptEntries = 1 << 18

    /// The maximum average size of repeated tiles, in bytes: tiles of a single colour have 100 to 4000.
    fileprivate static let repeatedTile = 16 << 10
    /// The maximum number of bytes of other tiles, as a multiple of the file's size. Images do not shrink
    /// when they are compressed again, so 1 would be enough; the rest is a margin.
    fileprivate static let growth = 16
    /// Bytes of the shortest row of a tile: two for its offset in the page, one for its length, five for the
    /// types of its columns; the values 0 and 1 take no bytes.
    fileprivate static let shortestRow = 8

    /// CPU time allowed for the lookup of a tile, in nanoseconds: ten times that of a lookup with an index.
    static let lookupTime = 1_000_000

    /// The limits of SQLite's work while a file of a given size is open.
    static func work(size: Int) -> SQLiteMeter.Allowance {
        SQLiteMeter.Allowance(
            // A check takes 60 steps for a row of planetiler's table, which has 13 bytes; other tables need
            // fewer steps per byte. The rest is a margin for more indexes.
            steps: (4 << 20).addingSaturated(size.multipliedSaturated(by: 16)),
            // Each byte is copied once or twice, in less than a nanosecond. The rest is a margin for slow
            // machines, and for tools that watch each system call: with strace(1), 4 do not suffice.
            nanoseconds: 2_000_000_000.addingSaturated(size.multipliedSaturated(by: 16)))
    }

    /// The limits of SQLite's work to find one tile: without an index, it reads all rows.
    static func lookup(size: Int) -> SQLiteMeter.Allowance {
        SQLiteMeter.Allowance(
            steps: (1 << 16).addingSaturated(size.multipliedSaturated(by: 8)),
            nanoseconds: 200_000_000.addingSaturated(size.multipliedSaturated(by: 4)))
    }
}

/// The cost of one pass over a file so far.
struct ReadingCost {
    private let budget: ReadingBudget
    private let size: Int
    private var tiles = 0
    private var bytes = 0
    private var directoryBytes = 0

    /// Starts with nothing.
    ///
    /// - Parameter size: the size of the file in bytes.
    init(_ budget: ReadingBudget, size: Int) {
        self.budget = budget
        self.size = size
    }

    /// Counts tiles.
    ///
    /// - Parameter claimed: the number of tiles that the file claims, for the message.
    mutating func add(tiles count: Int, claimed: Int = 0) throws(ReadingExcess) {
        tiles = tiles.addingSaturated(count)
        guard tiles <= budget.tiles else {
            throw .tiles(found: max(tiles, claimed), most: budget.tiles)
        }
    }

    /// Counts a tile that has its own row, and its bytes.
    mutating func addRow(bytes: Int) throws(ReadingExcess) {
        guard tiles < size / ReadingBudget.shortestRow else { throw .size }
        try add(tiles: 1)
        try add(bytes: bytes)
    }

    /// Counts bytes of counted tiles, each time that they are read or passed on.
    mutating func add(bytes count: Int, times: Int = 1) throws(ReadingExcess) {
        bytes = bytes.addingSaturated(count.multipliedSaturated(by: times))
        let repeated = tiles.multipliedSaturated(by: ReadingBudget.repeatedTile)
        let own = size.multipliedSaturated(by: ReadingBudget.growth)
        guard bytes <= own.addingSaturated(repeated) else { throw .size }
    }

    /// Counts bytes of a directory: each byte is read once, and belongs to only one directory.
    mutating func add(directoryBytes count: Int) throws(ReadingExcess) {
        directoryBytes = directoryBytes.addingSaturated(count)
        guard directoryBytes <= size else { throw .size }
    }
}

/// Reading a file exceeds its limits.
package enum ReadingExcess: Error, Hashable {
    /// There are more tiles than allowed, perhaps more than `found`.
    case tiles(found: Int, most: Int)
    /// It takes far too long for the file's size.
    case size

    /// Why reading stops, as a clause.
    var reason: String {
        switch self {
        case .tiles(let found, let most):
            "it says that it holds \(found) tiles or more, but --max-tiles allows \(most)"
        case .size: "it takes far too long to read for its size"
        }
    }

    /// The failure to report.
    ///
    /// - Parameter path: the tileset.
    package func failure(reading path: String) -> Failure {
        switch self {
        case .tiles:
            Failure(.usage, cannot: "read '\(path)'", reason, remedy: "raise --max-tiles if it is that large")
        case .size:
            Failure(
                .badInput, cannot: "read '\(path)'", reason,
                remedy: "it is faulty or malicious: get another copy")
        }
    }
}

extension ReadingBudget {
    /// The most JSON values in a document. A parser takes up to four microseconds and a hundred bytes for
    /// each, and one byte of a compressed file can expand to a hundred values. The largest real documents
    /// have a tenth of this.
    private static let mostValues = 1 << 18

    /// Whether a JSON document, or another list with commas, is short enough to be parsed. Counts commas and
    /// brackets, even those in texts.
    package static func isShort(_ document: some Sequence<UInt8>) -> Bool {
        document.reduce(0) { $0 + (isSign($1) ? 1 : 0) } <= mostValues
    }

    private static func isSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
    }
}

/// Looks up tiles one by one, for a single output. The time for all of them is limited; it grows with the
/// size of the file and the number of lookups. Safe to share between tasks.
///
/// A reader limits each lookup, but thousands of slow lookups for one view would still take hours.
package final class TileLookups: Sendable {
    /// The tileset.
    package let reader: any TilesetReader

    /// The remaining CPU time in nanoseconds; nil for a folder, whose tiles are separate files.
    private let left: Mutex<Int?>

    /// Starts with no lookups.
    package init(_ reader: any TilesetReader) {
        self.reader = reader
        left = Mutex(
            (reader as? any ArchiveReader).map { ReadingBudget.work(size: $0.storedSize).nanoseconds })
    }

    /// The bytes of a tile; nil if there is no such tile.
    ///
    /// - Throws: the errors of the reader, and `.badInput` if all lookups together took too long.
    package func tile(at coordinate: TileCoordinate) throws -> [UInt8]? {
        let start = SQLiteMeter.time
        let bytes = try reader.tile(at: coordinate)
        let time = SQLiteMeter.time - start - ReadingBudget.lookupTime
        let isOver = left.withLock { left in
            left = left.map { $0 - max(time, 0) }
            return left.map { $0 < 0 } ?? false
        }
        if isOver { throw ReadingExcess.size.failure(reading: reader.path) }
        return bytes
    }
}
