import Tiling

extension TilesetContents {
    /// Counts and hashes the records of a tileset: XXH3-128 of all of them, 32 bytes each, sorted by
    /// zoom, column, row.
    init(of records: TileRecords) {
        let digest = records.sorted.withUnsafeBytes { ContentHash(of: $0) }
        self.init(tileCount: records.sorted.count, digest: digest.hex)
    }
}
