import Foundation

/// A folder of tiles, in the app or on a server.
struct TileFolder: TileSource {
    private let known: TilesetFacts
    private let template: TileTemplate?

    /// A folder whose tiles are known. Without a template, the addresses that were given are not valid.
    init(_ known: TilesetFacts, _ template: TileTemplate?) { (self.known, self.template) = (known, template) }

    init(_ bytes: Data, at url: URL) throws {
        guard let document = try? JSONDecoder().decode(TilesetDocument.self, from: bytes),
            let known = document.facts, let tiles = document.tiles?.first,
            let template = TileTemplate(tiles, scheme: document.scheme, from: url)
        else { throw TileError(.unreadable, "\(url.lastPathComponent) does not describe tiles") }
        self.init(known, template)
    }

    /// The document of a folder, unless the address is that of a document.
    static func document(at url: URL) -> URL {
        url.pathExtension == "json" ? url : url.appendingPathComponent("tilejson.json")
    }

    func facts() -> TilesetFacts { known }

    func bytes(of tile: TileAddress) async throws -> Data? {
        let url = try url(of: tile)
        if url.isFileURL { return try bytesNow(of: tile) }
        do {
            return try await Web.get(url, limit: Tile.longest).bytes
        } catch let error as TileError where error.kind == .missing { return nil }
    }

    func bytesNow(of tile: TileAddress) throws -> Data? {
        let url = try url(of: tile)
        if !url.isFileURL { throw TileError(.notNow, "\(url.absoluteString) is not in the app") }
        do {
            return try LocalFile.contents(of: url, limit: Tile.longest)
        } catch let error as TileError where error.kind == .missing { return nil }
    }

    private func url(of tile: TileAddress) throws -> URL {
        if let url = template?.url(of: tile, version: known.digest) { return url }
        throw TileError(.unreadable, "the address of the tiles is not valid")
    }
}

/// The addresses of tiles: a text with `{z}`, `{x}` and `{y}` or `{-y}`, or with `{quadkey}`.
struct TileTemplate: Hashable, Sendable {
    private let text: String
    private let isFromSouth: Bool
    private let document: URL

    /// Nil for an address that is neither on the web nor a path below the folder of the document.
    ///
    /// In the app, the tiles are next to their document, even if that names a server: then the part of the
    /// address counts that begins with the first component with a number of the tile.
    init?(_ text: String, scheme: String?, from document: URL) {
        let isFar = text.hasPrefix("https://") || text.hasPrefix("http://")
        let parts = text.split(separator: "/")
        let start = isFar && document.isFileURL ? parts.firstIndex { $0.contains("{") } ?? 0 : 0
        self.text = start > 0 ? parts[start...].joined(separator: "/") : text
        (isFromSouth, self.document) = (scheme == "tms" || text.contains("{-y}"), document)
        guard (isFar && start == 0 && !document.isFileURL) || Self.isBelow(self.text) else { return nil }
    }

    /// Whether a path, which may be escaped, stays below the folder of the document that has it.
    static func isBelow(_ path: String) -> Bool {
        guard let plain = path.removingPercentEncoding else { return false }
        return !plain.hasPrefix("/") && !plain.split(separator: "/").contains("..") && !path.contains(":")
            && !plain.contains("\0")
    }

    /// The address of a tile. The version changes with the tiles.
    func url(of tile: TileAddress, version: String) -> URL? {
        let quadkey = (0..<tile.zoom).reversed().map {
            String((tile.column >> $0 & 1) | (tile.row >> $0 & 1) << 1)
        }
        let row = isFromSouth ? tile.rowFromSouth : tile.row
        let values = [
            ("{z}", String(tile.zoom)), ("{x}", String(tile.column)), ("{y}", String(row)),
            ("{-y}", String(row)), ("{quadkey}", quadkey.joined()),
        ]
        let path = values.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
        return Self.url(of: path, version: version, from: document)
    }

    /// The address of a path. The version is for caches: with it, they do not answer with old tiles.
    static func url(of path: String, version: String, from document: URL) -> URL? {
        let isPlain = version.isEmpty || document.isFileURL
        let query = isPlain ? "" : (path.contains("?") ? "&v=" : "?v=") + version.prefix(8)
        return URL(string: path + query, relativeTo: document)?.absoluteURL
    }
}
