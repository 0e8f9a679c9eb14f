import Tiling

/// What is known of the tiles that an archive holds: the address of each, and which content it has.
///
/// Holds 16 bytes for each tile in memory, and 32 for each content besides its place in a `ContentTable`.
struct TileLedger: Sendable {
    /// A tile.
    struct Address: Sendable, BitwiseCopyable {
        /// Which tile.
        var tile: PackedCoordinate
        /// The number of its content, from 0.
        var content: UInt32
    }

    /// What one or more tiles hold.
    struct Content: HashedContent, BitwiseCopyable {
        /// The hash of the bytes.
        var hash: ContentHash
        /// Bytes of all contents before it.
        var offset: UInt64
        /// How many they are; a tile beyond 4 GiB is a bug.
        var length: UInt32
    }

    /// The tiles, in the order in which they came until `sort`.
    private(set) var addresses: [Address] = []
    /// Bytes of all contents.
    private(set) var size: UInt64 = 0
    private var table = ContentTable<Content>()

    /// The contents by their numbers.
    var contents: [Content] { table.contents }

    /// Enters a tile.
    ///
    /// - Returns: the number of its content if no tile before had it: the next one from 0.
    mutating func add(_ tile: EncodedTile) -> Int? {
        let (number, isNew) = add(content: tile.bytes)
        add(tile.coordinate, content: number)
        return isNew ? Int(number) : nil
    }

    /// Enters what tiles hold, which are entered later.
    ///
    /// - Returns: its number, and whether it got it now.
    mutating func add(content bytes: [UInt8]) -> (number: UInt32, isNew: Bool) {
        let content = Content(hash: ContentHash(of: bytes), offset: size, length: UInt32(bytes.count))
        let (number, isNew) = table.insert(content)
        if isNew { size += UInt64(bytes.count) }
        return (UInt32(number), isNew)
    }

    /// Enters a tile that holds a content which was entered before.
    mutating func add(_ tile: TileCoordinate, content number: UInt32) {
        addresses.append(Address(tile: PackedCoordinate(tile), content: number))
    }

    /// Brings the tiles into the order of zoom, column, row.
    mutating func sort() { addresses.sort { $0.tile < $1.tile } }

    /// The place of a tile among `addresses`, once they are sorted; logarithmic.
    func index(of tile: PackedCoordinate) -> Int? {
        let index = addresses.sortedFirstIndex { $0.tile >= tile }
        return index < addresses.count && addresses[index].tile == tile ? index : nil
    }

    /// The addresses of all tiles, in that order. Sorts them.
    var tiles: [TileCoordinate] {
        mutating get {
            sort()
            return addresses.map(\.tile.coordinate)
        }
    }

    /// Ends the adding of tiles, and hands over their addresses; the contents stay.
    mutating func takeAddresses() -> [Address] {
        table.close()
        let taken = addresses
        addresses = []
        return taken
    }

    /// Frees the contents.
    mutating func removeContents() { table.removeAll() }

    /// What the tileset holds so far. Sorts the tiles.
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

/// A comparison of an earlier archive's tiles, one by one, with the tiles of a new one.
struct ArchiveComparison {
    private enum State: UInt8 { case added, changed, unchanged }

    private let ledger: TileLedger
    /// The state of each address of the ledger, in its order.
    private var states: [State]
    private var removed: [PackedCoordinate] = []

    /// Starts without an earlier tile.
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

    /// What differs in the new archive.
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

/// What differs between a new archive and the one before: a third of the memory of a `TilesetSummary`.
struct ArchiveChanges: Sendable {
    /// Tiles that were not there before, sorted.
    var added: [PackedCoordinate] = []
    /// Tiles that held something else, sorted.
    var changed: [PackedCoordinate] = []
    /// Tiles that are gone, sorted.
    var removed: [PackedCoordinate] = []
    /// The number of tiles that are what they were.
    var unchanged: Int

    /// Whether all tiles are what they were.
    var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }

    /// The same as a summary for the user.
    ///
    /// - Parameter bytes: the size of its file.
    func summary(bytes: Int) -> TilesetSummary {
        TilesetSummary(
            added: added.map(\.coordinate), changed: changed.map(\.coordinate),
            removed: removed.map(\.coordinate.description), unchanged: unchanged, bytes: bytes)
    }
}
