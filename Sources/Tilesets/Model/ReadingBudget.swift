package import Platform
import Synchronization
package import Tiling

/// What reading a tileset may cost: no more than `--max-tiles` and the size of its file explain.
///
/// A few bytes can claim billions of tiles, one large content for a million of them, or a table that is joined
/// with itself. Readers of archives ask here, and have no limits of their own: each pass over a file begins a
/// `ReadingCost`.
package struct ReadingBudget: Hashable, Sendable {
    /// `--max-tiles`, unless something else is given.
    package static let standardTiles = 4_000_000

    /// The most tiles that a tileset may have.
    package var tiles: Int

    /// Allows a number of tiles.
    package init(tiles: Int = Self.standardTiles) { self.tiles = tiles }

    /// Refuses a tileset of more tiles, if its reader has not counted them.
    ///
    /// - Throws: `.usage`.
    package func check(_ count: Int, of path: String) throws(Failure) {
        guard count > tiles else { return }
        throw ReadingExcess.tiles(found: count, most: tiles).failure(reading: path)
    }

    /// Refuses a folder whose list of files has more tiles, also of those that are missing.
    ///
    /// - Throws: `.usage`.
    package func check(_ tree: TreeReader) throws(Failure) {
        try check(tree.manifest?.sections.reduce(0) { $0 + $1.records.sorted.count } ?? 0, of: tree.path)
    }

    /// Bytes of a tile: those of the largest picture that is decoded, RGBA of 4096 pixels squared.
    package static let largestTile = 64 << 20
    /// Bytes of metadata, inflated: vector tiles describe their layers in some megabytes.
    static let largestMetadata = 16 << 20
    /// Bytes of a directory of PMTiles, inflated: half a million entries, ten times those of the largest that
    /// writers make.
    static let largestDirectory = 4 << 20
    /// Entries of directories that are kept for the next tile: 6 MB, 64 directories as writers make them.
    static let keptEntries = 1 << 18

    /// Bytes of a tile that holds the same as others, in the mean: tiles of one colour have 100 to 4000.
    fileprivate static let repeatedTile = 16 << 10
    /// How many times its own size a file may give in bytes of other tiles. Images do not shrink when they are
    /// compressed again, so that there is one byte for each; the rest is leeway.
    fileprivate static let growth = 16
    /// Bytes of the shortest row of a tile: two for its place in the page, one for its length, five for the types
    /// of its columns; the values 0 and 1 take none.
    fileprivate static let shortestRow = 8

    /// Time of the processor in which a tile can be looked up, in nanoseconds: ten times what one takes that is found
    /// by an index.
    static let lookupTime = 1_000_000

    /// What SQLite may do with a file of some bytes while it is open.
    static func work(size: Int) -> SQLiteMeter.Allowance {
        SQLiteMeter.Allowance(
            // A check takes 60 steps for a row in the table of planetiler, which has 13 bytes, and fewer for
            // each byte of other tables. The rest is leeway, for more indexes.
            steps: (4 << 20).addingSaturated(size.multipliedSaturated(by: 16)),
            // Each byte is copied once or twice, in less than a nanosecond; and leeway for slow machines.
            nanoseconds: 2_000_000_000.addingSaturated(size.multipliedSaturated(by: 4)))
    }

    /// What it may do to find one tile: without an index it looks at all rows.
    static func lookup(size: Int) -> SQLiteMeter.Allowance {
        SQLiteMeter.Allowance(
            steps: (1 << 16).addingSaturated(size.multipliedSaturated(by: 8)),
            nanoseconds: 200_000_000.addingSaturated(size.multipliedSaturated(by: 4)))
    }
}

/// What one pass over a file has cost so far.
struct ReadingCost {
    private let budget: ReadingBudget
    private let size: Int
    private var tiles = 0
    private var bytes = 0
    private var directoryBytes = 0

    /// Starts with nothing.
    ///
    /// - Parameter size: bytes of the file.
    init(_ budget: ReadingBudget, size: Int) {
        self.budget = budget
        self.size = size
    }

    /// Counts tiles.
    ///
    /// - Parameter claimed: how many the file says that there are, for the message.
    mutating func add(tiles count: Int, claimed: Int = 0) throws(ReadingExcess) {
        tiles = tiles.addingSaturated(count)
        guard tiles <= budget.tiles else {
            throw .tiles(found: max(tiles, claimed), most: budget.tiles)
        }
    }

    /// Counts a tile that has a row of its own, and its bytes.
    mutating func addRow(bytes: Int) throws(ReadingExcess) {
        guard tiles < size / ReadingBudget.shortestRow else { throw .size }
        try add(tiles: 1)
        try add(bytes: bytes)
    }

    /// Counts bytes of tiles that were counted, each time that they are read or lent.
    mutating func add(bytes count: Int, times: Int = 1) throws(ReadingExcess) {
        bytes = bytes.addingSaturated(count.multipliedSaturated(by: times))
        let repeated = tiles.multipliedSaturated(by: ReadingBudget.repeatedTile)
        let own = size.multipliedSaturated(by: ReadingBudget.growth)
        guard bytes <= own.addingSaturated(repeated) else { throw .size }
    }

    /// Counts bytes of a directory: each is read once, and belongs to one directory.
    mutating func add(directoryBytes count: Int) throws(ReadingExcess) {
        directoryBytes = directoryBytes.addingSaturated(count)
        guard directoryBytes <= size else { throw .size }
    }
}

/// Reading something costs more than it may.
package enum ReadingExcess: Error, Hashable {
    /// There are more tiles than allowed, perhaps even more than were found.
    case tiles(found: Int, most: Int)
    /// It takes far longer than the file's size explains.
    case size

    /// Why nothing more is read, as a clause.
    var reason: String {
        switch self {
        case .tiles(let found, let most):
            "it says that it holds \(found) tiles or more, but --max-tiles allows \(most)"
        case .size: "it takes far longer to read than its size explains"
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
    /// Values of JSON in a document. A parser takes up to four microseconds and a hundred bytes for each, and one byte
    /// of a compressed file can stand for a hundred of them. The largest documents that writers make have a tenth.
    private static let mostValues = 1 << 18

    /// Whether a document of JSON, or another list with commas, is short enough to be parsed. Counts commas and
    /// brackets, also those in texts.
    package static func isShort(_ document: some Sequence<UInt8>) -> Bool {
        document.reduce(0) { $0 + (isSign($1) ? 1 : 0) } <= mostValues
    }

    private static func isSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
    }
}

/// Tiles of a tileset that are looked up one by one, for one thing that is made of them: together they take no more
/// time than the size of the file and their number explain. Safe to share.
///
/// A reader bounds each lookup. A view of thousands of tiles, each of them slow, would still take hours.
package final class TileLookups: Sendable {
    /// The tileset.
    package let reader: any TilesetReader

    /// Time of the processor that is left, in nanoseconds; nil for a folder, whose tiles are files of their own.
    private let left: Mutex<Int?>

    /// Starts with nothing looked up.
    package init(_ reader: any TilesetReader) {
        self.reader = reader
        left = Mutex(
            (reader as? any ArchiveReader).map { ReadingBudget.work(size: $0.storedSize).nanoseconds })
    }

    /// The bytes of a tile; nil if there is no such tile.
    ///
    /// - Throws: as the reader does, and `.badInput` if all lookups together took too long.
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
