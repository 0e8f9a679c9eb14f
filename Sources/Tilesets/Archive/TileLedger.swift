import Tiling

/// What is known of the tiles that an archive holds: the address of each, and which content it has.
///
/// Holds 16 bytes for each tile in memory, 32 for each content, and its place in the index.
struct TileLedger: Sendable {
    /// A tile.
    struct Address: Sendable, BitwiseCopyable {
        /// Which tile.
        var tile: PackedCoordinate
        /// The number of its content, from 0.
        var content: UInt32
    }

    /// What one or more tiles hold.
    struct Content: Sendable, BitwiseCopyable {
        /// The hash of the bytes.
        var hash: ContentHash
        /// Bytes of all contents before it.
        var offset: UInt64
        /// How many they are; a tile beyond 4 GiB is a bug.
        var length: UInt32
    }

    /// The tiles, in the order of their coming until `sort`.
    private(set) var addresses: [Address] = []
    /// The contents by their numbers.
    private(set) var contents: [Content] = []
    /// Bytes of all contents.
    private(set) var size: UInt64 = 0
    private var index = ContentIndex()

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
        let hash = ContentHash(of: bytes)
        if let known = number(of: hash) { return (known, false) }
        contents.append(Content(hash: hash, offset: size, length: UInt32(bytes.count)))
        size += UInt64(bytes.count)
        return (UInt32(contents.count - 1), true)
    }

    /// Enters a tile that holds a content which was entered before.
    mutating func add(_ tile: TileCoordinate, content number: UInt32) {
        addresses.append(Address(tile: PackedCoordinate(tile), content: number))
    }

    private mutating func number(of hash: ContentHash) -> UInt32? {
        let contents = contents
        index.reserve { contents[Int($0)].hash }
        return index.find(hash) { contents[Int($0)].hash }
    }

    /// Brings the tiles into the order of zoom, column, row.
    mutating func sort() { addresses.sort { $0.tile < $1.tile } }

    /// Where a tile stands among `addresses`, once they are sorted; logarithmic.
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

    /// Ends the taking of tiles, and hands them over; the contents stay.
    mutating func takeAddresses() -> [Address] {
        index = ContentIndex()
        let taken = addresses
        addresses = []
        return taken
    }

    /// Lets go of what is known of the contents.
    mutating func removeContents() { contents = [] }

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
