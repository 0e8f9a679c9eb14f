import Platform
public import Tiling

/// The documents that describe a tileset, for every kind of container.
package struct TilesetDocuments: Sendable {
    /// The files next to the tiles of a tree.
    package var sideFiles: [SideFile]
    /// The rows of the `metadata` table of MBTiles, in order, without those of the origin.
    package var rows: [MetadataRow]
    /// The metadata of PMTiles: a JSON object in UTF-8, with the origin.
    package var json: @Sendable (_ origin: TilesetOrigin) -> [UInt8]
    /// The extent of the tileset, for the header of PMTiles.
    package var extent: PublishedExtent
    /// The file type of the tiles.
    package var format: TileFormat
    /// The base URL of a tree on the web, or nil if unknown.
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

    /// All rows of the `metadata` table of MBTiles. The last rows contain the images and the job of the
    /// tiles, if known.
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
    /// The name, as in the specification.
    package var name: String
    /// The value, always as text.
    package var value: String

    /// Makes a row.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether both have the same bytes: to Swift, texts that look the same are equal.
    package static func == (left: MetadataRow, right: MetadataRow) -> Bool {
        left.name.utf8.elementsEqual(right.name.utf8) && left.value.utf8.elementsEqual(right.value.utf8)
    }
}

/// A document that describes a finished tileset, as stored in its container.
package enum TilesetStatement: Hashable, Sendable {
    /// The TileJSON of a tree.
    case tileJSON([UInt8])
    /// The `metadata.json` of a tree: the rows of MBTiles as a JSON object.
    case metadataJSON([UInt8])
    /// The rows of MBTiles.
    case rows([MetadataRow])
    /// The JSON metadata of PMTiles, and the numbers of its header.
    case pmtiles(json: [UInt8], bounds: BoundingBox, format: TileFormat)
}

/// A small file next to the tiles, such as `tilejson.json`.
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

    /// The path of the file below the tileset's directory.
    var path: ContainedPath {
        ContainedPath(name).unwrapped(
            "documents are named by the program, and by a floor, whose name was checked")
    }

    /// The name of a tileset's document. Floors that share a directory have documents of their own.
    package static func name(_ document: String, floor: String?, fileExtension: String = "json") -> String {
        document + (floor.map { "-\($0)" } ?? "") + "." + fileExtension
    }

    /// Whether a lower-case name can be that of a tileset's document: `metadata.json`, or such a name with a
    /// floor or an address after a dash.
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

/// The metadata of a tileset.
public struct TilesetMetadata: Hashable, Sendable {
    /// The value of `generator` in the documents of a tileset, by which tilewright recognises its own
    /// tilesets.
    public static let generator = "tilewright"
    /// The name of a tile in an archive, where tiles have no URL: `z/x/y`, rows from the north.
    package static let archiveTemplate = "{z}/{x}/{y}"
    /// The name under which an archive stores the job of its tiles.
    package static let jobMember = "job"

    /// A name for people.
    public var name: String
    /// A description of the tileset; may be empty.
    public var description: String
    /// The attribution; may contain HTML; may be empty.
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
    /// The URL before the template that makes addresses absolute, or nil if unknown.
    public var baseURL: String?
    /// The bounding box of the outline in degrees on WGS 84; `maxX` is beyond 180 if the tileset crosses the
    /// antimeridian.
    public var bounds: BoundingBox
    /// The tiles that exist, per zoom from the lowest. A zoom has two entries if the tiles cross the
    /// antimeridian.
    public var limits: [TileRange]
    /// The count and digest of the tiles, or nil if another program's tileset does not state them.
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
