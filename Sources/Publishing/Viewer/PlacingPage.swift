import CPublishing
package import Tiling

/// A page in which a plan, or the floors of a building, are placed on the map by hand.
package enum PlacingPage {
    /// A floor, or a layer under the plan, as the page's scripts know it.
    package struct Part: Sendable {
        /// Its members.
        let data: JSONValue
        /// The address of a floor's picture, or the lines of a layer: a GeoJSON document that is known to be
        /// JSON.
        let content: String?

        /// Describes a part.
        package init(_ data: JSONValue, content: String? = nil) {
            (self.data, self.content) = (data, content)
        }
    }

    /// The page in UTF-8.
    ///
    /// - Parameters:
    ///   - title: the name of the image or the building.
    ///   - source: the path by which the command line names it: an image, or a manifest.
    ///   - floors: from the lowest to the highest; an image alone is the only one.
    ///   - near: the place that the map shows first, in degrees, if no plan has a position.
    ///   - layers: the layers to align with, later over earlier.
    ///   - basemap: the address of the map under all, with `{z}`, `{x}` and `{y}`; empty for no map, and nil
    ///     for that of OpenStreetMap.
    ///   - savingAddress: the address to which the page sends points; nil if the browser saves them.
    ///   - guide: what the page needs as a step of the guide; nil for a page of its own.
    package static func html(
        _ title: String, source: String, floors: [Part], near: Point?, layers: [Part], basemap: String?,
        library: MapLibrary, savingAddress: String?, guide: PlacingGuide? = nil
    ) -> [UInt8] {
        let title = Page.escaped(title)
        let data = JSONValue.members([
            "source": .string(source), "floors": .array(floors.map(\.data)),
            "layers": .array(layers.map(\.data)), "saveTo": savingAddress.map(JSONValue.string),
            "near": near.map(JSONValue.init), "basemap": basemap.map(JSONValue.string),
            "isGuided": guide.map { _ in .boolean(true) },
        ])
        // Separate elements, which a browser reads only when needed. Base 64 cannot end a script.
        let lines = elements("lines", of: "application/json", layers.map { $0.content.map(Page.inert) })
        let pictures = elements("picture", of: "text/plain", floors.map(\.content))
        let draft = guide?.draft.map(Page.inert)
        let drafts = draft.map { ["<script type=\"application/json\" id=\"draft\">", $0, "</script>"] } ?? []
        return Page.html(
            .placing, heading: PageWords.english("place.heading", name: title), library: library,
            words: ["page", "place"], style: place_css,
            body: SourceTemplate(place_html).lines(["TITLE": [title]]),
            data: Page.data("data", data) + drafts + lines + pictures, script: place_js,
            guide: guide?.heading)
    }

    private static func elements(_ name: String, of type: String, _ contents: [String?]) -> [String] {
        contents.enumerated().compactMap { index, content in
            content.map { "<script type=\"\(type)\" id=\"\(name)-\(index)\">\($0)</script>" }
        }
    }
}

/// What the page of `place` needs as a step of the guide.
///
/// It sends positions to the guide's server after each change. Its floors have no pictures in the page: their
/// data have addresses as the member `picture` of `plan`.
package struct PlacingGuide: Hashable, Sendable {
    /// The header.
    let heading: GuideHeading
    /// What the page sent last as its draft, as JSON; nil if it sent none.
    let draft: String?

    /// Describes a step of the guide.
    package init(heading: GuideHeading, draft: String?) { (self.heading, self.draft) = (heading, draft) }
}
