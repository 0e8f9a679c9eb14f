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

    /// The code, with a final line feed: a type for each building, or a page with them.
    package var text: String {
        let template = SourceTemplate(client.templates.building)
        let code = buildings.enumerated().map { number, building in
            template.filled(values(building, isFirst: number == 0))
        }.joined(separator: "\n")
        return isInPage ? client.page(code, title: buildings[0].name, hasModule: true) : code
    }

    private func values(_ building: Building, isFirst: Bool) -> SourceTemplate.Values {
        let address = building.address(of: BuildingIndex.fileName)
        let kind: ClientAddress.Kind = areLocal ? .localArchive : .archive
        let inside = inside(building), hasImports = isFirst && !isInPage
        var values: SourceTemplate.Values = [
            "TITLE": [SnippetLanguage.comment("\"\(building.name)\"")],
            "NAME": [building.typeName],
            "OPEN": [language.opening(ClientAddress(text: address, kind: kind), address)],
            "NOTE": building.folder == nil
                ? ["REPLACE the address, https://example.org/..., with that of your building.json."] : [],
            "IMPORTS": hasImports ? ["1"] : [],
            "MODULE": hasImports ? client.moduleImport("Building, FloorPicker") : [],
            areLocal ? "LOCAL" : "FAR": ["1"], "LAYER": [areLocal ? "GMSSyncTileLayer" : "GMSTileLayer"],
            "LARGE": ["1"], "INDEX": [language.literal(address)],
            "INSIDE": inside, "FETCHED": inside.isEmpty ? ["1"] : [],
            "OPTIONS": ["{ onFault: console.warn\(enlargeTo.map { ", enlargeTo: \($0)" } ?? "") }"],
            "LAST_ZOOM": [lastZoom],
        ]
        if client == .iosObjC, let index = building.index { values.merge(floors(of: index, building)) { $1 } }
        return values
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
        guard let area = index.floors.map(\.bounds).whole, let lowest = zooms.map(\.lowerBound).min(),
            let highest = zooms.map(\.upperBound).max()
        else { return [:] }
        let values: SourceTemplate.Values = [
            "FLOORS": index.floors.map { language.literal($0.floor) + "," },
            "ADDRESSES": index.floors.compactMap { floor in
                guard let tiles = floor.tiles else { return nil }
                let row = floor.scheme == TileScheme.tms.rawValue ? "{-y}" : "{y}"
                let address = building.address(of: tiles.replacing("{y}", with: row))
                let version = ClientAddress.versioned(address, digest: floor.digest)
                return "\(language.literal(floor.floor)) : \(language.literal(version)),"
            },
        ]
        return values.merging(client.overviewValues(of: area, zooms: lowest...highest)) { $1 }
    }

    /// The zoom up to which tiles are enlarged: an expression of the highest zoom of all floors, in Swift or
    /// Kotlin.
    private var lastZoom: String {
        let last = language == .swift ? "building.zooms.upperBound" : "last"
        guard let enlargeTo else { return "\(last) + \(ClientSnippet.enlargedZooms)" }
        return (language == .swift ? "max" : "maxOf") + "(\(last), \(enlargeTo))"
    }
}
