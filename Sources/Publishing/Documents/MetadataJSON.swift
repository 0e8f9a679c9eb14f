import Tiling
package import Tilesets

/// The document that MBTiles tools keep beside a tree of tiles: the rows of the `metadata` table.
///
/// Every value is a text: importers copy it into that table as it is, and fail on anything else.
package struct MetadataJSON: Hashable, Sendable {
    /// What the document says.
    package var metadata: TilesetMetadata

    /// Makes the document of a tileset.
    package init(_ metadata: TilesetMetadata) { self.metadata = metadata }

    /// The file: `metadata.json`, or `metadata-FLOOR.json` for a floor.
    package var file: SideFile {
        let members = rows.map { JSONValue.Member($0.name, .string($0.value)) }
        return SideFile(
            name: sideFileName("metadata", floor: metadata.floor),
            bytes: JSONValue.file(members))
    }

    /// The rows of MBTiles 1.3, `scheme`, which a tree needs, and our own members (`ownMembers`).
    package var rows: [MetadataRow] {
        let extent = PublishedExtent(of: metadata)
        var rows = [
            MetadataRow("name", metadata.name),
            MetadataRow("description", metadata.description),
            MetadataRow("version", TileJSON.tilesetVersion),
            MetadataRow("type", "overlay"),
            MetadataRow("format", metadata.format.fileExtension),
            MetadataRow("scheme", metadata.scheme.rawValue),
            MetadataRow("bounds", Self.list(extent.bounds.map(\.description))),
        ]
        if let zooms = extent.zooms, let centerZoom = extent.centerZoom {
            let center = extent.center.map(\.description) + [String(centerZoom)]
            rows += [
                MetadataRow("center", Self.list(center)),
                MetadataRow("minzoom", String(zooms.lowerBound)),
                MetadataRow("maxzoom", String(zooms.upperBound)),
            ]
        }
        rows.append(MetadataRow("attribution", metadata.attribution))
        return rows + metadata.ownMembers.map { MetadataRow($0.name, $0.value.text) }
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

    private static func list(_ items: [String]) -> String { items.joined(separator: ",") }
}
