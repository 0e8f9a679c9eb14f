package import Tiling

/// What a tileset says of itself beside its tiles.
package struct TilesetMetadata: Hashable, Sendable {
    /// What makes a tileset known as one of ours: the value of `generator` in its documents.
    package static let generator = "tilewright"
    /// How a tile in an archive is called, which has no address: `z/x/y`, rows from the north.
    package static let archiveTemplate = "{z}/{x}/{y}"
    /// Under which name an archive says which job made its tiles.
    package static let jobMember = "job"

    /// A name for people.
    package var name: String
    /// What the tileset shows; may be empty.
    package var description: String
    /// Whom to credit; HTML is allowed; may be empty.
    package var attribution: String
    /// The floor that the tileset shows, or nil where a building has only one tileset.
    package var floor: String?
    /// The file type of the tiles.
    package var format: TileFormat
    /// Pixels along a tile's edge.
    package var tileSize: Int
    /// How rows are counted in the tiles' addresses.
    package var scheme: TileScheme
    /// The address template of the tiles, relative to the tileset, with the client's placeholders
    /// `{z}`, `{x}`, `{y}`, as in `{z}/{x}/{y}.png`.
    package var template: String
    /// What stands before the template to make addresses absolute, or nil where it is not known.
    package var baseURL: String?
    /// The outline's box in degrees on WGS 84; `maxX` is beyond 180 where the tileset crosses the
    /// antimeridian.
    package var bounds: BoundingBox
    /// The tiles that exist, per zoom from the lowest; two entries at a zoom across the
    /// antimeridian.
    package var limits: [TileMatrixLimits]
    /// How much there is, or nil where a foreign tileset does not say.
    package var contents: TilesetContents?

    /// Makes metadata from all its parts.
    package init(
        name: String, description: String, attribution: String, floor: String?, format: TileFormat,
        tileSize: Int, scheme: TileScheme, template: String, baseURL: String?,
        bounds: BoundingBox, limits: [TileMatrixLimits], contents: TilesetContents?
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
