package import Tilesets
import Tiling

/// The document that tells clients where the tiles are: TileJSON 3.0.0.
///
/// Beyond the specification it has `format`, the members of all documents of tilewright (`ownMembers`), and
/// `tileMatrixSetLimits`, which lists the tiles that exist. Its form is that of OGC's Two Dimensional
/// Tile Matrix Set: rows count from the north in both schemes, and a zoom that crosses the antimeridian has
/// two entries.
package struct TileJSON: Hashable, Sendable {
    private static let specification = "3.0.0"
    /// The version of a tileset, for which the specification's default is used.
    static let tilesetVersion = "1.0.0"

    /// What the document says.
    package var metadata: TilesetMetadata

    /// Makes the document of a tileset.
    package init(_ metadata: TilesetMetadata) { self.metadata = metadata }

    /// The file: `tilejson.json`, or `tilejson-FLOOR.json` for a floor.
    package var file: SideFile {
        SideFile(name: Self.fileName(floor: metadata.floor), bytes: JSONValue.file(members))
    }

    /// The name of the file.
    package static func fileName(floor: String?) -> String {
        sideFileName("tilejson", floor: floor)
    }

    private var members: [JSONValue.Member] {
        let extent = PublishedExtent(of: metadata)
        let members = JSONValue.members([
            "tilejson": .string(Self.specification),
            "name": .string(metadata.name),
            "description": JSONValue.unlessEmpty(metadata.description),
            "attribution": JSONValue.unlessEmpty(metadata.attribution),
            "version": .string(Self.tilesetVersion),
            "scheme": .string(metadata.scheme.rawValue),
            "tiles": .array([.string(metadata.address)]),
            "minzoom": (extent.zooms?.lowerBound).map(JSONValue.integer),
            "maxzoom": (extent.zooms?.upperBound).map(JSONValue.integer),
            "bounds": .array(extent.bounds.map(JSONValue.degrees)), "center": extent.centerValue,
            "format": .string(metadata.format.fileExtension),
        ])
        return members + metadata.ownMembers
            + [.init("tileMatrixSetLimits", .array(metadata.limits.map(Self.limits)))]
    }

    private static func limits(_ limits: TileRange) -> JSONValue {
        JSONValue.record([
            "tileMatrix": .string(String(limits.zoom)),
            "minTileRow": .integer(limits.rows.lowerBound), "maxTileRow": .integer(limits.rows.upperBound),
            "minTileCol": .integer(limits.columns.lowerBound),
            "maxTileCol": .integer(limits.columns.upperBound),
        ])
    }
}

/// The file name of a tileset's document. Floors that share a directory have documents of their own.
func sideFileName(_ document: String, floor: String?, fileExtension: String = "json") -> String {
    floor.map { "\(document)-\($0).\(fileExtension)" } ?? "\(document).\(fileExtension)"
}

/// The document that MBTiles tools keep with a tree of tiles: the rows of the `metadata` table.
///
/// Every value is a text, because importers copy it into that table unchanged, and fail on anything else.
package struct MetadataJSON: Hashable, Sendable {
    /// What the document says.
    package var metadata: TilesetMetadata

    /// Makes the document of a tileset.
    package init(_ metadata: TilesetMetadata) { self.metadata = metadata }

    /// The file: `metadata.json`, or `metadata-FLOOR.json` for a floor.
    package var file: SideFile {
        let members = rows.map { JSONValue.Member($0.name, .string($0.value)) }
        return SideFile(
            name: sideFileName("metadata", floor: metadata.floor), bytes: JSONValue.file(members))
    }

    /// The rows of MBTiles 1.3, `scheme`, which a tree needs, and our own members (`ownMembers`).
    package var rows: [MetadataRow] {
        let extent = PublishedExtent(of: metadata)
        let members = JSONValue.members([
            "name": .string(metadata.name), "description": .string(metadata.description),
            "version": .string(TileJSON.tilesetVersion), "type": .string("overlay"),
            "format": .string(metadata.format.fileExtension), "scheme": .string(metadata.scheme.rawValue),
            "bounds": .array(extent.bounds.map(JSONValue.degrees)), "center": extent.centerValue,
            "minzoom": (extent.zooms?.lowerBound).map(JSONValue.integer),
            "maxzoom": (extent.zooms?.upperBound).map(JSONValue.integer),
            "attribution": .string(metadata.attribution),
        ])
        return (members + metadata.ownMembers).map { MetadataRow($0.name, $0.value.text) }
    }

    /// The rows for the table itself, in which tile rows always count from the south and the version is
    /// a number.
    package var tableRows: [MetadataRow] {
        rows.filter { $0.name != "scheme" }.map { row in
            row.name == "version" ? MetadataRow(row.name, Self.tableVersion) : row
        }
    }

    /// `TileJSON.tilesetVersion` as a number.
    private static let tableVersion = "1"
}

extension PublishedExtent {
    /// Longitude, latitude and zoom of the centre; nil without zooms.
    fileprivate var centerValue: JSONValue? {
        centerZoom.map { .array(center.map(JSONValue.degrees) + [.integer($0)]) }
    }
}

extension TilesetDocuments {
    /// The documents of a tileset for every container.
    package init(_ metadata: TilesetMetadata) {
        let files = [
            MetadataJSON(metadata).file, TileMapResource(metadata)?.file, TileJSON(metadata).file,
        ]
        self.init(
            sideFiles: files.compactMap(\.self),
            rows: MetadataJSON(metadata).tableRows,
            json: metadata.archiveJSON,
            extent: PublishedExtent(of: metadata), format: metadata.format,
            baseURL: metadata.baseURL)
    }
}

extension TilesetMetadata {
    /// Members beyond all specifications, with the same names in every document: `tileSize`, which clients of
    /// raster tiles need; `floor`; `mediaTypes`, if tiles of two types share an extension; `tileCount` and
    /// `digest`, which show that a copy is complete; and `generator`.
    var ownMembers: [JSONValue.Member] {
        let mediaTypes = format.mediaTypes.map(JSONValue.string)
        return JSONValue.members([
            "tileSize": .integer(tileSize), "floor": floor.map(JSONValue.string),
            "mediaTypes": mediaTypes.count > 1 ? .array(mediaTypes) : nil,
            "tileCount": (contents?.tileCount).map(JSONValue.integer),
            "digest": (contents?.digest).map(JSONValue.string), "generator": .string(Self.generator),
        ])
    }

    /// The JSON object in a PMTiles archive. The archive's header has the rest: type, bounds, zooms.
    ///
    /// - Parameter origin: the job and images of the tiles, as far as known.
    package func archiveJSON(origin: TilesetOrigin = TilesetOrigin()) -> [UInt8] {
        let members = JSONValue.members([
            "name": .string(name), "description": .string(description),
            "attribution": .string(attribution), "type": .string("overlay"),
            "version": .string(TileJSON.tilesetVersion),
        ])
        let images = origin.images.map { JSONValue.string($0.text) }
        let originMembers = JSONValue.members([
            SourceImage.member: images.isEmpty ? nil : .array(images),
            Self.jobMember: (origin.job?.hex).map(JSONValue.string),
        ])
        return JSONValue.file(members + ownMembers + originMembers)
    }
}
