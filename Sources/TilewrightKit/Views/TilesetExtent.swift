public import Tiling
import Platform
import Publishing
import Tilesets

/// Where tiles lie, and at which zooms there are some: what a view of them begins with.
public struct TilesetExtent: Hashable, Sendable {
    /// Longitudes and latitudes in degrees; the east is beyond 180 across the antimeridian.
    public var bounds: BoundingBox
    /// The lowest to the highest zoom.
    public var zooms: ClosedRange<Int>

    /// Says where tiles lie.
    public init(bounds: BoundingBox, zooms: ClosedRange<Int>) {
        self.bounds = bounds
        self.zooms = zooms
    }

    /// The extent of a finished tileset.
    ///
    /// - Throws: `.badInput` if it has no tiles.
    public init(_ tileset: StoredTileset) throws(Failure) {
        let zooms = tileset.metadata.limits.map(\.zoom)
        guard let lowest = zooms.min(), let highest = zooms.max() else {
            throw Failure(.badInput, cannot: "show '\(tileset.path)'", "it has no tiles")
        }
        self.init(bounds: tileset.metadata.shownBounds, zooms: lowest...highest)
    }

    /// The extent of the tiles that would be made of images.
    public init(_ tiles: TilesOnDemand) { self.init(bounds: tiles.bounds, zooms: tiles.zooms) }

    /// The extent of what can lie on a map.
    ///
    /// - Parameter pyramid: what would be built of an image.
    /// - Throws: `.badInput` if a tileset has no tiles, and what a plan of images throws.
    public init(_ content: MapContent, pyramid: PyramidRequest = PyramidRequest()) throws {
        switch content {
        case .tileset(let tileset): try self.init(tileset)
        case .image(let image): self.init(try TilesOnDemand(images: [image], request: pyramid))
        }
    }

    /// The extent of both.
    public func union(_ other: TilesetExtent) -> TilesetExtent {
        let lowest = min(zooms.lowerBound, other.zooms.lowerBound)
        let highest = max(zooms.upperBound, other.zooms.upperBound)
        return TilesetExtent(bounds: bounds.union(other.bounds), zooms: lowest...highest)
    }
}
