import Platform
import Tiling

/// Where the tiles of an archive go: in the order of their IDs, each content where it is first needed.
///
/// Holds 16 bytes for each tile and 12 for each content.
struct PMTilesLayout: Sendable {
    /// A tile and the number of its content.
    struct Tile: Sendable, BitwiseCopyable {
        var id: TileID
        var content: UInt32
    }

    /// The tiles in order.
    let tiles: [Tile]
    /// The numbers of the contents in order.
    let order: [UInt32]
    /// The number of entries.
    let entryCount: Int
    /// Where each content goes, by its number.
    private let offsets: [UInt64]
    private let contents: [TileLedger.Content]

    /// Puts tiles in order, which come in any.
    ///
    /// - Parameter path: the archive, for messages.
    /// - Throws: if there is no tile, or two have one address.
    init(
        _ addresses: consuming [TileLedger.Address], of contents: [TileLedger.Content], path: String
    ) throws {
        var tiles = addresses.map { Tile(id: TileID($0.tile.coordinate), content: $0.content) }
        addresses = []
        tiles.sort { $0.id < $1.id }
        self.tiles = tiles
        self.contents = contents
        try Self.check(tiles, path: path)
        (order, offsets) = Self.places(of: tiles, contents)
        entryCount = Self.runs(of: tiles)
    }

    private static func check(_ tiles: [Tile], path: String) throws {
        guard !tiles.isEmpty else {
            throw Failure(
                .badInput, "cannot write '\(path)': there are no tiles, and PMTiles needs one")
        }
        for (tile, next) in zip(tiles, tiles.dropFirst()) where tile.id == next.id {
            throw Failure(
                .badInput, "cannot write '\(path)': there are two tiles \(tile.id.coordinate)")
        }
    }

    private static func places(
        of tiles: [Tile], _ contents: [TileLedger.Content]
    ) -> (order: [UInt32], offsets: [UInt64]) {
        let none = UInt64.max
        var order: [UInt32] = []
        order.reserveCapacity(contents.count)
        var offsets = [UInt64](repeating: none, count: contents.count)
        var end: UInt64 = 0
        for tile in tiles where offsets[Int(tile.content)] == none {
            offsets[Int(tile.content)] = end
            end += UInt64(contents[Int(tile.content)].length)
            order.append(tile.content)
        }
        return (order, offsets)
    }

    private static func runs(of tiles: [Tile]) -> Int {
        1 + zip(tiles, tiles.dropFirst()).count { !$1.follows($0) }
    }

    /// The lowest and the highest zoom.
    var zooms: ClosedRange<Int> { tiles[0].id.zoom...tiles[tiles.count - 1].id.zoom }

    /// The entries of the directories, in order.
    var entries: some Sequence<PMTilesEntry> {
        sequence(state: 0) { next -> PMTilesEntry? in
            guard next < tiles.count else { return nil }
            let first = next
            repeat { next += 1 } while next < tiles.count && tiles[next].follows(tiles[next - 1])
            let content = Int(tiles[first].content)
            return PMTilesEntry(
                id: tiles[first].id, offset: offsets[content], length: contents[content].length,
                runLength: UInt32(next - first))
        }
    }
}

extension PMTilesLayout.Tile {
    /// Whether it is the next tile and holds the same.
    fileprivate func follows(_ tile: PMTilesLayout.Tile) -> Bool {
        content == tile.content && id.number == tile.id.number + 1
    }
}
