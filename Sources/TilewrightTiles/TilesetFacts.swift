import Foundation

/// The area of tiles in degrees. Across the antimeridian, the east is beyond 180.
public struct TileBounds: Hashable, Sendable {
    /// The edges in degrees.
    public let west, south, east, north: Double

    /// Makes bounds of edges in degrees.
    public init(west: Double, south: Double, east: Double, north: Double) {
        (self.west, self.south, self.east, self.north) = (west, south, east, north)
    }

    /// West, south, east, north, as in files; nil if they are not valid.
    init?(_ edges: [Double]) {
        guard edges.count == 4, edges[0] <= edges[2], edges[1] <= edges[3],
            edges.allSatisfy((-540...540).contains)
        else { return nil }
        self.init(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
    }
}

/// What a map must know about a tileset.
public struct TilesetFacts: Hashable, Sendable {
    /// The name for people.
    public var name = ""
    /// The lowest and the highest zoom with a tile.
    public var zooms: ClosedRange<Int>
    /// The area of the tiles.
    public var bounds: TileBounds
    /// Pixels along the edge of a tile's file.
    public var tileSize: Int
    /// The tiles that exist: zoom, first column, first row, last column, last row, from the north-west. Empty
    /// if that is not known.
    public var limits: [[Int]] = []
    /// Whom to credit; may be empty.
    public var attribution = ""
    /// Changes if a tile changes; empty if it is not known.
    public var digest = ""

    /// Describes tiles that are known.
    public init(zooms: ClosedRange<Int>, bounds: TileBounds, tileSize: Int, limits: [[Int]] = []) {
        (self.zooms, self.bounds, self.tileSize, self.limits) = (zooms, bounds, tileSize, limits)
    }

    /// Whether there may be a tile. Without limits, an archive itself must say.
    func mayHave(_ tile: TileAddress) -> Bool {
        limits.isEmpty
            || limits.contains {
                $0[0] == tile.zoom && $0[1] <= tile.column && tile.column <= $0[3]
                    && $0[2] <= tile.row && tile.row <= $0[4]
            }
    }
}

/// What files say about a tileset: `tilejson.json`, a floor in `building.json`, the metadata of an archive.
struct TilesetDocument: Decodable {
    struct Limits: Decodable {
        let tileMatrix: String
        let minTileRow, maxTileRow, minTileCol, maxTileCol: Int

        var range: [Int] { [Int(tileMatrix) ?? -1, minTileCol, minTileRow, maxTileCol, maxTileRow] }
    }

    /// A floor has one address of tiles, `tilejson.json` a list.
    struct OneOrMore: Decodable {
        let first: String?

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            first = try (try? value.decode(String.self)) ?? value.decode([String].self).first
        }
    }

    /// The longest document that is read.
    static let longest = 4 << 20

    var name, label, shortName, attribution, digest, scheme, floor, archive, tilejson: String?
    var minzoom, maxzoom, tileSize, ordinal: Int?
    var `default`: Bool?
    var bounds: [Double]?, limits: [[Int]]?, tileMatrixSetLimits: [Limits]?, tiles: OneOrMore?

    /// Reads a document, in the app or on a server.
    static func bytes(at url: URL) async throws -> Data {
        if url.isFileURL { return try LocalFile.contents(of: url, limit: longest) }
        return try await Web.get(url, isFresh: true, limit: longest).bytes
    }

    /// Nil if it does not say where there are tiles, or what it says is not valid.
    var facts: TilesetFacts? {
        let limits = limits ?? tileMatrixSetLimits?.map(\.range) ?? []
        guard let minzoom, let maxzoom, 0...30 ~= minzoom, minzoom...30 ~= maxzoom,
            let bounds = TileBounds(bounds ?? [-180, -85.051129, 180, 85.051129]),
            limits.allSatisfy({ $0.count == 5 })
        else { return nil }
        var facts = TilesetFacts(
            zooms: minzoom...maxzoom, bounds: bounds, tileSize: tileSize ?? 256, limits: limits)
        (facts.name, facts.attribution, facts.digest) = (label ?? name ?? "", attribution ?? "", digest ?? "")
        return facts
    }
}
