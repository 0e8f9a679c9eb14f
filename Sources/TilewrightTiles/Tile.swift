public import Foundation

/// What an archive answers for an address.
public enum Tile: Hashable, Sendable {
    /// There is a tile: the bytes of its file, a PNG, JPEG or WebP.
    case picture(Data)
    /// There is no tile, and none will come.
    case never
}

/// Why there is no answer now: ask again later.
public struct TileError: LocalizedError, Hashable, Sendable {
    /// What kind of thing happened.
    public enum Kind: Hashable, Sendable {
        /// No network, a time-out, or a server that is busy: it ends by itself.
        case notNow
        /// The server refuses to answer, such as with status 403: a bucket is private, or a key ran out.
        case denied
        /// There is no archive or index at this address.
        case missing
        /// The archive or index is damaged, or of a kind or version that this code does not read.
        case unreadable
        /// A tile is not a picture, such as the page of a network that asks for a password.
        case noPicture
    }

    /// What kind of thing happened.
    public let kind: Kind
    /// What happened, in one line.
    public let reason: String
    /// Whether it does not end by itself, so that somebody should be told.
    public var isFault: Bool { kind != .notNow }
    /// The reason.
    public var errorDescription: String? { reason }

    init(_ kind: Kind, _ reason: String) { (self.kind, self.reason) = (kind, reason) }
}

/// Called with what will not end by itself, once for each kind of it.
public typealias FaultHandler = @Sendable (TileError) -> Void

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

    /// Describes a tileset whose tiles are known.
    public init(zooms: ClosedRange<Int>, bounds: TileBounds, tileSize: Int, limits: [[Int]] = []) {
        (self.zooms, self.bounds, self.tileSize, self.limits) = (zooms, bounds, tileSize, limits)
    }

    /// Checks numbers from a file; nil if one is not valid.
    init?(_ lowest: Int?, _ highest: Int?, _ bounds: [Double]?, tileSize: Int?, limits: [[Int]] = []) {
        guard let lowest, let highest, 0...30 ~= lowest, lowest...30 ~= highest,
            let bounds = TileBounds(bounds ?? [-180, -85.051129, 180, 85.051129]),
            limits.allSatisfy({ $0.count == 5 })
        else { return nil }
        self.init(zooms: lowest...highest, bounds: bounds, tileSize: tileSize ?? 256, limits: limits)
    }

    /// Whether there may be a tile. Without limits, an archive itself must say.
    func mayHave(_ tile: TileAddress) -> Bool {
        limits.isEmpty
            || limits.contains {
                $0[0] == tile.zoom && $0[1] <= tile.column && tile.column <= $0[3] && $0[2] <= tile.row
                    && tile.row <= $0[4]
            }
    }
}

/// The address of a tile; rows count from the north.
struct TileAddress: Hashable, Sendable {
    let zoom, column, row: Int

    /// Nil if there is no such tile in the world.
    init?(zoom: Int, column: Int, row: Int) {
        guard 0...30 ~= zoom, 0..<1 << zoom ~= column, 0..<1 << zoom ~= row else { return nil }
        (self.zoom, self.column, self.row) = (zoom, column, row)
    }

    var rowFromSouth: Int { (1 << zoom) - 1 - row }
}

extension Tile {
    /// The longest file that is taken for a tile.
    static let longest = 64 << 20

    /// A tile of these bytes; without bytes there is none.
    ///
    /// - Throws: a `TileError` if they are not a picture.
    init(_ bytes: Data?, at address: TileAddress) throws {
        guard let bytes, !bytes.isEmpty else { self = .never; return }
        // PNG, JPEG, GIF, and WebP.
        let beginnings: [[UInt8]] = [
            [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8], Array("GIF8".utf8), Array("RIFF".utf8),
        ]
        guard beginnings.contains(where: { bytes.starts(with: $0) }) else {
            let name = "\(address.zoom)/\(address.column)/\(address.row)"
            throw TileError(.noPicture, "the answer for tile \(name) is not a picture")
        }
        self = .picture(bytes)
    }
}

/// A value that several threads use.
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
