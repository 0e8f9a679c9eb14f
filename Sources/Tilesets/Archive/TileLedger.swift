import Tiling

/// The tiles of an archive, each with the number of its content.
///
/// Takes 16 bytes of memory for each tile, and 32 for each content, plus the slots of the `ContentTable`.
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
        /// The total size of all contents before it.
        var offset: UInt64
        /// The number of bytes; a tile beyond 4 GiB is a bug.
        var length: UInt32
    }

    /// The tiles, in the order in which they were added, until `sort`.
    private(set) var addresses: [Address] = []
    /// The total size of all contents.
    private(set) var size: UInt64 = 0
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

    /// The index of a tile in `addresses`, which must be sorted; logarithmic.
    func index(of tile: PackedCoordinate) -> Int? {
        let index = addresses.sortedFirstIndex { $0.tile >= tile }
        return index < addresses.count && addresses[index].tile == tile ? index : nil
    }

    /// The coordinates of all tiles, sorted. Also sorts `addresses`.
    var tiles: [TileCoordinate] {
        mutating get {
            sort()
            return addresses.map(\.tile.coordinate)
        }
    }

    /// Returns and removes `addresses`; the contents stay. No tiles can be added afterwards.
    mutating func takeAddresses() -> [Address] {
        table.close()
        let taken = addresses
        addresses = []
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

/// Compares the tiles of an earlier archive, one by one, with those of a new archive.
struct ArchiveComparison {
    private enum State: UInt8 { case added, changed, unchanged }

    private let ledger: TileLedger
    /// The state of each of the ledger's `addresses`, in the same order.
    private var states: [State]
    private var removed: [PackedCoordinate] = []

    /// Starts with no earlier tiles.
    ///
    /// - Parameter ledger: the new tiles, sorted.
    init(with ledger: TileLedger) {
        self.ledger = ledger
        states = [State](repeating: .added, count: ledger.addresses.count)
    }

    /// Counts an earlier tile.
    mutating func count(_ tile: TileRecord) {
        let packed = PackedCoordinate(tile.coordinate)
        guard let index = ledger.index(of: packed) else {
            removed.append(packed)
            return
        }
        let content = ledger.contents[Int(ledger.addresses[index].content)]
        let isSame = Int(content.length) == tile.size && content.hash == tile.hash
        states[index] = isSame ? .unchanged : .changed
    }

    /// The differences of the new archive.
    var changes: ArchiveChanges {
        ArchiveChanges(
            added: tiles(.added), changed: tiles(.changed), removed: removed.sorted(),
            unchanged: states.count { $0 == .unchanged })
    }

    private func tiles(_ state: State) -> [PackedCoordinate] {
        var tiles: [PackedCoordinate] = []
        tiles.reserveCapacity(states.count { $0 == state })
        for (address, found) in zip(ledger.addresses, states) where found == state {
            tiles.append(address.tile)
        }
        return tiles
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
