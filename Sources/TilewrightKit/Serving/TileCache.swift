/// The tiles that were last asked for, as many as there is room for; those too that do not exist.
struct TileCache {
    private struct Entry {
        let tile: [UInt8]?
        /// When it was last asked for.
        var use: Int
    }

    /// What an entry takes besides its tile: its key and its place in the table, about.
    private static let entryBytes = 128

    private let limit: Int
    private var entries: [RenderQueue.Key: Entry] = [:]
    private var uses = 0
    /// What the entries take.
    private(set) var bytes = 0

    /// Makes an empty one.
    ///
    /// - Parameter bytes: what all entries may take.
    init(bytes: Int) { limit = bytes }

    /// A tile that is kept, or that is known not to exist; nil if nothing is known of it.
    mutating func tile(_ key: RenderQueue.Key) -> [UInt8]?? {
        uses += 1
        entries[key]?.use = uses
        return entries[key].map { $0.tile }
    }

    /// Keeps a tile; nil for one that does not exist.
    mutating func keep(_ tile: [UInt8]?, _ key: RenderQueue.Key) {
        let size = Self.size(tile)
        guard size <= limit, entries[key] == nil else { return }
        if bytes + size > limit { dropHalf() }
        uses += 1
        entries[key] = Entry(tile: tile, use: uses)
        bytes += size
    }

    /// Drops what was not asked for lately, until half is free: each tile is then sorted out few times.
    private mutating func dropHalf() {
        for (key, entry) in entries.sorted(by: { $0.value.use < $1.value.use }) where bytes > limit / 2 {
            entries[key] = nil
            bytes -= Self.size(entry.tile)
        }
    }

    private static func size(_ tile: [UInt8]?) -> Int { entryBytes + (tile?.count ?? 0) }
}
