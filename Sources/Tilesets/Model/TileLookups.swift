import Synchronization
package import Tiling

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
