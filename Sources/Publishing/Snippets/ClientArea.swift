package import Tilesets
package import Tiling

/// The area of a tileset in degrees, in the form that clients need.
struct ClientArea: Hashable, Sendable {
    /// The western edge, between -180 and 180 degrees.
    let west: PublishedDegrees
    /// The southern edge.
    let south: PublishedDegrees
    /// The eastern edge, between -180 and 180 degrees; less than `west` if the area crosses the
    /// antimeridian.
    let east: PublishedDegrees
    /// The northern edge.
    let north: PublishedDegrees

    /// Takes the bounds of a tileset, but no farther than its tiles: beyond them a client would ask for
    /// tiles that do not exist. If the bounds go around the world, since they must not cross the
    /// antimeridian, only the tiles tell the area.
    init(of metadata: TilesetMetadata) {
        let tiles = TileRange.lonLatBounds(of: metadata.limits)
        let box = Self.meet(metadata.bounds, tiles) ? metadata.bounds : tiles
        let isAround = box.width >= 360
        west = Self.low(isAround ? -.infinity : box.minX, tiles.minX)
        south = Self.low(box.minY, tiles.minY)
        let end = Self.high(isAround ? .infinity : box.maxX, tiles.maxX)
        let half = PublishedDegrees(whole: 180)
        east = end > half ? PublishedDegrees(units: end.units - 2 * half.units) : end
        north = Self.high(box.maxY, tiles.maxY)
    }

    /// Whether boxes overlap. In tilesets of other programs the bounds may be anywhere.
    private static func meet(_ one: BoundingBox, _ other: BoundingBox) -> Bool {
        one.minX < other.maxX && other.minX < one.maxX && one.minY < other.maxY
            && other.minY < one.maxY
    }

    /// A lower edge: the image's is rounded outwards, a tile's inwards, since the next tile does not
    /// exist.
    private static func low(_ image: Double, _ tiles: Double) -> PublishedDegrees {
        image > tiles
            ? PublishedDegrees(roundingDown: image) : PublishedDegrees(roundingUp: tiles)
    }

    /// An upper edge, likewise.
    private static func high(_ image: Double, _ tiles: Double) -> PublishedDegrees {
        image < tiles
            ? PublishedDegrees(roundingUp: image) : PublishedDegrees(roundingDown: tiles)
    }

    /// The eastern edge; beyond 180 degrees if the area crosses the antimeridian.
    var eastUnwrapped: PublishedDegrees {
        east < west
            ? PublishedDegrees(units: east.units + PublishedDegrees(whole: 360).units) : east
    }

    /// West, south, east, north: one box, or two if the antimeridian divides the area.
    var boxes: [[PublishedDegrees]] {
        if west <= east { return [[west, south, east, north]] }
        return [
            [west, south, PublishedDegrees(whole: 180), north],
            [PublishedDegrees(whole: -180), south, east, north],
        ]
    }
}

extension TilesetMetadata {
    /// The box in degrees that a client shows to show all of the tileset, which has tiles: its bounds, but no
    /// farther than its tiles. The east is beyond 180 across the antimeridian.
    package var shownBounds: BoundingBox {
        let area = ClientArea(of: self)
        return BoundingBox(
            minX: area.west.degrees, minY: area.south.degrees, maxX: area.eastUnwrapped.degrees,
            maxY: area.north.degrees)
    }
}
