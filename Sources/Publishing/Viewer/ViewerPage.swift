import CPublishing
package import Tilesets
import Tiling

/// A page that shows tilesets on a map: buildings side by side, each with a switch for its floors.
package enum ViewerPage {
    /// The page in UTF-8.
    ///
    /// - Parameters:
    ///   - buildings: the buildings in the order of the list; later ones are painted over earlier ones.
    ///   - title: the title of the page; nil for the name of the tileset that is shown.
    ///   - links: links to other documents on the server of the page.
    ///   - guide: the header of a page that is a step of the guide.
    ///   - basemap: the address of the map under all, with `{z}`, `{x}` and `{y}`; empty for no map, and nil
    ///     for that of OpenStreetMap.
    /// - Returns: nil if there is no tileset, or if a tileset has no tiles.
    package static func html(
        _ buildings: [Building], title: String?, library: MapLibrary, links: [PageLink] = [],
        guide: GuideHeading? = nil, basemap: String? = nil
    ) -> [UInt8]? {
        html(
            buildings, title: title, library: library, links: links, shared: nil, guide: guide,
            basemap: basemap)
    }

    /// The page that contains its tiles, in UTF-8: the bytes before the elements with tiles, and those after.
    ///
    /// - Parameters:
    ///   - buildings: buildings with tilesets that are inside the page.
    ///   - basemap: the address of the map under all, with `{z}`, `{x}` and `{y}`; empty for no map, and nil
    ///     for that of OpenStreetMap.
    /// - Returns: nil if there is no tileset, or if a tileset has no tiles.
    package static func shared(
        _ buildings: [Building], title: String?, library: MapLibrary, basemap: String?
    ) -> (head: [UInt8], foot: [UInt8])? {
        let page = html(
            buildings, title: title, library: library, links: [], shared: Sharing(basemap: basemap),
            basemap: basemap)
        guard let page else { return nil }
        // Data cannot contain the mark, and the page's own script does not.
        guard let found = page.ranges(of: Array(mark.utf8)).last else {
            preconditionFailure("the page has no place for its tiles")
        }
        return (Array(page[..<found.lowerBound]), Array(page[found.upperBound...]))
    }

    /// Marks the place of the tiles.
    private static let mark = "<!--tiles-->\n"

    /// What a page that contains its tiles says of the map under all, as `shared` takes it.
    private struct Sharing {
        let basemap: String?

        /// Nothing that a tileset says can make the page load anything.
        var policy: String {
            let pictures = basemap == "" ? "data:" : "data: http: https:"
            return "default-src 'none'; img-src \(pictures); script-src 'unsafe-inline'; "
                + "style-src 'unsafe-inline'"
        }
    }

    private static func html(
        _ buildings: [Building], title: String?, library: MapLibrary, links: [PageLink],
        shared: Sharing?, guide: GuideHeading? = nil, basemap: String?
    ) -> [UInt8]? {
        let tilesets = buildings.flatMap(\.floors)
        guard let first = tilesets.first, !tilesets.contains(where: \.isEmpty) else { return nil }
        let buildings = buildings.filter { !$0.floors.isEmpty }
        // A page without a title gets the name of the current tileset from its script.
        let heading = Page.escaped(title ?? first.metadata.name)
        let names = distinctNames(buildings.map { ($0.name ?? "", $0.folder) })
        let list = zip(buildings, names).map { $0.json(key: $1) }
        let data = JSONValue.members([
            "title": title.map(JSONValue.string), "basemap": basemap.map(JSONValue.string),
            "buildings": .array(list),
        ])
        return Page.html(
            shared == nil ? .viewer : .shared, heading: heading, library: library,
            words: ["page", "links", "viewer"],
            style: viewer_css,
            body: SourceTemplate(viewer_html).lines(["TITLE": [heading], "LINKS": PageLink.section(links)]),
            data: Page.data("tilesets", data) + (shared == nil ? [] : [String(mark.dropLast())]),
            script: viewer_js, readsTiles: true, policy: shared?.policy, guide: guide)
    }
}

extension ViewerPage {
    /// A building. One of its floors is shown at a time.
    package struct Building: Sendable {
        /// A name for people; nil for tilesets that share a switch but are not a building.
        package let name: String?
        /// The floors, the uppermost first.
        package let floors: [Tileset]

        /// The folder of its floors, as the page sees it, which distinguishes buildings of the same name.
        package var folder: String

        /// Describes a building.
        package init(_ name: String?, floors: [Tileset]) {
            (self.name, self.floors) = (name, floors)
            let path = floors.first.map { $0.isArchive ? $0.path.dropLast() : $0.path[...] } ?? []
            folder = path.joined(separator: "/")
        }

        /// The floor that is shown first: the default floor, otherwise the ground floor, otherwise the
        /// uppermost.
        private var first: Int {
            floors.firstIndex(where: \.isDefault) ?? floors.firstIndex { $0.ordinal == 0 } ?? 0
        }

        /// The data for the script.
        ///
        /// - Parameter key: the building's name in links to the page.
        func json(key: String) -> JSONValue {
            let names = distinctNames(floors.map { ($0.floor, $0.way) })
            let list = zip(floors, names).map { $0.json(key: $1) }
            return JSONValue.record([
                "key": .string(key), "name": .string(name == nil ? "" : key),
                "isBuilding": .boolean(name != nil), "first": .integer(first), "floors": .array(list),
            ])
        }
    }
}

