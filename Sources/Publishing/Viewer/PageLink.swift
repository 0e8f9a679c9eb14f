import Tilesets

/// Something that a server has beside its page.
package struct PageLink: Hashable, Sendable {
    /// What people read.
    private let title: String
    /// The address, relative to the page; not escaped.
    private let path: String

    /// Names an address.
    package init(_ title: String, path: String) { (self.title, self.path) = (title, path) }

    /// A list of links, as lines of HTML.
    static func list(_ links: [PageLink]) -> [String] {
        links.map { link in
            let address = Page.escaped(TilesetMetadata.escaped(link.path))
            return "<li><a href=\"\(address)\">\(Page.escaped(link.title))</a></li>"
        }
    }

    /// A list that is opened on demand; nothing if there are no links.
    static func section(_ links: [PageLink]) -> [String] {
        if links.isEmpty { return [] }
        return ["<details id=\"links\"><summary>Addresses</summary><ul>"] + list(links) + ["</ul></details>"]
    }
}

/// A page of links alone, if there is nothing to show yet.
package struct LinksPage: Sendable {
    private let links: [PageLink]

    /// Describes a page.
    package init(_ links: [PageLink]) { self.links = links }

    /// The page in UTF-8.
    package var html: [UInt8] {
        Page.html(
            .viewer, heading: "tilewright", library: .embedded(script: "", style: ""),
            styles: Page.text(PackageResources.page_css, PackageResources.links_css),
            body: (PackageResources.links_html, ["LINKS": PageLink.list(links)]))
    }
}
