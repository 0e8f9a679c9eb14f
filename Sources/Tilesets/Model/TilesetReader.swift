import CStorage
package import Platform
public import Tiling

/// A finished tileset, in any kind of container.
package protocol TilesetReader: Sendable {
    /// The path that the user gave.
    var path: String { get }

    /// The document that describes the tileset.
    ///
    /// - Throws: `.badInput` if that is missing or damaged.
    func statement() throws -> TilesetStatement

    /// All documents that describe the tileset; the first is that of `statement`.
    func statements() throws -> [TilesetStatement]

    /// The job and images of the tiles, as far as known.
    var origin: TilesetOrigin { get }

    /// The name of a tile in messages: `tile 7/3/1`.
    func place(of tile: TileCoordinate) -> String

    /// The tiles that exist, per zoom from the lowest. A zoom has two entries if the tiles cross the
    /// antimeridian.
    func limits() throws -> [TileRange]

    /// Calls `body` once with each tile, in the container's order; only one tile is in memory at a time.
    ///
    /// - Throws: `.badInput` if the container is damaged, and whatever `body` throws.
    func forEachTile(_ body: (EncodedTile) throws -> Void) throws

    /// Counts all tiles, their bytes, and equal tiles, of any file type, without decoding them.
    ///
    /// - Throws: `.badInput` if the container is damaged, `.inputOutput` if reading fails.
    func survey() throws -> TilesetSurvey

    /// The document that describes the tileset, for tiles of any type.
    ///
    /// - Throws: `.badInput` if that is missing or damaged.
    func anyStatement() throws -> TilesetStatement

    /// When the tileset last changed, according to the file system, in seconds since 1970; nil if unknown.
    var changed: Int? { get }

    /// The bytes of a tile; nil if there is no such tile. Reads no other tile.
    ///
    /// - Throws: `.badInput` if what leads to the tile is damaged, `.inputOutput` if reading fails.
    func tile(at coordinate: TileCoordinate) throws -> [UInt8]?

    /// Checks the container, but not the content of its tiles: damaged directories, wrong counts, missing or
    /// duplicate tiles. Calls `body` once with each tile that can be read.
    ///
    /// - Throws: only if it cannot continue, such as when a disk fails; and the errors of `body`.
    func check(
        _ report: (TilesetFault) -> Void, tiles body: (EncodedTile) throws -> Void
    ) throws
}

extension TilesetReader {
    package func statements() throws -> [TilesetStatement] { [try statement()] }

    package func anyStatement() throws -> TilesetStatement { try statement() }

    package func place(of tile: TileCoordinate) -> String { "tile \(tile)" }

    /// The first tile of the container, or nil if it is empty.
    package func firstTile() throws -> EncodedTile? {
        var first: EncodedTile?
        do {
            try forEachTile { tile in
                first = tile
                throw Enough()
            }
        } catch is Enough {}
        return first
    }
}

/// Ends a loop over tiles before the last one.
private struct Enough: Error {}

/// A problem of a finished tileset.
public struct TilesetFault: Hashable, Sendable {
    /// The tile, file or part of the container: `tile 7/3/1`, `tilejson.json`.
    public var place: String
    /// The problem, as a clause: `is missing`.
    public var problem: String
    /// The tile that is missing or cannot be read.
    public var tile: TileCoordinate?

    /// Much longer than our own clauses, to leave room for quoted text.
    private static let longest = 400

    /// Makes a fault. If the clause quotes several lines, they are joined.
    public init(_ place: String, _ problem: String, tile: TileCoordinate? = nil) {
        self.place = place
        self.problem = problem.excerpt(Self.longest)
        self.tile = tile
    }
}

extension TilesetFault: CustomStringConvertible {
    /// The fault on one line.
    public var description: String { "\(place): \(problem)" }
}

/// The libraries that store and compare tilesets.
package enum TilesetLibraries {
    /// All of them, with their versions.
    package static var versions: [LibraryVersion] {
        // 801 is 0.8.1.
        let xxHash = XXH_versionNumber()
        return [
            LibraryVersion("SQLite", String(cString: sqlite3_libversion())),
            LibraryVersion("xxHash", "\(xxHash / 10_000).\(xxHash / 100 % 100).\(xxHash % 100)"),
        ]
    }
}
