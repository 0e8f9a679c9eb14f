internal import CPublishing

import Tilesets

/// Something that a server has beside its page.
package struct PageLink: Hashable, Sendable {
    /// What people read.
    private enum Text: Hashable, Sendable {
        /// The address itself.
        case address
        /// That a plan of this name can be laid on the map.
        case laying(String)
    }

    private let text: Text
    /// The address, relative to the page; not escaped.
    private let path: String

    /// Names an address that people read as it is.
    package init(path: String) { (text, self.path) = (.address, path) }

    /// Names the page in which a plan is laid on the map.
    package init(laying plan: String, path: String) { (text, self.path) = (.laying(plan), path) }

    /// The item of a list, in English; the script of the page says it in other languages.
    private var html: String {
        let address = Page.escaped(TilesetMetadata.escaped(path))
        switch text {
        case .address: return "<li><a href=\"\(address)\"><bdi>\(Page.escaped(path))</bdi></a></li>"
        case .laying(let plan):
            let name = Page.escaped(plan), words = Page.escaped(PageWords.english("links.lay", name: plan))
            return "<li data-phrase-link=\"links.lay\" data-name=\"\(name)\">"
                + "<a href=\"\(address)\">\(words)</a></li>"
        }
    }

    /// A list of links, as lines of HTML.
    static func list(_ links: [PageLink]) -> [String] { links.map(\.html) }

    /// A list that is opened on demand; nothing if there are no links.
    static func section(_ links: [PageLink]) -> [String] {
        if links.isEmpty { return [] }
        let summary = "<summary data-phrase=\"links.addresses\"></summary>"
        return ["<details id=\"links\">\(summary)<ul>"] + list(links) + ["</ul></details>"]
    }
}

/// A page of links alone, if there is nothing to show yet.
package struct LinksPage: Sendable {
    private let links: [PageLink]

    /// Describes a page.
    package init(_ links: [PageLink]) { self.links = links }

    /// The page in UTF-8.
    package var html: [UInt8] {
        let values = ["LINKS": PageLink.list(links), "SCRIPT": [Page.text(words_js)]]
        return Page.html(
            .viewer, heading: "tilewright", library: .embedded(script: "", style: ""),
            words: ["links"],
            styles: Page.text(page_css, links_css),
            body: (links_html, values))
    }
}
