import Platform
public import Tiling

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
        (self.sideFiles, self.rows, self.json, self.extent) = (sideFiles, rows, json, extent)
        (self.format, self.baseURL) = (format, baseURL)
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

/// What a tileset says of itself beside its tiles.
public struct TilesetMetadata: Hashable, Sendable {
    /// What makes a tileset known as one of ours: the value of `generator` in its documents.
    public static let generator = "tilewright"
    /// How a tile in an archive is called, which has no address: `z/x/y`, rows from the north.
    package static let archiveTemplate = "{z}/{x}/{y}"
    /// Under which name an archive says which job made its tiles.
    package static let jobMember = "job"

    /// A name for people.
    public var name: String
    /// What the tileset shows; may be empty.
    public var description: String
    /// Whom to credit; HTML is allowed; may be empty.
    public var attribution: String
    /// The floor that the tileset shows, or nil if a building has only one tileset.
    public var floor: String?
    /// The file type of the tiles.
    public var format: TileFormat
    /// Pixels along a tile's edge.
    public var tileSize: Int
    /// How rows are counted in the tiles' addresses.
    public var scheme: TileScheme
    /// The address template of the tiles, relative to the tileset, with the client's placeholders
    /// `{z}`, `{x}`, `{y}`, as in `{z}/{x}/{y}.png`.
    public var template: String
    /// What stands before the template to make addresses absolute, or nil if it is not known.
    public var baseURL: String?
    /// The outline's box in degrees on WGS 84; `maxX` is beyond 180 if the tileset crosses the
    /// antimeridian.
    public var bounds: BoundingBox
    /// The tiles that exist, per zoom from the lowest; two entries at a zoom across the
    /// antimeridian.
    public var limits: [TileRange]
    /// How much there is, or nil if a foreign tileset does not say.
    public var contents: TilesetContents?

    /// Makes metadata from all its parts.
    public init(
        name: String, description: String, attribution: String, floor: String?, format: TileFormat,
        tileSize: Int, scheme: TileScheme, template: String, baseURL: String?,
        bounds: BoundingBox, limits: [TileRange], contents: TilesetContents?
    ) {
        (self.name, self.description, self.attribution) = (name, description, attribution)
        (self.floor, self.format, self.tileSize, self.scheme) = (floor, format, tileSize, scheme)
        (self.template, self.baseURL, self.bounds, self.limits) = (template, baseURL, bounds, limits)
        self.contents = contents
    }
}
