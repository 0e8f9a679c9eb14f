import Platform
import Tiling

/// The layout of the tiles in an archive: in the order of their IDs, each content where it is first used.
///
/// Takes 16 bytes for each tile and 12 for each content.
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
    /// The number of bytes of all contents.
    let dataSize: UInt64
    /// The number of entries.
    let entryCount: Int
    /// The offset of each content, by its number.
    private let offsets: [UInt64]
    private let contents: [TileLedger.Content]

    /// Sorts tiles.
    ///
    /// - Parameter path: the archive, for messages.
    /// - Throws: if there are no tiles.
    init(
        _ addresses: consuming [TileLedger.Address], of contents: [TileLedger.Content], path: String
    ) throws {
        var tiles = addresses.map { Tile(id: TileID($0.tile.coordinate), content: $0.content) }
        addresses = []
        tiles.sort { $0.id < $1.id }
        self.tiles = tiles
        self.contents = contents
        try Self.check(tiles, path: path)
        (order, offsets, dataSize) = Self.places(of: tiles, contents)
        entryCount = 1 + zip(tiles, tiles.dropFirst()).count { !$1.follows($0) }
    }

    private static func check(_ tiles: [Tile], path: String) throws {
        guard !tiles.isEmpty else {
            throw Failure(
                .badInput, "cannot write '\(path)': there are no tiles, but PMTiles needs at least one")
        }
    }

    private static func places(
        of tiles: [Tile], _ contents: [TileLedger.Content]
    ) -> (order: [UInt32], offsets: [UInt64], dataSize: UInt64) {
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
        return (order, offsets, end)
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
    /// Whether this is the tile after `tile`, with the same content.
    fileprivate func follows(_ tile: PMTilesLayout.Tile) -> Bool {
        content == tile.content && id.number == tile.id.number + 1
    }
}

/// An archive without its tiles: header, root directory, metadata, leaf directories.
struct PMTilesPreamble {
    /// The bytes before the tiles.
    let bytes: [UInt8]

    /// Makes the bytes before the tiles.
    ///
    /// - Parameters:
    ///   - layout: the tiles and their offsets.
    ///   - origin: the job and images of the tiles.
    ///   - path: the archive, for messages.
    /// - Throws: `.usage` if tiles have different file types.
    init(
        _ layout: PMTilesLayout, _ documents: TilesetDocuments, origin: TilesetOrigin, path: String
    ) throws {
        guard let type = documents.format.pmtilesType else {
            throw Failure(
                .usage, "cannot write '\(path)': PMTiles needs tiles of one file type",
                remedy: "use --format webp (small, with transparency); only a folder or MBTiles takes auto")
        }
        let directories = try PMTilesDirectories(layout.entries, count: layout.entryCount)
        let metadata = try Gzip.compress(documents.json(origin))
        var header = PMTilesHeader(layout, documents.extent)
        header.tileType = type
        header.place(
            root: UInt64(directories.root.count), metadata: UInt64(metadata.count),
            leaves: UInt64(directories.leaves.count), data: layout.dataSize)
        bytes = header.encoded + directories.root + metadata + directories.leaves
    }
}

extension TileFormat {
    /// Its value in the header; nil for several file types.
    var pmtilesType: PMTilesHeader.TileType? {
        switch self {
        case .png: .png
        case .jpeg: .jpeg
        case .webp: .webp
        case .auto: nil
        }
    }
}

extension PMTilesHeader {
    /// The header without its sections and the type of tiles.
    fileprivate init(_ layout: PMTilesLayout, _ extent: PublishedExtent) {
        addressedTiles = UInt64(layout.tiles.count)
        tileEntries = UInt64(layout.entryCount)
        tileContents = UInt64(layout.order.count)
        isClustered = true
        internalCompression = .gzip
        tileCompression = .none
        let zooms = layout.zooms
        (minZoom, maxZoom) = (UInt8(zooms.lowerBound), UInt8(zooms.upperBound))
        describe(extent)
    }

    /// Sets the bounds and the centre. The zooms must be set before.
    mutating func describe(_ extent: PublishedExtent) {
        bounds = extent.bounds.map { Int32(clamping: $0.units) }
        center = extent.center.map { Int32(clamping: $0.units) }
        let centerZoom = extent.centerZoom ?? Int(minZoom)
        self.centerZoom = UInt8(max(min(centerZoom, Int(maxZoom)), Int(minZoom)))
    }

    /// Places the sections one after another. The leaves have an offset even if they are empty: readers
    /// regard 0 as a damaged header.
    ///
    /// The lengths may have been read from a file, so the sums may overflow.
    mutating func place(root: UInt64, metadata: UInt64, leaves: UInt64, data: UInt64) {
        var end = UInt64(Self.size)
        func section(_ length: UInt64) -> Section {
            defer { end &+= length }
            return Section(offset: end, length: length)
        }
        self.root = section(root)
        self.metadata = section(metadata)
        self.leaves = section(leaves)
        self.data = section(data)
    }
}
