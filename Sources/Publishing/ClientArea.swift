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

    /// Takes the bounds of a tileset. Where those go around the world because they must not cross
    /// the antimeridian, its tiles say which part it is.
    init(of metadata: TilesetMetadata) {
        let box = metadata.bounds
        let tiles = TileMatrixLimits.lonLatBounds(of: metadata.limits)
        let isAround = box.width >= 360 && tiles.maxX > 180
        let (low, high) = isAround ? (tiles.minX, tiles.maxX) : (box.minX, box.maxX)
        let turn = PublishedDegrees(whole: 360)
        let half = PublishedDegrees(whole: 180)
        let end = PublishedDegrees(roundingUp: high)
        west = PublishedDegrees(roundingDown: low)
        south = PublishedDegrees(roundingDown: box.minY)
        east = end > half ? PublishedDegrees(units: end.units - turn.units) : end
        north = PublishedDegrees(roundingUp: box.maxY)
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
