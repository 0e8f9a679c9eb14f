public import Tiling

/// What a tileset says of itself beside its tiles.
public struct TilesetMetadata: Hashable, Sendable {
    /// What makes a tileset known as one of ours: the value of `generator` in its documents.
    public static let generator = "tilewright"
    /// How a tile in an archive is called, which has no address: `z/x/y`, rows from the north.
    package static let archiveTemplate = "{z}/{x}/{y}"
    /// Under which name an archive says which job made its tiles.
    package static let jobMember = "job"

    /// A name for people.
    public var name: String
    /// What the tileset shows; may be empty.
    public var description: String
    /// Whom to credit; HTML is allowed; may be empty.
    public var attribution: String
    /// The floor that the tileset shows, or nil if a building has only one tileset.
    public var floor: String?
    /// The file type of the tiles.
    public var format: TileFormat
    /// Pixels along a tile's edge.
    public var tileSize: Int
    /// How rows are counted in the tiles' addresses.
    public var scheme: TileScheme
    /// The address template of the tiles, relative to the tileset, with the client's placeholders
    /// `{z}`, `{x}`, `{y}`, as in `{z}/{x}/{y}.png`.
    public var template: String
    /// What stands before the template to make addresses absolute, or nil if it is not known.
    public var baseURL: String?
    /// The outline's box in degrees on WGS 84; `maxX` is beyond 180 if the tileset crosses the
    /// antimeridian.
    public var bounds: BoundingBox
    /// The tiles that exist, per zoom from the lowest; two entries at a zoom across the
    /// antimeridian.
    public var limits: [TileRange]
    /// How much there is, or nil if a foreign tileset does not say.
    public var contents: TilesetContents?

    /// Makes metadata from all its parts.
    public init(
        name: String, description: String, attribution: String, floor: String?, format: TileFormat,
        tileSize: Int, scheme: TileScheme, template: String, baseURL: String?,
        bounds: BoundingBox, limits: [TileRange], contents: TilesetContents?
    ) {
        self.name = name
        self.description = description
        self.attribution = attribution
        self.floor = floor
        self.format = format
        self.tileSize = tileSize
        self.scheme = scheme
        self.template = template
        self.baseURL = baseURL
        self.bounds = bounds
        self.limits = limits
        self.contents = contents
    }
}
