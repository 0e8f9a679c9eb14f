import Tiling

/// The tiles of an earlier archive, one by one, compared with those of a new one.
struct ArchiveComparison {
    /// More tiles than any archive is likely to have; one that claims as many in a few bytes must not
    /// take all memory.
    private static let mostTiles = 1 << 26

    private enum State: UInt8 { case added, changed, unchanged }

    private let ledger: TileLedger
    /// Of each address of the ledger, in its order.
    private var states: [State]
    private var removed: [PackedCoordinate] = []
    private var count = 0

    /// Starts without an earlier tile.
    ///
    /// - Parameter ledger: the new tiles, sorted.
    init(with ledger: TileLedger) {
        self.ledger = ledger
        states = [State](repeating: .added, count: ledger.addresses.count)
    }

    /// Counts an earlier tile.
    ///
    /// - Throws: `DamagedArchive` where there are too many.
    mutating func count(_ tile: EncodedTile) throws {
        count += 1
        if count > Self.mostTiles { throw DamagedArchive() }
        let packed = PackedCoordinate(tile.coordinate)
        guard let index = ledger.index(of: packed) else {
            removed.append(packed)
            return
        }
        let content = ledger.contents[Int(ledger.addresses[index].content)]
        let isSame =
            Int(content.length) == tile.bytes.count && content.hash == ContentHash(of: tile.bytes)
        states[index] = isSame ? .unchanged : .changed
    }

    /// What is other in the new archive, whose size is not known yet.
    var summary: TilesetSummary {
        func tiles(_ state: State) -> [TileCoordinate] {
            zip(ledger.addresses, states).lazy.filter { $0.1 == state }.map {
                $0.0.tile.coordinate
            }
        }
        return TilesetSummary(
            added: tiles(.added), changed: tiles(.changed),
            removed: removed.sorted().map(\.coordinate.description),
            unchanged: states.count { $0 == .unchanged })
    }
}
