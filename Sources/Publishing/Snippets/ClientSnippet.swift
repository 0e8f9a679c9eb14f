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

    /// The code, with a final line feed.
    package var text: String { SourceTemplate(client.templates.map).filled(values, with: ["TILES"]) }

    private var language: SnippetLanguage { client.language }

    private var values: SourceTemplate.Values {
        let (lowest, highest) = (zooms.lowerBound, zooms.upperBound)
        let sizes = [
            "MIN_ZOOM": "\(lowest)", "MAX_ZOOM": "\(highest)", "BELOW_ZOOM": "\(lowest - 1)",
            "ENLARGE_TO": "\(lastZoom)",
            "TILE_SIZE": "\(metadata.tileSize)", "PIXEL_RATIO": "\(metadata.tileSize / 256)",
            "SCALE": "\(scale)", "PIXELS": "\(256 * scale)",
        ]
        let blocks = [
            "SIZE_NOTE": metadata.tileSize == 512 ? largeNote : smallNote,
            address.isArchive ? "ARCHIVES" : "TREES": ["1"],
            isShort ? "ADDRESSES" : "LIBRARY": ["1"],
            address.isLocal ? "LOCAL" : "FAR": ["1"],
            "MODULE": isInPage ? [] : ["1"], "IMPORTS": isInPage ? [] : ["1"],
        ]
        let camera = client.overviewValues(of: metadata.shownBounds, zooms: lowest...lastZoom)
        let all = [sizes.mapValues { [$0] }, texts, places, addresses, blocks, camera]
        let values = Dictionary(uniqueKeysWithValues: all.joined().map { ($0.key, $0.value) })
        return values.merging(client.parts(values)) { $1 }
    }

    private var texts: SourceTemplate.Values {
        let floor = metadata.floor.map { ", floor \($0)" } ?? ""
        let title = metadata.name + floor
        return [
            "TITLE": [
                SnippetLanguage.comment("\"\(title)\"")
                    + (address.isArchive ? ": an archive of map tiles" : ": map tiles")
            ],
            "TITLE_TEXT": [language.literal(title)],
            "NAME": [typeName], "LAYER": [typeName + "Layer"],
            "VALUE": [typeName.prefix(1).lowercased() + typeName.dropFirst()],
            "ID": [language.literal(identifier)],
            "ATTRIBUTION": attribution,
            "NOTE": notes,
        ]
    }

    /// The option of a JavaScript client for the credit.
    private var attribution: [String] {
        if metadata.attribution.isEmpty { return [] }
        let option =
            switch client {
            case .openlayers: "attributions"
            case .maplibreStyle: "\"attribution\""
            default: "attribution"
            }
        return ["\(option): \(language.literal(metadata.attribution))"]
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
            "EXTENT": area.boxes.count > 1 ? [] : ["extent: extent\(typeName)"],
            "BOUNDS_NOTE": [
                area.boxes.count > 1
                    ? "The tiles cross the antimeridian, which bounds cannot describe."
                    : "The area of the tiles; no others are requested."
            ],
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

extension ClientSnippet {
    /// A comment on how the client uses a tile's pixels.
    private var smallNote: [String] {
        switch client {
        case .iosSwift, .iosObjC, .mapkitSwift, .androidKotlin: []
        case .googleJS, .leaflet: ["Pixels of the page, which are those of the files."]
        case .maplibre: ["Pixels of the page, which are those of the files; 512 is the default."]
        case .openlayers: ["Pixels of the files per pixel of the page."]
        case .maplibreStyle, .flutterMap, .reactNativeMaps: []
        }
    }

    /// The comment for tiles of 512 pixels, with the alternative.
    private var largeNote: [String] {
        switch client {
        case .iosSwift, .iosObjC, .mapkitSwift, .androidKotlin: []
        case .googleJS:
            [
                "Pixels of the page: files of 512 pixels are shown sharper on dense displays. With",
                "Size(512, 512) they would be tiles of the next lower zoom.",
            ]
        case .leaflet:
            [
                "Pixels of the page: files of 512 pixels are shown sharper on dense displays. To show",
                "them larger instead: tileSize: 512, zoomOffset: -1, and zooms of the map, one more",
                "than the tiles': minZoom: \(zooms.lowerBound + 1), maxNativeZoom: \(zooms.upperBound + 1), "
                    + "maxZoom: \(lastZoom + 1).",
            ]
        case .maplibre:
            [
                "Pixels of the page: files of 512 pixels are shown sharper on dense displays. With",
                "512 they are shown larger, at zooms of the map that are one less.",
            ]
        case .openlayers:
            [
                "Files of 512 pixels are shown in 256 of the page, sharper on dense displays. To show",
                "them larger instead, put tileSize: 512 in its place.",
            ]
        case .maplibreStyle, .flutterMap, .reactNativeMaps: []
        }
    }
}
