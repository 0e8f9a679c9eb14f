internal import CPublishing
internal import Tilesets

/// A page that shows tilesets on a map: buildings side by side, each with a switch of its floors.
package struct ViewerPage: Sendable {
    private let buildings: [Building]
    private let title: String?
    private let library: MapLibrary
    /// What else the server of the page has, for people.
    private let links: [PageLink]

    /// Describes a page.
    ///
    /// - Parameters:
    ///   - buildings: in the order in which they are listed, and painted one over the other.
    ///   - title: what all of it is called; nil for the name of the tileset that is shown.
    ///   - links: what else there is.
    /// - Returns: nil if there is no tileset, or one has no tiles.
    package init?(
        _ buildings: [Building], title: String?, library: MapLibrary, links: [PageLink] = []
    ) {
        let areEmpty = buildings.flatMap(\.floors).map(\.metadata.limits.isEmpty)
        if areEmpty.isEmpty || areEmpty.contains(true) { return nil }
        self.buildings = buildings.filter { !$0.floors.isEmpty }
        (self.title, self.library, self.links) = (title, library, links)
    }

    /// The page in UTF-8.
    package var html: [UInt8] {
        // The tileset that is shown names a page without a title, and its script says which that is.
        let title = Page.escaped(title ?? buildings[0].floors[0].metadata.name)
        let values: SourceTemplate.Values = [
            "TITLE": [title], "SCRIPT": [script], "TILESETS": [json], "LINKS": PageLink.section(links),
        ]
        return Page.html(
            .viewer, heading: title, library: library, words: ["page", "links", "viewer"],
            styles: Page.text(page_css, viewer_css),
            body: (viewer_html, values))
    }

    /// The script: what begins it stands in the last file.
    private var script: String {
        Page.text(
            words_js, page_js, archive_js, tileset_js, layers_js, grid_js, shown_js, switch_js,
            comparison_js, background_js, pixel_js, readout_js, link_js, viewer_js)
    }

    /// The data for the script, as JSON that cannot end the script element.
    private var json: String {
        let names = DistinctNames(buildings.map { ($0.name ?? "", $0.folder) })
        let list = zip(buildings, names.all).map { $0.json(key: $1) }
        let members = [JSONValue.Member("buildings", .array(list))]
        return Page.json((title.map { [.init("title", .string($0))] } ?? []) + members)
    }
}
