public import Tilesets
public import Tiling

/// What a finished tileset is: what holds it, what it says of itself, and what its tiles come to.
///
/// Also of tilesets of other programs, and of tiles that are not images. Nothing is decoded but one tile.
///
/// ```swift
/// let tileset = try TilesetDescription("tiles.pmtiles")
/// print(tileset.tileCount, tileset.duplicates.contents)
/// ```
public struct TilesetDescription: Sendable {
    /// The tiles of a zoom.
    public struct Zoom: Hashable, Sendable {
        /// The zoom.
        public var zoom: Int
        /// The rectangle that they fill, perhaps with gaps; two across the antimeridian.
        public var limits: [TileRange]
        /// How many there are.
        public var tiles: Int
        /// Their bytes as clients get them.
        public var bytes: Int
    }

    /// Tiles that hold the same as others.
    public struct Duplicates: Hashable, Sendable {
        /// How many tiles hold what another tile holds too.
        public var tiles: Int
        /// How many different contents there are of all tiles.
        public var contents: Int
        /// The bytes of all tiles without those that a content takes again.
        public var contentBytes: Int
        /// Whether the container stores each content once: an archive of PMTiles, and MBTiles with a table of
        /// contents.
        public var isStoredOnce: Bool
    }

    /// The folder or the archive.
    public var path: String
    /// What it is.
    public var container: TilesetContainer
    /// The floor; nil for a tileset without one.
    public var floor: String?
    /// A name for people, if it has one.
    public var name: String?
    /// What it shows, if it says so.
    public var description: String?
    /// Whom to credit; may be HTML.
    public var attribution: String?
    /// What the tiles are, in the order of `TileKind.allCases`; several if types are mixed.
    public var kinds: [TileKind]
    /// How tiles are compressed on top of that, as vector tiles are: `gzip`; nil if they are not.
    public var compression: String?
    /// Pixels along a tile's edge; nil if nobody says, and the first tile cannot be decoded.
    public var tileSize: Int?
    /// The layers of vector tiles, if they are said.
    public var vectorLayers: [String]
    /// How tiles are named, with the client's placeholders; nil for an archive.
    public var template: String?
    /// What stands before the template on the web, if it is known.
    public var baseURL: String?
    /// How rows are counted: in names of tiles, or in the archive by its specification.
    public var scheme: TileScheme
    /// Whether nothing says how rows are counted, so that `xyz` is only taken for granted.
    public var isSchemeAssumed: Bool
    /// The zooms that have tiles, from the lowest; rows count from the north whatever the scheme.
    public var zooms: [Zoom]
    /// Degrees on WGS 84; the east is beyond 180 across the antimeridian.
    public var bounds: BoundingBox
    /// Whether the tileset says its bounds; else they are the finest tiles'.
    public var areBoundsStated: Bool
    /// Tiles that hold the same as others.
    public var duplicates: Duplicates
    /// Tiles that the list of files of a folder names, and that are missing or of another length.
    public var missingTiles: Int
    /// The program that made it, with its version if that is said; nil if nobody says.
    public var generator: String?
    /// How that program was called, if that is said.
    public var generatorOptions: String?
    /// The files of the images that it was made of, as `plan.png` or `plan.pdf, page 2`; empty if nobody says.
    public var images: [String]
    /// The hash of the job that made it: source bytes, options and version; nil if nobody says.
    public var job: String?
    /// When it was made, in its own words; nil if it does not say.
    public var made: String?
    /// When its file, or the newest of its documents, changed as the file system says, in seconds since 1970;
    /// nil if there is none.
    public var changed: Int?
    /// What is not an error, and what the user should know.
    public var warnings: [Warning]

    /// The bytes of all tiles as clients get them.
    public var bytes: Int

    /// The number of tiles.
    public var tileCount: Int { zooms.reduce(0) { $0 + $1.tiles } }
}
