import Platform
import Publishing

/// A page that shows finished tilesets on a map, floors of buildings above all.
public struct TilesetPage: Sendable {
    /// Where the page goes.
    public let path: String
    /// Whether the user named it.
    private let isTyped: Bool
    /// What is not an error, and what the user should know: a line each.
    public let warnings: [String]

    private let page: ViewerPage

    /// Prepares a page.
    ///
    /// - Parameters:
    ///   - things: folders of tiles, PMTiles archives, or manifests of what was built. A folder with a
    ///     `building.json` or a `campus.json` is shown as these say; several other tilesets get a switch.
    ///   - path: the page, an HTML file; by default `index.html` in a folder, `NAME.html` beside an
    ///     archive, and `index.html` beside the index of a manifest.
    ///   - assets: a folder with `leaflet.js` and `leaflet.css`, to put into the page.
    ///   - maxTiles: the most tiles that a tileset may have.
    /// - Throws: a `Failure` if a tileset cannot be read or shown: `missingInput` if nothing of a manifest is
    ///   built.
    public init(
        _ things: [String], at path: String? = nil, assets: String? = nil,
        maxTiles: Int = BuildResources.standardMaxTiles
    ) throws {
        guard let first = things.first else {
            throw Failure(.usage, "there is no tileset to show", remedy: "name at least one")
        }
        let named = try path.map(PageFile.checked)
        let subjects = try things.map(PageSubject.init)
        let path = try named ?? Self.standardPath(subjects)
        var contents = PageContents(for: path, maxTiles: maxTiles)
        for subject in subjects { try contents.add(subject) }
        let library = try assets.map(MapLibrary.init(directory:)) ?? .hosted
        guard let page = ViewerPage(contents.buildings, title: contents.title, library: library) else {
            throw Failure(.badInput, cannot: "show '\(first)'", "it has no tiles")
        }
        (self.path, isTyped) = (path, named != nil)
        self.page = page
        warnings = contents.warnings
    }

    /// Writes the page, whole or not at all.
    ///
    /// - Parameter force: write over a page of another kind, and one that this program did not make.
    /// - Throws: a `Failure`: `outputRefused` if there is such a page, or none can be made; `inputOutput` if
    ///   writing fails.
    public func write(force: Bool = false) throws {
        try PageFile.write(page.html, as: .viewer, to: path, isTyped: isTyped, force: force)
    }

    private static func standardPath(_ subjects: [PageSubject]) throws -> String {
        guard subjects.count == 1 else {
            throw Failure(
                .usage, "several tilesets have no place in common for their page",
                remedy: "name it with -o FILE.html")
        }
        return subjects[0].standardPage
    }
}