extension ViewerPage {
    /// A tileset, its place, and its name in a switch.
    package struct Tileset: Sendable {
        /// The tileset's metadata.
        package var metadata: TilesetMetadata
        /// The path from the page's folder to the tiles' folder or to the archive: components, not
        /// escaped.
        let path: [String]
        /// Whether the path leads to a PMTiles archive.
        let isArchive: Bool
        /// The number of the tileset in a page that contains its tiles; nil if they are elsewhere.
        package private(set) var number: Int?
        /// The name for people.
        package var label: String
        /// The text of its button.
        package var shortName: String
        /// The position in the order of floors, 0 for the ground floor; nil if unknown.
        package var ordinal: Int?
        /// Whether it is shown before the other floors.
        package var isDefault = false

        /// Describes a tileset by its metadata.
        package init(_ metadata: TilesetMetadata, path: [String], isArchive: Bool) {
            (self.metadata, self.path, self.isArchive) = (metadata, path, isArchive)
            label = metadata.floor ?? metadata.name
            shortName = label
            ordinal = metadata.floor.flatMap { Int($0) }
        }

        /// Describes a tileset whose tiles are in the page, in elements with the id `NUMBER/ZOOM/COLUMN/ROW`:
        /// `png;base64,` and the bytes, or `=` and the id of the element with the same tile.
        package init(_ metadata: TilesetMetadata, inside number: Int) {
            var metadata = metadata
            (metadata.template, metadata.scheme) = ("{z}/{x}/{y}", .xyz)
            self.init(metadata, path: [], isArchive: false)
            self.number = number
        }

        /// Whether it has no tiles, and so nothing to show.
        package var isEmpty: Bool { metadata.limits.isEmpty }

        /// Its name in links to the page.
        var floor: String { metadata.floor ?? metadata.name }

        /// The folder or the archive, as the page sees it.
        var way: String { path.joined(separator: "/") }
    }
}

extension ViewerPage.Tileset {
    /// The data of a tileset for the script.
    func json(key: String) -> JSONValue {
        let area = ClientArea(of: metadata)
        let edges = [area.west, area.south, area.eastUnwrapped, area.north]
        let address = (isArchive ? path : path + [metadata.template]).joined(separator: "/")
        return .record([
            "key": .string(key), "name": .string(metadata.name),
            "label": .string(label == floor ? key : label),
            "shortName": .string(shortName == floor ? key : shortName),
            "ordinal": ordinal.map(JSONValue.integer), "description": .string(metadata.description),
            "attribution": .string(metadata.attribution), "tileSize": .integer(metadata.tileSize),
            "scheme": .string(metadata.scheme.rawValue),
            "version": .string(String(metadata.contents?.digest.prefix(8) ?? "")),
            "minzoom": (metadata.limits.zooms?.lowerBound).map(JSONValue.integer),
            "maxzoom": (metadata.limits.zooms?.upperBound).map(JSONValue.integer),
            "bounds": .array(edges.map(JSONValue.degrees)),
            "limits": .array(metadata.limits.map { .array($0.numbers.map(JSONValue.integer)) }),
            "isComplete": .boolean(metadata.contents?.tileCount == tilesWithinLimits),
            isArchive ? "archive" : "address": .string(TilesetMetadata.escaped(address)),
            "inside": number.map(JSONValue.integer),
        ])
    }

    /// The number of tiles if no transparent tiles are skipped.
    private var tilesWithinLimits: Int {
        metadata.limits.reduce(0) { $0 + $1.columns.count * $1.rows.count }
    }
}

/// Distinct names of things in folders, for links to a page: `Mall`, or `Mall (old)` and `Mall (new)`. Things
/// whose names and folders are the same are numbered.
private func distinctNames(_ things: [(name: String, folder: String)]) -> [String] {
    let placed = things.map { thing in
        let isAlone = things.count { $0.name == thing.name } == 1
        return isAlone || thing.folder.isEmpty ? thing.name : "\(thing.name) (\(thing.folder))"
    }
    var taken: Set<String> = []
    return placed.map { name in
        let numbered = (2...).lazy.map { "\(name) #\($0)" }
        let free = taken.contains(name) ? numbered.first { !taken.contains($0) } ?? name : name
        taken.insert(free)
        return free
    }
}
