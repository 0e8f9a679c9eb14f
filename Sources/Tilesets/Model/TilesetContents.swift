import Tiling

/// How much a tileset holds: what tells whether a copy of it is whole.
public struct TilesetContents: Hashable, Sendable {
    /// The number of tiles.
    public var tileCount: Int
    /// A hash of all addresses and all bytes, the same in every container, in hexadecimal digits.
    public var digest: String

    /// Makes contents.
    public init(tileCount: Int, digest: String) {
        self.tileCount = tileCount
        self.digest = digest
    }
}

extension TilesetContents {
    /// Counts and hashes the records of a tileset: XXH3-128 of all of them, 32 bytes each, sorted by
    /// zoom, column, row.
    init(of records: TileRecords) {
        let digest = records.sorted.withUnsafeBytes { ContentHash(of: $0) }
        self.init(tileCount: records.sorted.count, digest: digest.hex)
    }

    /// The same for records that are made one by one, in that order; few are in memory at a time.
    init(ofSorted records: some Collection<TileRecord>) {
        let stream = HashStream()
        var batch: [TileRecord] = []
        // 32 KB, which stay in a core's first cache.
        let size = 1024
        batch.reserveCapacity(size)
        for record in records {
            batch.append(record)
            if batch.count == size {
                batch.withUnsafeBytes { stream.update($0) }
                batch.removeAll(keepingCapacity: true)
            }
        }
        batch.withUnsafeBytes { stream.update($0) }
        self.init(tileCount: records.count, digest: stream.hash.hex)
    }
}
