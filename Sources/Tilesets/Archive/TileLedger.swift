import Tiling

/// The tiles of an archive that is being written and of the one that it replaces, each with the number of its
/// content: a content that both have has one number.
///
/// Takes 16 bytes of memory for each tile of each archive, and 32 for each content, plus the slots of the
/// `ContentTable`.
struct TileLedger: Sendable {
    /// A tile and the number of its content.
    struct Address: Sendable, BitwiseCopyable {
        /// The coordinates of the tile.
        var tile: PackedCoordinate
        /// The number of its content, from 0.
        var content: UInt32
    }

    /// The content of one or more tiles.
    struct Content: HashedContent, BitwiseCopyable {
        /// The hash of the bytes.
        var hash: ContentHash
        /// Where its bytes are: the total size of all new contents before it, or the place in the earlier archive.
        var offset: UInt64
        /// The number of bytes; a tile beyond 4 GiB is a bug.
        var length: UInt32
    }

    /// The tiles, in the order in which they were added, until `sort`.
    private(set) var addresses: [Address] = []
    /// The total size of all new contents.
    private(set) var size: UInt64 = 0
    /// The tiles of the archive that the new one replaces, sorted; empty if there is none, or it is damaged.
    private(set) var earlier: [Address] = []
    /// The number of its contents, which come first.
    private(set) var earlierContents = 0
    private var table = ContentTable<Content>()

    /// The contents by their numbers.
    var contents: [Content] { table.contents }

    /// Adds a tile.
    ///
    /// - Returns: the number of its content, counted from 0, if it is new; otherwise nil.
    mutating func add(_ tile: EncodedTile) -> Int? {
        let (number, isNew) = add(content: tile.bytes)
        add(tile.coordinate, content: number)
        return isNew ? Int(number) : nil
    }

    /// Adds a content, whose tiles are added later.
    ///
    /// - Returns: its number, and whether it is new.
    mutating func add(content bytes: [UInt8]) -> (number: UInt32, isNew: Bool) {
        let content = Content(hash: ContentHash(of: bytes), offset: size, length: UInt32(bytes.count))
        let (number, isNew) = table.insert(content)
        if isNew { size += UInt64(bytes.count) }
        return (UInt32(number), isNew)
    }

    /// Adds a tile whose content was added before.
    mutating func add(_ tile: TileCoordinate, content number: UInt32) {
        addresses.append(Address(tile: PackedCoordinate(tile), content: number))
    }

    /// Sorts the tiles by zoom, column, row.
    mutating func sort() { addresses.sort { $0.tile < $1.tile } }

    /// The coordinates of all tiles, sorted. Also sorts `addresses`.
    var tiles: [TileCoordinate] {
        mutating get {
            sort()
            return addresses.map(\.tile.coordinate)
        }
    }

    /// Returns and removes all addresses; the contents stay. No tiles can be added afterwards.
    mutating func takeAddresses() -> [Address] {
        table.close()
        let taken = addresses
        (addresses, earlier) = ([], [])
        return taken
    }

    /// Frees the contents.
    mutating func removeContents() { table.removeAll() }

    /// The contents of the tileset so far. Sorts the tiles.
    var tilesetContents: TilesetContents {
        mutating get {
            sort()
            let contents = contents
            return TilesetContents(
                ofSorted: addresses.lazy.map { address in
                    let content = contents[Int(address.content)]
                    return TileRecord(
                        address.tile.coordinate, size: Int(content.length), hash: content.hash)
                })
        }
    }
}

/// The tiles of the archive that a new one replaces.
extension TileLedger {
    /// Adds a content of the earlier archive.
    ///
    /// - Parameter place: where the archive has it: the offset in the file, or the number in the table.
    /// - Returns: its number here.
    mutating func add(earlier content: [UInt8], at place: UInt64) -> UInt32 {
        let content = Content(hash: ContentHash(of: content), offset: place, length: UInt32(content.count))
        return UInt32(table.insert(content).number)
    }

    /// Ends the earlier archive: what was added belongs to it, and the tiles added next to the new one.
    mutating func endEarlier() {
        sort()
        (earlier, addresses, earlierContents) = (addresses, [], table.contents.count)
    }

    /// Gives the new archive all tiles of the earlier one.
    mutating func keepEarlier() { addresses = earlier }

    /// Whether the earlier archive has a content.
    func isEarlier(_ content: UInt32) -> Bool { content < earlierContents }

    /// Whether a new tile has each content, by its number.
    var usedContents: [Bool] {
        var isUsed = [Bool](repeating: false, count: contents.count)
        for address in addresses { isUsed[Int(address.content)] = true }
        return isUsed
    }

    /// The first new tile that was added twice; the tiles must be sorted.
    var firstDuplicate: TileCoordinate? {
        zip(addresses, addresses.dropFirst()).first { $0.tile == $1.tile }?.0.tile.coordinate
    }

    /// The differences between the earlier tiles and the new ones, which must be sorted.
    var changes: ArchiveChanges {
        var changes = ArchiveChanges(unchanged: 0)
        forEachPair { old, new in
            switch (old, new) {
            case (nil, let new?): changes.added.append(new.tile)
            case (let old?, nil): changes.removed.append(old.tile)
            case (let old?, let new?) where old.content != new.content: changes.changed.append(new.tile)
            default: changes.unchanged += 1
            }
        }
        return changes
    }

    /// Calls `body` with each tile of the earlier or the new archive, in order, as either has it.
    func forEachPair(_ body: (_ old: Address?, _ new: Address?) throws -> Void) rethrows {
        var (old, new) = (0, 0)
        while old < earlier.count || new < addresses.count {
            let older = old < earlier.count ? earlier[old] : nil
            let newer = new < addresses.count ? addresses[new] : nil
            let hasOlder = older.map { older in newer.map { older.tile <= $0.tile } ?? true } ?? false
            let hasNewer = newer.map { newer in older.map { newer.tile <= $0.tile } ?? true } ?? false
            try body(hasOlder ? older : nil, hasNewer ? newer : nil)
            old += hasOlder ? 1 : 0
            new += hasNewer ? 1 : 0
        }
    }
}

/// The differences between a new archive and the old one, in a third of the memory of a `TilesetSummary`.
struct ArchiveChanges: Sendable {
    /// New tiles, sorted.
    var added: [PackedCoordinate] = []
    /// Tiles with different content, sorted.
    var changed: [PackedCoordinate] = []
    /// Removed tiles, sorted.
    var removed: [PackedCoordinate] = []
    /// The number of unchanged tiles.
    var unchanged: Int

    /// Whether all tiles are unchanged.
    var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }

    /// These changes as a summary for the user.
    ///
    /// - Parameter bytes: the size of the new archive.
    func summary(bytes: Int) -> TilesetSummary {
        TilesetSummary(
            added: added.map(\.coordinate), changed: changed.map(\.coordinate),
            removed: removed.map(\.coordinate.description), unchanged: unchanged, bytes: bytes)
    }
}
