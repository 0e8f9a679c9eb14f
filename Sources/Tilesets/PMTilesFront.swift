import Diagnostics
import Tiling

/// All of an archive but its tiles: header, root directory, metadata, leaf directories.
struct PMTilesFront {
    /// The bytes, behind which the tiles follow.
    let bytes: [UInt8]

    /// Makes the front of an archive.
    ///
    /// - Parameters:
    ///   - layout: which tiles there are, and where.
    ///   - dataSize: the bytes of all tiles.
    ///   - path: the archive, for messages.
    /// - Throws: `.usage` where tiles are of two file types.
    init(
        _ layout: PMTilesLayout, _ documents: TilesetDocuments, dataSize: UInt64, path: String
    ) throws {
        guard let type = documents.format.pmtilesType else {
            throw Failure(
                .usage, "cannot write '\(path)': tiles of PMTiles are all of one file type",
                remedy: "--format webp has transparency and is small; a folder and MBTiles "
                    + "take --format auto")
        }
        let directories = try PMTilesDirectories(layout.entries, count: layout.entryCount)
        let metadata = try Gzip.compress(documents.json)
        var header = PMTilesHeader(layout, documents.extent)
        header.tileType = type
        header.place(
            root: directories.root.count, metadata: metadata.count,
            leaves: directories.leaves.count, data: dataSize)
        bytes = header.encoded + directories.root + metadata + directories.leaves
    }
}

extension TileFormat {
    /// What the header calls it; nil for several file types.
    fileprivate var pmtilesType: PMTilesHeader.TileType? {
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
        bounds = extent.bounds.map { Int32(clamping: $0.units) }
        center = extent.center.map { Int32(clamping: $0.units) }
        let centerZoom = extent.centerZoom ?? zooms.lowerBound
        self.centerZoom = UInt8(min(max(centerZoom, zooms.lowerBound), zooms.upperBound))
    }

    /// Puts the sections one behind the other. Leaves have a place also where there are none: readers
    /// take 0 for a damaged header.
    fileprivate mutating func place(root: Int, metadata: Int, leaves: Int, data: UInt64) {
        var end = UInt64(Self.size)
        func section(_ length: UInt64) -> Section {
            defer { end += length }
            return Section(offset: end, length: length)
        }
        self.root = section(UInt64(root))
        self.metadata = section(UInt64(metadata))
        self.leaves = section(UInt64(leaves))
        self.data = section(data)
    }
}
