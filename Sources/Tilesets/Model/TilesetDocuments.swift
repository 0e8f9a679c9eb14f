import Platform
package import Tiling

/// What a tileset says of itself, ready for whatever container it goes into.
package struct TilesetDocuments: Sendable {
    /// The files beside the tiles of a tree.
    package var sideFiles: [SideFile]
    /// The rows of the `metadata` table of MBTiles, in order, but for those of the origin.
    package var rows: [MetadataRow]
    /// The metadata of PMTiles: a JSON object in UTF-8, with what is known of the origin.
    package var json: @Sendable (_ origin: TilesetOrigin) -> [UInt8]
    /// Where the tileset lies, for the header of PMTiles.
    package var extent: PublishedExtent
    /// The file type of the tiles.
    package var format: TileFormat
    /// Where a tree will be found on the web, or nil if that is not known.
    package var baseURL: String?

    /// Makes documents.
    package init(
        sideFiles: [SideFile], rows: [MetadataRow],
        json: @escaping @Sendable (_ origin: TilesetOrigin) -> [UInt8], extent: PublishedExtent,
        format: TileFormat, baseURL: String? = nil
    ) {
        self.sideFiles = sideFiles
        self.rows = rows
        self.json = json
        self.extent = extent
        self.format = format
        self.baseURL = baseURL
    }

    /// All rows of the `metadata` table of MBTiles: the last name the images and the job that made the
    /// tiles, if they are known.
    package func rows(origin: TilesetOrigin) -> [MetadataRow] {
        var rows = rows
        if !origin.images.isEmpty {
            let images = origin.images.map(\.text).joined(separator: ",")
            rows.append(MetadataRow(SourceImage.member, images))
        }
        if let job = origin.job { rows.append(MetadataRow(TilesetMetadata.jobMember, job.hex)) }
        return rows
    }
}

/// A row of the `metadata` table of MBTiles.
package struct MetadataRow: Hashable, Sendable {
    /// What it is, in the words of the specification.
    package var name: String
    /// A text, whatever it stands for.
    package var value: String

    /// Makes a row.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// What a finished tileset says of itself, as its container keeps it.
package enum TilesetStatement: Hashable, Sendable {
    /// The TileJSON of a tree.
    case tileJSON([UInt8])
    /// The `metadata.json` of a tree: rows of MBTiles as an object of JSON.
    case metadataJSON([UInt8])
    /// The rows of MBTiles.
    case rows([MetadataRow])
    /// The JSON metadata of PMTiles, and the numbers of its header.
    case pmtiles(json: [UInt8], bounds: BoundingBox, format: TileFormat)
}

/// A small file that stands beside the tiles, such as `tilejson.json`.
package struct SideFile: Hashable, Sendable {
    /// The file's name inside the tileset's directory.
    package var name: String
    /// The file's contents.
    package var bytes: [UInt8]

    /// Makes a side file.
    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// Its name as a path below the tileset's directory.
    var path: ContainedPath {
        ContainedPath(name).unwrapped(
            "documents are named by the program, and by a floor, whose name was checked")
    }

    /// Whether a name, in lower case, is one that a document of a tileset may have: `metadata.json`, and with a floor or
    /// an address behind a dash.
    static func isName(_ name: String) -> Bool {
        let documents = [
            ("tilejson", ".json"), ("metadata", ".json"), ("tilemapresource", ".xml"), ("doc", ".kml"),
            ("doc", ".png"),
        ]
        return documents.contains { stem, ending in
            name == stem + ending || (name.hasPrefix(stem + "-") && name.hasSuffix(ending))
        }
    }
}
