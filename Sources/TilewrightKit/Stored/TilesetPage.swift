import Diagnostics
import Files
import Publishing
import Tilesets
import Tiling

/// A page that shows finished tilesets on a map.
public struct TilesetPage: Sendable {
    /// Where the page goes.
    public let path: String

    private let page: ViewerPage

    /// Prepares a page.
    ///
    /// - Parameters:
    ///   - tilesets: folders of tiles, or PMTiles archives; several get a switch.
    ///   - path: the page, an HTML file; by default `index.html` in a folder, `NAME.html` beside an
    ///     archive.
    ///   - assets: a folder with `leaflet.js` and `leaflet.css`, to put into the page.
    /// - Throws: a `Failure` if a tileset cannot be read or shown.
    public init(_ tilesets: [String], at path: String? = nil, assets: String? = nil) throws {
        guard let first = tilesets.first else {
            throw Failure(.usage, "there is no tileset to show", remedy: "name at least one")
        }
        let path = try path.map(PageFile.checked) ?? Self.standardPath(tilesets)
        let shown = try tilesets.flatMap { try Self.tilesets($0, page: path) }
        let library = try assets.map(MapLibrary.init(directory:)) ?? .hosted
        guard let page = ViewerPage(shown, library: library) else {
            throw Failure(.badInput, cannot: "show '\(first)'", "it has no tiles")
        }
        self.path = path
        self.page = page
    }

    /// Writes the page, whole or not at all.
    ///
    /// - Parameter force: write over a page of another kind, and one that this program did not make.
    /// - Throws: a `Failure`: `outputRefused` if there is such a page, or none can be made; `inputOutput` if
    ///   writing fails.
    public func write(force: Bool = false) throws {
        try PageFile.write(page.html, as: .viewer, to: path, force: force)
    }

    private static func standardPath(_ tilesets: [String]) throws -> String {
        guard tilesets.count == 1 else {
            throw Failure(
                .usage, "several tilesets have no place in common for their page",
                remedy: "name it with -o FILE.html")
        }
        let only = tilesets[0]
        return TilesetContainer(existing: only).isArchive
            ? only.parentDirectory + "/" + only.fileStem + ".html"
            : only + (only.hasSuffix("/") ? "" : "/") + "index.html"
    }

    /// The tilesets of a folder or of an archive, the uppermost floor first.
    private static func tilesets(_ path: String, page: String) throws -> [ViewerPage.Tileset] {
        let way = RelativePath.components(from: page.parentDirectory, to: path)
        switch TilesetContainer(existing: path) {
        case .mbtiles:
            throw Failure(
                .badInput, cannot: "show '\(path)'", "browsers cannot read MBTiles",
                remedy: "'tilewright convert' makes PMTiles or a folder of tiles of it")
        case .pmtiles:
            let metadata = try StoredTileset(path).metadata
            return [ViewerPage.Tileset(metadata, path: way, isArchive: true)]
        case .directory: return try floors(of: path, way: way)
        }
    }

    private static func floors(of path: String, way: [String]) throws -> [ViewerPage.Tileset] {
        let floors = try TreeReader.floors(of: path)
        // One that is not there is asked for to hear why.
        return try (floors.isEmpty ? [nil] : floors).sorted(by: isAbove).map { floor in
            let metadata = try StoredTileset(path, floor: floor).metadata
            return ViewerPage.Tileset(metadata, path: way, isArchive: false)
        }
    }

    /// Floors with numbers by their numbers, others by name, behind them.
    private static func isAbove(_ one: String?, _ other: String?) -> Bool {
        let (number, otherNumber) = (one.flatMap(Double.init), other.flatMap(Double.init))
        if let number, let otherNumber, number != otherNumber { return number > otherNumber }
        if (number == nil) != (otherNumber == nil) { return number != nil }
        return one ?? "" < other ?? ""
    }
}
