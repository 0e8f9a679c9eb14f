import CPublishing
import Platform
package import Tilesets
import Tiling

/// Code, ready to use, that shows a tileset in a client.
package struct ClientSnippet: Sendable {
    /// The tileset, which has tiles.
    let metadata: TilesetMetadata
    /// The client that shows it.
    let client: SnippetClient
    /// The address of the tileset for the client.
    let address: ClientAddress
    /// The name of the code's main type.
    let typeName: String
    /// The lowest and the highest zoom with tiles.
    package let zooms: ClosedRange<Int>
    /// The zoom up to which tiles are enlarged.
    let lastZoom: Int
    /// Whether the code gives the client's own layer the addresses of tiles, without the library.
    private let isShort: Bool
    /// Whether the code is for a page, which has all that it imports.
    private let isInPage: Bool
    /// The pixels per point of the display, for a client that cannot ask.
    private let scale: Int

    /// The number of zooms by which tiles are enlarged by default: a pixel becomes eight times as wide.
    static let enlargedZooms = 3

    /// Describes the code.
    ///
    /// - Parameters:
    ///   - typeName: the name of the code's main type; nil for one that contains the floor.
    ///   - enlargeTo: the zoom up to which tiles are enlarged; nil for three more than the last one.
    ///   - isInPage: whether the code is for a page, which has all that it imports.
    ///   - scale: the pixels per point of the display, for a client that cannot ask.
    /// - Returns: nil for a tileset without tiles.
    package init?(
        _ metadata: TilesetMetadata, for client: SnippetClient, at address: ClientAddress,
        typeName: String? = nil, enlargeTo: Int? = nil, isInPage: Bool = false, scale: Int = 2
    ) {
        let zooms = metadata.limits.map(\.zoom)
        guard let lowest = zooms.min(), let highest = zooms.max() else { return nil }
        (self.metadata, self.client, self.address) = (metadata, client, address)
        (self.isInPage, self.scale) = (isInPage, scale)
        self.zooms = lowest...highest
        // The SDK's layer of addresses enlarges nothing.
        isShort = client == .iosObjC || client == .iosSwift && address.kind == .tiles && enlargeTo == nil
        lastZoom = isShort ? highest : max(highest, enlargeTo ?? highest + Self.enlargedZooms)
        self.typeName = typeName ?? SnippetTypeName.ofTileset(floor: metadata.floor)
    }

    /// The code, with a final line feed, or a page with it.
    package var text: String {
        let code = SourceTemplate(client.templates.map).filled(values)
        if !isInPage { return code }
        return client.page(code, title: metadata.name, hasModule: hasModule, readsPMTiles: address.isArchive)
    }

    private var language: SnippetLanguage { client.language }

    /// Whether the module reads the tiles. MapLibre reads archives by another library.
    private var hasModule: Bool { client == .googleJS || client != .maplibre && address.isArchive }

    private var values: SourceTemplate.Values {
        let blocks: SourceTemplate.Values = [
            "TILES": ["1"], "LARGE": metadata.tileSize == 512 ? ["1"] : [],
            address.isArchive ? "ARCHIVES" : "TREES": ["1"], isShort ? "ADDRESSES" : "LIBRARY": ["1"],
            address.isLocal ? "LOCAL" : "FAR": ["1"], "IMPORTS": isInPage ? [] : ["1"],
        ]
        let camera = client.overviewValues(
            of: metadata.shownBounds, zooms: zooms.lowerBound...lastZoom)
        return [numbers.mapValues { ["\($0)"] }, texts, places, addresses, blocks, camera]
            .reduce(into: [:]) { all, values in all.merge(values) { $1 } }
    }

    private var numbers: [String: Int] {
        let (lowest, highest) = (zooms.lowerBound, zooms.upperBound)
        return [
            "MIN_ZOOM": lowest, "MAX_ZOOM": highest, "BELOW_ZOOM": lowest - 1, "ENLARGE_TO": lastZoom,
            "LARGE_MIN_ZOOM": lowest + 1, "LARGE_MAX_ZOOM": highest + 1, "LARGE_ENLARGE_TO": lastZoom + 1,
            "TILE_SIZE": metadata.tileSize, "PIXEL_RATIO": metadata.tileSize / 256,
            "SCALE": scale, "PIXELS": 256 * scale,
        ]
    }

    private var texts: SourceTemplate.Values {
        let title = metadata.name + (metadata.floor.map { ", floor \($0)" } ?? "")
        let credit = metadata.attribution
        return [
            "TITLE": [
                SnippetLanguage.comment("\"\(title)\"")
                    + (address.isArchive ? ": an archive of map tiles" : ": map tiles")
            ],
            "TITLE_TEXT": [language.literal(title)],
            "NAME": [typeName], "VALUE": [typeName.prefix(1).lowercased() + typeName.dropFirst()],
            "LAYER": [address.isLocal ? "GMSSyncTileLayer" : "GMSTileLayer"],
            "ID": [language.literal(identifier)],
            "ATTRIBUTION": credit.isEmpty ? [] : [language.literal(credit)],
            "NOTE": notes, "MODULE": isInPage ? [] : client.moduleImport("TileArchive"),
        ]
    }

    private var notes: [String] {
        var notes: [String] = []
        if address.isExample {
            notes.append("REPLACE the address, https://example.org/..., with your tiles' address.")
        }
        // Other clients have an option for it.
        if !metadata.attribution.isEmpty, language != .javaScript || client == .googleJS {
            notes.append("Credit on the map: \(SnippetLanguage.comment(metadata.attribution)) .")
        }
        return notes
    }

    private var identifier: String { metadata.floor.map { "floor-\($0)" } ?? "plan" }

    private var places: SourceTemplate.Values {
        let area = ClientArea(of: metadata)
        return [
            "WEST": [language.number(area.west)], "SOUTH": [language.number(area.south)],
            "EAST": [language.number(area.east)], "NORTH": [language.number(area.north)],
            "EAST_UNWRAPPED": [language.number(area.eastUnwrapped)],
            // Bounds in Leaflet and OpenLayers cannot cross the antimeridian.
            "LEAFLET_WEST": [area.boxes.count > 1 ? "-180" : language.number(area.west)],
            "LEAFLET_EAST": [area.boxes.count > 1 ? "180" : language.number(area.east)],
            "EXTENT": area.boxes.count > 1 ? [] : ["extent\(typeName)"],
            "LIMITS": limits,
            "ADD": area.boxes.enumerated().map { number, box in
                let id = number == 0 ? identifier : identifier + "-east"
                let list = box.map(\.description).joined(separator: ", ")
                return "add(\(language.literal(id)), [\(list)]);"
            },
        ]
    }

    /// The table of tiles that exist: zoom, first column and row, last column and row; two entries a line.
    private var limits: [String] {
        let entries = metadata.limits.map { limits in
            let (columns, rows) = (limits.columns, limits.rows)
            let numbers = [
                limits.zoom, columns.lowerBound, rows.lowerBound, columns.upperBound, rows.upperBound,
            ]
            let list = numbers.map(String.init).joined(separator: ", ")
            return language == .objectiveC ? "{\(list)}" : "[\(list)]"
        }
        return stride(from: 0, to: entries.count, by: 2).map { index in
            let line = entries[index..<min(index + 2, entries.count)].joined(separator: ", ")
            // JSON has no comma after the last entry.
            return language == .kotlin && index + 2 >= entries.count ? line : line + ","
        }
    }
}
