package import Tilesets
import Tiling

/// A page that shows tilesets on a map, with a switch if there are several.
package struct ViewerPage: Sendable {
    /// A tileset and its place.
    package struct Tileset: Sendable {
        /// What the tileset says about itself.
        let metadata: TilesetMetadata
        /// The path from the page's folder to the tiles' folder or to the archive: components, not
        /// escaped.
        let path: [String]
        /// Whether the path leads to a PMTiles archive.
        let isArchive: Bool

        /// Describes a tileset.
        package init(_ metadata: TilesetMetadata, path: [String], isArchive: Bool) {
            (self.metadata, self.path, self.isArchive) = (metadata, path, isArchive)
        }
    }

    private let tilesets: [Tileset]
    private let library: MapLibrary

    /// Describes a page.
    ///
    /// - Returns: nil if there is no tileset, or one has no tiles.
    package init?(_ tilesets: [Tileset], library: MapLibrary) {
        let areEmpty = tilesets.map(\.metadata.limits.isEmpty)
        if areEmpty.isEmpty || areEmpty.contains(true) { return nil }
        (self.tilesets, self.library) = (tilesets, library)
    }

    /// The page in UTF-8.
    package var html: [UInt8] {
        // The first of several tilesets names the page, until its script shows another one.
        let title = Page.escaped(tilesets[0].metadata.name)
        let values: SourceTemplate.Values = [
            "TITLE": [title],
            "SCRIPT": [Page.text(PackageResources.page_js, PackageResources.viewer_js)],
            "TILESETS": [json],
        ]
        return Page.html(
            .viewer, heading: title, library: library,
            styles: Page.text(PackageResources.page_css, PackageResources.viewer_css),
            body: (PackageResources.viewer_html, values))
    }

    /// The data for the script, as JSON that cannot end the script element.
    private var json: String {
        Page.json([.init("tilesets", .array(tilesets.map(\.json)))])
    }
}

extension ViewerPage.Tileset {
    /// The data of a tileset for the script.
    fileprivate var json: JSONValue {
        let area = ClientArea(of: metadata)
        let zooms = metadata.limits.map(\.zoom)
        let edges = [area.west, area.south, area.eastUnwrapped, area.north]
        let members: [JSONValue.Member] = [
            .init("name", .string(metadata.name)),
            .init("label", .string(metadata.floor ?? metadata.name)),
            .init("description", .string(metadata.description)),
            .init("attribution", .string(metadata.attribution)),
            .init("tileSize", .integer(metadata.tileSize)),
            .init("scheme", .string(metadata.scheme.rawValue)),
            .init("version", .string(String(metadata.contents?.digest.prefix(8) ?? ""))),
            .init("minzoom", .integer(zooms.reduce(30, min))),
            .init("maxzoom", .integer(zooms.reduce(0, max))),
            .init("bounds", .array(edges.map(JSONValue.degrees))),
            .init("limits", .array(metadata.limits.map(Self.limits))),
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

    /// Zoom, first and last column, first and last row from the north.
    private static func limits(_ limits: TileMatrixLimits) -> JSONValue {
        let (columns, rows) = (limits.columns, limits.rows)
        let numbers = [
            limits.zoom, columns.lowerBound, columns.upperBound, rows.lowerBound, rows.upperBound,
        ]
        return .array(numbers.map(JSONValue.integer))
    }
}
