import Tiling

/// A comparison of an earlier archive's tiles, one by one, with the tiles of a new one.
struct ArchiveComparison {
    private enum State: UInt8 { case added, changed, unchanged }

    private let ledger: TileLedger
    /// Of each address of the ledger, in its order.
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
