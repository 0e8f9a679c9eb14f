internal import CPublishing
import Platform
import Tilesets
import Tiling

/// Code, ready to use, that shows the floors of buildings in a client. At run time it reads each building's
/// `building.json`.
package struct BuildingSnippet: Sendable {
    /// The data about a building that the code needs.
    package struct Building: Sendable {
        /// A name for people.
        package var name: String
        /// The name of its type.
        package var typeName: String
        /// The folder of its index on the web, or its path inside the app; nil if it is not known.
        package var folder: String?
        /// The index of a building that has been built.
        package var index: BuildingIndex?

        /// Describes a building.
        package init(name: String, typeName: String, folder: String?, index: BuildingIndex? = nil) {
            (self.name, self.typeName, self.folder, self.index) = (name, typeName, folder, index)
        }

        /// The address of a file in the folder, an example if none is known.
        fileprivate func address(of file: String) -> String {
            TilesetMetadata.joined(folder ?? ClientAddress.exampleBase + "/tiles", file)
        }
    }

    /// The buildings, at least one.
    let buildings: [Building]
    /// The client that shows them.
    let client: SnippetClient
    /// Whether the floors are inside the app.
    let areLocal: Bool
    /// Whether the code is for a page, which has all that it imports.
    let isInPage: Bool
    /// The zoom up to which tiles are enlarged; nil for three more than the last one of a building.
    let enlargeTo: Int?

    /// Describes the code.
    package init(
        _ buildings: [Building], for client: SnippetClient, areLocal: Bool = false,
        isInPage: Bool = false, enlargeTo: Int? = nil
    ) {
        (self.buildings, self.client) = (buildings, client)
        (self.areLocal, self.isInPage, self.enlargeTo) = (areLocal, isInPage, enlargeTo)
    }

    /// The code, with a final line feed: a type for each building.
    package var text: String {
        buildings.enumerated().map { number, building in
            SourceTemplate(client.templates.building).filled(values(building, isFirst: number == 0))
        }.joined(separator: "\n")
    }

    private func values(_ building: Building, isFirst: Bool) -> SourceTemplate.Values {
        let address = building.address(of: BuildingIndex.fileName)
        let kind: ClientAddress.Kind = areLocal ? .localArchive : .archive
        let inside = inside(building)
        var values: SourceTemplate.Values = [
            "TITLE": [SnippetLanguage.comment("\"\(building.name)\"")],
            "NAME": [building.typeName],
            "OPEN": [language.opening(ClientAddress(text: address, kind: kind), address)],
            "NOTE": building.folder == nil
                ? ["REPLACE the address, https://example.org/..., with that of your building.json."] : [],
            "IMPORTS": isFirst ? ["1"] : [],
            areLocal ? "LOCAL" : "FAR": ["1"],
            "MODULE": isFirst && !isInPage ? ["1"] : [],
            "LAYER": [building.typeName + "Layer"], "INDEX": [language.literal(address)],
            "INSIDE": inside, "FETCHED": inside.isEmpty ? ["1"] : [],
            "LAST_ZOOM": [lastZoom],
        ]
        if client == .iosObjC, let index = building.index { values.merge(floors(of: index, building)) { $1 } }
        if language == .swift { values["MEMBERS"] = SourceTemplate(building_swift).lines(values) }
        return values.merging(client.parts(values)) { $1 }
    }

    private var language: SnippetLanguage { client.language }

    /// The index, for a page that opens from a disk, where it cannot be fetched.
    private func inside(_ building: Building) -> [String] {
        guard isInPage, let index = building.index else { return [] }
        let text = String(decoding: index.bytes, as: UTF8.self)
        return [text.replacing("<", with: "\\u003c").replacing("\n", with: " ")]
    }

    /// The floors by name, for code that does not read the index.
    private func floors(of index: BuildingIndex, _ building: Building) -> SourceTemplate.Values {
        let zooms = index.floors.map(\.zooms)
        let (lowest, highest) = (zooms.map(\.lowerBound).min() ?? 0, zooms.map(\.upperBound).max() ?? 0)
        let area = index.floors.map(\.bounds).reduce(nil) { $0?.union($1) ?? $1 }
        var values: SourceTemplate.Values = [
            "FLOORS": index.floors.map { language.literal($0.floor) + "," },
            "ADDRESSES": index.floors.compactMap { floor in
                guard let tiles = floor.tiles else { return nil }
                let row = floor.scheme == TileScheme.tms.rawValue ? "{-y}" : "{y}"
                let address = building.address(of: tiles.replacing("{y}", with: row))
                let version = ClientAddress.versioned(address, digest: floor.digest)
                return "\(language.literal(floor.floor)) : \(language.literal(version)),"
            },
            "MIN_ZOOM": ["\(lowest)"], "MAX_ZOOM": ["\(highest)"],
        ]
        if let area {
            values.merge(client.overviewValues(of: area, zooms: lowest...highest)) { $1 }
        }
        return values
    }

    /// The zoom up to which tiles are enlarged: an expression of the highest zoom of all floors.
    private var lastZoom: String {
        let last = language == .swift ? "building.zooms.upperBound" : "last"
        guard let enlargeTo else { return "\(last) + \(ClientSnippet.enlargedZooms)" }
        return switch language {
        case .swift: "max(\(last), \(enlargeTo))"
        case .kotlin: "maxOf(last, \(enlargeTo))"
        default: "Math.max(last, \(enlargeTo))"
        }
    }
}
