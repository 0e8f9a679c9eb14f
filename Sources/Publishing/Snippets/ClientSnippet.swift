internal import CPublishing

import Tiling
import Platform
package import Tilesets

/// Code, ready to use, that shows a tileset in a client.
package struct ClientSnippet: Sendable {
    /// The tileset, which has tiles.
    let metadata: TilesetMetadata
    /// The client that shows it.
    let client: SnippetClient
    /// Where the client finds it.
    let address: ClientAddress
    /// The name of the code's main type.
    let typeName: String
    /// The lowest and the highest zoom with tiles.
    package let zooms: ClosedRange<Int>
    /// The zoom up to which tiles are enlarged.
    let lastZoom: Int

    /// By how many zooms tiles are enlarged unless somebody says it: a pixel becomes eight times as wide,
    /// enough to see what is there.
    static let enlargedZooms = 3

    /// Describes the code.
    ///
    /// - Parameters:
    ///   - typeName: the name of the code's main type; nil for one that says the floor.
    ///   - enlargeTo: the zoom up to which tiles are enlarged; nil for three more than the last one.
    /// - Returns: nil for a tileset without tiles.
    package init?(
        _ metadata: TilesetMetadata, for client: SnippetClient, at address: ClientAddress,
        typeName: String? = nil, enlargeTo: Int? = nil
    ) {
        let zooms = metadata.limits.map(\.zoom)
        guard let lowest = zooms.min(), let highest = zooms.max() else { return nil }
        (self.metadata, self.client, self.address) = (metadata, client, address)
        self.zooms = lowest...highest
        lastZoom = max(highest, enlargeTo ?? highest + Self.enlargedZooms)
        self.typeName = typeName ?? SnippetTypeName.ofTileset(floor: metadata.floor)
    }

    /// The code, with a final line feed.
    package var text: String { client.template(for: address.known).filled(values) }

    private var language: SnippetLanguage { client.language }

    private var values: SourceTemplate.Values {
        let (lowest, highest) = (zooms.lowerBound, zooms.upperBound)
        let sizes = [
            "MIN_ZOOM": "\(lowest)", "MAX_ZOOM": "\(highest)", "BELOW_ZOOM": "\(lowest - 1)",
            "ENLARGE_TO": "\(lastZoom)",
            "TILE_SIZE": "\(metadata.tileSize)", "PIXEL_RATIO": "\(metadata.tileSize / 256)",
        ]
        let all = [
            sizes.mapValues { [$0] }, texts, places, addresses,
            ["SIZE_NOTE": sizeNote(lowest, highest)], cameraValues,
        ]
        let values = Dictionary(uniqueKeysWithValues: all.joined().map { ($0.key, $0.value) })
        return values.merging(parts(values)) { $1 }
    }

    /// The parts that templates share.
    private func parts(_ values: SourceTemplate.Values) -> SourceTemplate.Values {
        var parts = client.parts(values)
        if client == .maplibre {
            let view = SourceTemplate(view_maplibre_js)
            parts["VIEW"] = view.lines(values.merging(parts) { $1 })
        }
        return parts
    }

    /// The camera that shows all of the tileset, and its limits: values whose names begin with `CAMERA_`.
    private var cameraValues: SourceTemplate.Values {
        let box = metadata.shownBounds
        var camera = CameraView.overview(of: box).camera
        let lowest = min(Double(zooms.lowerBound), camera.zoom.rounded(.down))
        camera = CameraPosition(target: camera.target, zoom: min(camera.zoom, Double(lastZoom)))
        let code = ClientCamera(
            CameraView(camera), limits: CameraLimits(targetBounds: box, zooms: lowest...Double(lastZoom)),
            for: client)
        return Dictionary(uniqueKeysWithValues: code.values.map { ("CAMERA_" + $0.key, $0.value) })
    }

    private var texts: SourceTemplate.Values {
        let floor = metadata.floor.map { ", floor \($0)" } ?? ""
        let title = metadata.name + floor
        return [
            "TITLE": [SnippetLanguage.comment("\"\(title)\"")],
            "TITLE_TEXT": [language.literal(title)],
            "NAME": [typeName], "LAYER": [typeName + "Layer"],
            "ID": [language.literal(identifier)],
            "ATTRIBUTION": attribution,
            "NOTE": notes,
        ]
    }

    /// The option of a JavaScript client that says whom to credit.
    private var attribution: [String] {
        if metadata.attribution.isEmpty { return [] }
        let option = client == .openlayers ? "attributions" : "attribution"
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
                    ? "The tiles lie across the antimeridian, which bounds cannot say."
                    : "Where the tiles lie: none is asked for beyond."
            ],
            "LIMITS": limits,
            "ADD": area.boxes.enumerated().map { number, box in
                let id = number == 0 ? identifier : identifier + "-east"
                let list = box.map(\.description).joined(separator: ", ")
                return "add(\(language.literal(id)), [\(list)]);"
            },
        ]
    }

    /// The table of tiles that exist. Before 1.4, Kotlin does not allow a comma after the last entry.
    private var limits: [String] {
        let entries = metadata.limits.map(limits)
        let last = entries.suffix(1).map { language == .kotlin ? String($0.dropLast()) : $0 }
        return entries.dropLast() + last
    }

    /// An entry of the table of tiles that exist, in the template's language.
    private func limits(_ limits: TileRange) -> String {
        let (columns, rows) = (limits.columns, limits.rows)
        let ends =
            "\(columns.lowerBound), \(columns.upperBound), "
            + "\(rows.lowerBound), \(rows.upperBound)"
        return switch language {
        case .swift:
            "(\(limits.zoom), \(columns.lowerBound)...\(columns.upperBound), "
                + "\(rows.lowerBound)...\(rows.upperBound)),"
        case .objectiveC: "{\(limits.zoom), \(ends)},"
        case .kotlin:
            "Limits(\(limits.zoom), \(columns.lowerBound)..\(columns.upperBound), "
                + "\(rows.lowerBound)..\(rows.upperBound)),"
        case .javaScript: "[\(limits.zoom), \(ends)],"
        }
    }
}
