import CSQLite
import CXXHash
package import Platform
public import Tiling

/// A finished tileset, of whatever container.
package protocol TilesetReader: Sendable {
    /// The path that the user gave.
    var path: String { get }

    /// What it says of itself.
    ///
    /// - Throws: `.badInput` if that is missing or damaged.
    func statement() throws -> TilesetStatement

    /// All that it says of itself, in more than one document if it has more; what `statement`
    /// gives is the first.
    func statements() throws -> [TilesetStatement]

    /// What made the tiles, as far as that is known.
    var origin: TilesetOrigin { get }

    /// A tile, as messages name it: `tile 7/3/1`.
    func place(of tile: TileCoordinate) -> String

    /// The tiles that exist, per zoom from the lowest; two entries at a zoom across the
    /// antimeridian.
    func limits() throws -> [TileRange]

    /// Lends each tile once, in the container's order; one tile is in memory at a time.
    ///
    /// - Throws: `.badInput` if the container is damaged, and whatever `body` throws.
    func forEachTile(_ body: (EncodedTile) throws -> Void) throws

    /// Counts all tiles and their bytes, and those that hold the same, whatever they are; decodes none.
    ///
    /// - Throws: `.badInput` if the container is damaged, `.inputOutput` if reading fails.
    func survey() throws -> TilesetSurvey

    /// What it says of itself, whatever its tiles are.
    ///
    /// - Throws: `.badInput` if that is missing or damaged.
    func anyStatement() throws -> TilesetStatement

    /// When the tileset changed, as the file system says, in seconds since 1970; nil if nobody knows.
    var changed: Int? { get }

    /// The bytes of a tile; nil if there is no such tile. Reads no other tile.
    ///
    /// - Throws: `.badInput` if the container is damaged on the way to it, `.inputOutput` if reading fails.
    func tile(at coordinate: TileCoordinate) throws -> [UInt8]?

    /// Looks for what is wrong with the container, whatever its tiles hold: damaged directories,
    /// wrong counts, tiles that are missing or doubled; and lends each tile that can be had, once.
    ///
    /// - Throws: only if it cannot go on, as when a disk fails, and whatever `body` throws.
    func check(
        _ report: (TilesetFault) -> Void, tiles body: (EncodedTile) throws -> Void
    ) throws
}

extension TilesetReader {
    package func statements() throws -> [TilesetStatement] { [try statement()] }

    package func anyStatement() throws -> TilesetStatement { try statement() }

    package func place(of tile: TileCoordinate) -> String { "tile \(tile)" }

    /// The first tile of the container, or nil if it has none.
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

/// Something that is wrong with a finished tileset.
public struct TilesetFault: Hashable, Sendable {
    /// The tile, file or part of the container, as it is to be found: `tile 7/3/1`,
    /// `tilejson.json`.
    public var place: String
    /// What is wrong with it, as a clause: `is missing`.
    public var problem: String
    /// The tile that cannot be had, if it should be there.
    public var tile: TileCoordinate?

    /// Far longer than any clause of ours: the rest quotes what is wrong.
    private static let longest = 400

    /// Makes a fault. A clause that quotes several lines becomes one.
    public init(_ place: String, _ problem: String, tile: TileCoordinate? = nil) {
        self.place = place
        self.problem = problem.excerpt(Self.longest)
        self.tile = tile
    }
}

extension TilesetFault: CustomStringConvertible {
    /// The fault in a line.
    public var description: String { "\(place): \(problem)" }
}

/// The libraries that tilesets are stored and compared with.
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
