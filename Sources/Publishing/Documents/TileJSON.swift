package import Tilesets
import Tiling

/// The document that tells clients where the tiles are: TileJSON 3.0.0.
///
/// Beyond the specification it has `format`, the members of all our documents (`ownMembers`), and
/// `tileMatrixSetLimits`, which says what tiles exist. They are the limits of OGC's Two Dimensional
/// Tile Matrix Set: rows count from the north whatever the scheme, and a zoom that crosses the
/// antimeridian has two entries.
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
        var members: [JSONValue.Member] = [
            .init("tilejson", .string(Self.specification)),
            .init("name", .string(metadata.name)),
        ]
        if !metadata.description.isEmpty {
            members.append(.init("description", .string(metadata.description)))
        }
        if !metadata.attribution.isEmpty {
            members.append(.init("attribution", .string(metadata.attribution)))
        }
        members += [
            .init("version", .string(Self.tilesetVersion)),
            .init("scheme", .string(metadata.scheme.rawValue)),
            .init("tiles", .array([.string(metadata.address)])),
        ]
        if let zooms = extent.zooms {
            members.append(.init("minzoom", .integer(zooms.lowerBound)))
            members.append(.init("maxzoom", .integer(zooms.upperBound)))
        }
        members.append(.init("bounds", .array(extent.bounds.map(JSONValue.degrees))))
        if let zoom = extent.centerZoom {
            let center = extent.center.map(JSONValue.degrees) + [.integer(zoom)]
            members.append(.init("center", .array(center)))
        }
        return members + [.init("format", .string(metadata.format.fileExtension))]
            + metadata.ownMembers
            + [.init("tileMatrixSetLimits", .array(metadata.limits.map(Self.limits)))]
    }

    private static func limits(_ limits: TileRange) -> JSONValue {
        .object([
            .init("tileMatrix", .string(String(limits.zoom))),
            .init("minTileRow", .integer(limits.rows.lowerBound)),
            .init("maxTileRow", .integer(limits.rows.upperBound)),
            .init("minTileCol", .integer(limits.columns.lowerBound)),
            .init("maxTileCol", .integer(limits.columns.upperBound)),
        ])
    }
}

/// The file name of a tileset's document. Floors that share a directory have documents of their own.
func sideFileName(_ document: String, floor: String?, fileExtension: String = "json") -> String {
    floor.map { "\(document)-\($0).\(fileExtension)" } ?? "\(document).\(fileExtension)"
}
