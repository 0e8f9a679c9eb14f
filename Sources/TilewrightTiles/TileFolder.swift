import Foundation

/// What files say about a tileset: `tilejson.json`, a floor in `building.json`, the metadata of an archive.
struct TilesetDocument: Decodable {
    struct Limits: Decodable {
        let tileMatrix: String
        let minTileRow, maxTileRow, minTileCol, maxTileCol: Int
    }

    /// The longest document that is read.
    static let longest = 4 << 20

    let name, label, attribution, scheme, digest: String?
    let floor, shortName, archive, tilejson: String?
    let minzoom, maxzoom, tileSize, ordinal: Int?
    let `default`: Bool?
    let bounds: [Double]?
    let limits: [[Int]]?
    let tileMatrixSetLimits: [Limits]?
    let tiles: OneOrMore?

    /// A floor has one address of tiles, `tilejson.json` a list.
    struct OneOrMore: Decodable {
        let first: String?

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            first = try (try? value.decode(String.self)) ?? value.decode([String].self).first
        }
    }

    /// What it says; nil if it does not say where there are tiles.
    ///
    /// - Parameters: zooms and bounds that are known from elsewhere.
    func facts(_ lowest: Int? = nil, _ highest: Int? = nil, _ edges: [Double]? = nil) -> TilesetFacts? {
        let ranges =
            limits
            ?? tileMatrixSetLimits?.map {
                [Int($0.tileMatrix) ?? -1, $0.minTileCol, $0.minTileRow, $0.maxTileCol, $0.maxTileRow]
            }
        guard
            var facts = TilesetFacts(
                lowest ?? minzoom, highest ?? maxzoom, edges ?? bounds, tileSize: tileSize,
                limits: ranges ?? [])
        else { return nil }
        (facts.name, facts.attribution) = (label ?? name ?? "", attribution ?? "")
        facts.digest = digest ?? ""
        return facts
    }
}

/// A folder of tiles, in the app or on a server.
struct TileFolder: NearTiles, FarTiles {
    private let known: TilesetFacts
    private let template: TileTemplate

    /// A folder whose tiles are known.
    init(_ known: TilesetFacts, _ template: TileTemplate) { (self.known, self.template) = (known, template) }

    /// Reads the document of a folder.
    ///
    /// - Throws: a `TileError` of kind `unreadable`.
    init(_ bytes: Data, at url: URL) throws {
        guard let document = try? JSONDecoder().decode(TilesetDocument.self, from: bytes),
            let facts = document.facts(), let tiles = document.tiles?.first,
            let template = TileTemplate(tiles, scheme: document.scheme, from: url)
        else { throw TileError(.unreadable, "\(url.lastPathComponent) does not describe tiles") }
        self.init(facts, template)
    }

    func facts() -> TilesetFacts { known }

    func bytesNow(of tile: TileAddress) throws -> Data? {
        guard let file = template.url(of: tile, version: "") else { return nil }
        do { return try LocalFile.contents(of: file, limit: Tile.longest) } catch let error as TileError
            where error.kind == .missing
        { return nil }
    }

    func bytes(of tile: TileAddress) async throws -> Data? {
        guard let url = template.url(of: tile, version: known.digest) else { return nil }
        let answer = try await Web.get(url, limit: Tile.longest)
        return answer.status == 200 ? answer.bytes : nil
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

    /// The address of a tile.
    ///
    /// - Parameter version: what changes with the tiles, so that no cache answers with old ones.
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
        let query = version.isEmpty ? "" : (path.contains("?") ? "&v=" : "?v=") + version.prefix(8)
        return URL(string: path + query, relativeTo: document)?.absoluteURL
    }
}
