import Tilesets
import Tiling

/// Where a tileset lies, as clients take it.
struct ClientArea: Hashable, Sendable {
    /// The western edge, between -180 and 180 degrees.
    let west: PublishedDegrees
    /// The southern edge.
    let south: PublishedDegrees
    /// The eastern edge, between -180 and 180 degrees: less than `west` across the antimeridian.
    let east: PublishedDegrees
    /// The northern edge.
    let north: PublishedDegrees

    /// Takes the bounds of a tileset as far as there are tiles: beyond, a client would ask for
    /// tiles that do not exist. Where the bounds go around the world because they must not cross the
    /// antimeridian, the tiles alone say which part it is.
    init(of metadata: TilesetMetadata) {
        let tiles = TileMatrixLimits.lonLatBounds(of: metadata.limits)
        let box = Self.meet(metadata.bounds, tiles) ? metadata.bounds : tiles
        let isAround = box.width >= 360
        west = Self.low(isAround ? -.infinity : box.minX, tiles.minX)
        south = Self.low(box.minY, tiles.minY)
        let end = Self.high(isAround ? .infinity : box.maxX, tiles.maxX)
        let half = PublishedDegrees(whole: 180)
        east = end > half ? PublishedDegrees(units: end.units - 2 * half.units) : end
        north = Self.high(box.maxY, tiles.maxY)
    }

    /// Whether boxes overlap; a foreign tileset may say anything.
    private static func meet(_ one: BoundingBox, _ other: BoundingBox) -> Bool {
        one.minX < other.maxX && other.minX < one.maxX && one.minY < other.maxY
            && other.minY < one.maxY
    }

    /// A lower edge: rounded outwards where it is the image's, inwards where it is that of a tile,
    /// whose neighbour does not exist.
    private static func low(_ image: Double, _ tiles: Double) -> PublishedDegrees {
        image > tiles
            ? PublishedDegrees(roundingDown: image) : PublishedDegrees(roundingUp: tiles)
    }

    /// An upper edge, likewise.
    private static func high(_ image: Double, _ tiles: Double) -> PublishedDegrees {
        image < tiles
            ? PublishedDegrees(roundingUp: image) : PublishedDegrees(roundingDown: tiles)
    }

    /// The eastern edge, beyond 180 degrees across the antimeridian.
    var eastUnwrapped: PublishedDegrees {
        east < west
            ? PublishedDegrees(units: east.units + PublishedDegrees(whole: 360).units) : east
    }

    /// West, south, east, north: one box, or two where the antimeridian divides them.
    var boxes: [[PublishedDegrees]] {
        if west <= east { return [[west, south, east, north]] }
        return [
            [west, south, PublishedDegrees(whole: 180), north],
            [PublishedDegrees(whole: -180), south, east, north],
        ]
    }
}
