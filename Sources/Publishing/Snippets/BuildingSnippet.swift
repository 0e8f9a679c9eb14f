internal import CPublishing

import Platform
import Tilesets

/// Code, ready to use, that shows the floors of buildings in a client. At run time it reads each building's
/// `building.json`.
package struct BuildingSnippet: Sendable {
    /// The data about a building that the code needs.
    package struct Building: Sendable {
        /// A name for people.
        package var name: String
        /// The name of its type.
        package var typeName: String
        /// The folder of its index on the web; nil if it is not known.
        package var url: String?

        /// Describes a building.
        package init(name: String, typeName: String, url: String?) {
            (self.name, self.typeName, self.url) = (name, typeName, url)
        }

        /// The address of the index, an example if none is known.
        fileprivate var index: String {
            let folder = url ?? ClientAddress.exampleBase + "/tiles"
            return folder + (folder.hasSuffix("/") ? "" : "/") + BuildingIndex.fileName
        }
    }

    /// The buildings, at least one.
    let buildings: [Building]
    /// The client that shows them.
    let client: SnippetClient
    /// Whether the floors are in PMTiles archives, not in folders.
    let areArchives: Bool
    /// The zoom up to which tiles are enlarged; nil for three more than the last one of a building.
    let enlargeTo: Int?

    /// Describes the code.
    package init(
        _ buildings: [Building], for client: SnippetClient, areArchives: Bool, enlargeTo: Int? = nil
    ) {
        (self.buildings, self.client) = (buildings, client)
        (self.areArchives, self.enlargeTo) = (areArchives, enlargeTo)
    }

    /// The code, with a final line feed: a type for each building.
    package var text: String {
        buildings.enumerated().map { number, building in
            SourceTemplate(client.templates.building).filled(values(building, isFirst: number == 0))
        }.joined(separator: "\n")
    }

    private func values(_ building: Building, isFirst: Bool) -> SourceTemplate.Values {
        let language = client.language
        var values: SourceTemplate.Values = [
            "TITLE": [SnippetLanguage.comment("\"\(building.name)\"")],
            "NAME": [building.typeName], "FLOOR": [building.typeName + "Floor"],
            "LAYER": [building.typeName + "Layer"],
            "INDEX": [language.literal(building.index)],
            "NOTE": building.url == nil
                ? ["REPLACE the address, https://example.org/..., with that of your building.json."] : [],
            "IMPORTS": isFirst ? ["1"] : [],
            areArchives ? "ARCHIVES" : "TREES": ["1"],
            "PLACE": [areArchives ? "archive" : "tiles"],
            "CONTAINER": [areArchives ? "archives" : "a folder"],
            // MapLibre makes the addresses of tiles itself.
            "TILE": client == .maplibre ? [] : ["1"],
            "LAST_ZOOM": [lastZoom],
            "MAP": [client == .mapkitSwift ? "MKMapView" : "GMSMapView"],
        ]
        values.merge(client.buttons(of: building.typeName)) { $1 }
        values.merge(client.parts(values)) { $1 }
        switch language {
        case .swift:
            values["MEMBERS"] = SourceTemplate(building_index_swift).lines(values, with: ["CLASS"])
            values["INDEX_MEMBERS"] = SourceTemplate(building_index_swift).lines(values, with: ["EXTENSION"])
        case .javaScript:
            values["INDEX_MEMBERS"] = SourceTemplate(building_index_js).lines(values, with: ["CLASS"])
            values["BEGINNING"] = SourceTemplate(building_index_js).lines(values, with: ["USE"])
            values["BUTTON_MEMBERS"] = SourceTemplate(building_buttons_js).lines(values)
        case .objectiveC, .kotlin: break
        }
        return values
    }

    /// The zoom up to which tiles are enlarged: an expression of `last`, the highest zoom of all floors.
    private var lastZoom: String {
        guard let enlargeTo else { return "last + \(ClientSnippet.enlargedZooms)" }
        return switch client.language {
        case .swift: "max(last, \(enlargeTo))"
        case .objectiveC: "last > \(enlargeTo) ? last : \(enlargeTo)"
        case .kotlin: "maxOf(last, \(enlargeTo))"
        case .javaScript: "Math.max(last, \(enlargeTo))"
        }
    }
}

extension SnippetClient {
    /// The style of a floor switch's buttons, which look like the library's own.
    ///
    /// - Parameter type: the name of the type, and so a class of the element around the buttons.
    fileprivate func buttons(of type: String) -> SourceTemplate.Values {
        let look = buttonLook(type)
        return [
            "TAG": [look.tag], "CLASSES": [(look.classes + [type]).joined(separator: " ")],
            "BAR": [look.classes.first ?? type], "STYLE": look.style,
        ]
    }

    /// The tag of a button; the library's classes for the element around the buttons, the class of its bars
    /// first; and style rules in addition to the common ones.
    private func buttonLook(_ type: String) -> (tag: String, classes: [String], style: [String]) {
        switch self {
        // The library's rules are for links.
        case .leaflet: ("a", ["leaflet-bar", "leaflet-control"], [])
        case .maplibre: ("button", ["maplibregl-ctrl-group", "maplibregl-ctrl"], [])
        case .openlayers:
            (
                "button", ["ol-control", "ol-unselectable"],
                plainStyle(type) + [".\(type) { top: 0.5em; right: 0.5em; }"]
            )
        case .iosSwift, .iosObjC, .androidKotlin, .googleJS, .mapkitSwift:
            ("button", [], plainStyle(type) + [".\(type) { margin: 10px; }"])
        }
    }

    /// Rules for a library whose bars have no edges.
    private func plainStyle(_ type: String) -> [String] {
        [
            ".\(type) { padding: 0; border-radius: 4px; box-shadow: 0 1px 4px rgb(0 0 0 / 30%); }",
            ".\(type).\(type) > * { border: 0; }",
            ".\(type).\(type) > * + * { border-top: 1px solid #ddd; }",
        ]
    }
}
