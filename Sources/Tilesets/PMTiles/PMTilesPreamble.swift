import Platform
import Tiling

/// All of an archive but its tiles: header, root directory, metadata, leaf directories.
struct PMTilesPreamble {
    /// The bytes, behind which the tiles follow.
    let bytes: [UInt8]

    /// Makes the front of an archive.
    ///
    /// - Parameters:
    ///   - layout: which tiles there are, and where.
    ///   - origin: what made the tiles.
    ///   - dataSize: the bytes of all tiles.
    ///   - path: the archive, for messages.
    /// - Throws: `.usage` if tiles are of two file types.
    init(
        _ layout: PMTilesLayout, _ documents: TilesetDocuments, origin: TilesetOrigin,
        dataSize: UInt64, path: String
    ) throws {
        guard let type = documents.format.pmtilesType else {
            throw Failure(
                .usage, "cannot write '\(path)': tiles of PMTiles are all of one file type",
                remedy: "--format webp has transparency and is small; a folder and MBTiles "
                    + "take --format auto")
        }
        let directories = try PMTilesDirectories(layout.entries, count: layout.entryCount)
        let metadata = try Gzip.compress(documents.json(origin))
        var header = PMTilesHeader(layout, documents.extent)
        header.tileType = type
        header.place(
            root: UInt64(directories.root.count), metadata: UInt64(metadata.count),
            leaves: UInt64(directories.leaves.count), data: dataSize)
        bytes = header.encoded + directories.root + metadata + directories.leaves
    }
}

extension TileFormat {
    /// What the header calls it; nil for several file types.
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

    /// Says where the tileset lies. The zooms are there already.
    mutating func describe(_ extent: PublishedExtent) {
        bounds = extent.bounds.map { Int32(clamping: $0.units) }
        center = extent.center.map { Int32(clamping: $0.units) }
        let centerZoom = extent.centerZoom ?? Int(minZoom)
        self.centerZoom = UInt8(max(min(centerZoom, Int(maxZoom)), Int(minZoom)))
    }

    /// Puts the sections one behind the other. Leaves have a place also if there are none: readers
    /// take 0 for a damaged header.
    ///
    /// A header that was read can give any lengths.
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
