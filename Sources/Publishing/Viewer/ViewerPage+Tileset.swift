package import Tilesets
import Tiling

extension ViewerPage {
    /// A tileset, its place, and what a switch calls it.
    package struct Tileset: Sendable {
        /// What the tileset says about itself.
        let metadata: TilesetMetadata
        /// The path from the page's folder to the tiles' folder or to the archive: components, not
        /// escaped.
        let path: [String]
        /// Whether the path leads to a PMTiles archive.
        let isArchive: Bool
        /// What people read.
        package var label: String
        /// What a button says.
        package var shortName: String
        /// The place among the floors, 0 for the ground floor; nil if nobody says it.
        package var ordinal: Int?
        /// Whether it is shown before the other floors.
        package var isDefault = false

        /// Describes a tileset by what it says of itself.
        package init(_ metadata: TilesetMetadata, path: [String], isArchive: Bool) {
            (self.metadata, self.path, self.isArchive) = (metadata, path, isArchive)
            label = metadata.floor ?? metadata.name
            shortName = label
            ordinal = metadata.floor.flatMap { Int($0) }
        }

        /// Whether it has no tiles, and so nothing to show.
        package var isEmpty: Bool { metadata.limits.isEmpty }

        /// What links to the page call it.
        var floor: String { metadata.floor ?? metadata.name }

        /// The folder or the archive, as the page sees it.
        var way: String { path.joined(separator: "/") }
    }
}

extension ViewerPage.Tileset {
    /// The data of a tileset for the script.
    func json(key: String) -> JSONValue {
        let area = ClientArea(of: metadata)
        let zooms = metadata.limits.map(\.zoom)
        let edges = [area.west, area.south, area.eastUnwrapped, area.north]
        var members: [JSONValue.Member] = [
            .init("key", .string(key)), .init("name", .string(metadata.name)),
            .init("label", .string(label == floor ? key : label)),
            .init("shortName", .string(shortName == floor ? key : shortName)),
        ]
        if let ordinal { members.append(.init("ordinal", .integer(ordinal))) }
        members += [
            .init("description", .string(metadata.description)),
            .init("attribution", .string(metadata.attribution)),
            .init("tileSize", .integer(metadata.tileSize)),
            .init("scheme", .string(metadata.scheme.rawValue)),
            .init("version", .string(String(metadata.contents?.digest.prefix(8) ?? ""))),
            .init("minzoom", .integer(zooms.reduce(30, min))),
            .init("maxzoom", .integer(zooms.reduce(0, max))),
            .init("bounds", .array(edges.map(JSONValue.degrees))),
            .init("limits", .array(metadata.limits.map(Self.limits))),
            .init("isComplete", .boolean(metadata.contents?.tileCount == tilesWithinLimits)),
        ]
        return .object(members + [place])
    }

    private var place: JSONValue.Member {
        if isArchive {
            let url = TilesetMetadata.escaped(path.joined(separator: "/"))
            return .init("archive", .string(url))
        }
        let address = (path + [metadata.template]).joined(separator: "/")
        return .init("address", .string(TilesetMetadata.escaped(address)))
    }

    /// How many tiles there are if none is left out for being transparent.
    private var tilesWithinLimits: Int {
        metadata.limits.reduce(0) { $0 + $1.columns.count * $1.rows.count }
    }

    /// Zoom, first and last column, first and last row from the north.
    private static func limits(_ limits: TileRange) -> JSONValue {
        let (columns, rows) = (limits.columns, limits.rows)
        let numbers = [
            limits.zoom, columns.lowerBound, columns.upperBound, rows.lowerBound, rows.upperBound,
        ]
        return .array(numbers.map(JSONValue.integer))
    }
}
