package import Tiling

/// The document that MBTiles' tools keep beside a tree of tiles: the rows of the `metadata` table.
///
/// Every value is a text: importers put it into that table as it is, and fail on anything else.
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
            bytes: JSONValue.object(members).fileBytes)
    }

    /// The rows in the words of MBTiles 1.3, and `scheme`, which a tree needs.
    package var rows: [(name: String, value: String)] {
        let extent = PublishedExtent(of: metadata)
        var rows = [
            ("name", metadata.name),
            ("description", metadata.description),
            ("version", TileJSON.tilesetVersion),
            ("type", "overlay"),
            ("format", metadata.format),
            ("scheme", metadata.scheme.rawValue),
            ("bounds", Self.list(extent.bounds.map(\.description))),
        ]
        if let zooms = extent.zooms, let centerZoom = extent.centerZoom {
            rows += [
                ("center", Self.list(extent.center.map(\.description) + [String(centerZoom)])),
                ("minzoom", String(zooms.lowerBound)),
                ("maxzoom", String(zooms.upperBound)),
            ]
        }
        return rows + [("attribution", metadata.attribution)]
    }

    private static func list(_ items: [String]) -> String { items.joined(separator: ",") }
}
