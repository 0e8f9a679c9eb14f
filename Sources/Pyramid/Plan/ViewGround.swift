internal import Georeferencing
internal import Tiling

/// What a view shows of the plane.
struct ViewGround {
    /// The corners of the view from the top left, in Mercator metres.
    private let corners: [Point]
    /// The box around them.
    let box: BoundingBox

    init(_ grid: PixelGrid, size: PixelWindow) {
        corners = size.corners.map(grid.mercator(ofPixel:))
        precondition(corners.allSatisfy(\.isFinite), "a view does not reach the horizon")
        box = BoundingBox(around: corners) ?? BoundingBox(minX: 0, minY: 0, maxX: 0, maxY: 0)
    }

    /// How many turns around the world an image must be moved east to be seen, wherever it is seen.
    func turns(ofWest west: Double, east: Double) -> Range<Int> {
        box.turns(ofWest: west, east: east, world: WebMercator.world)
    }

    /// The part of an image's footprint that the view shows: a ring in Mercator metres, empty if it shows
    /// nothing.
    func part(of mapping: ImageMapping) -> [Point] {
        var ring = mapping.outline
        if mapping.columnsPerTurn != nil, let outline = BoundingBox(around: ring) {
            ring = [
                Point(x: box.minX, y: outline.maxY), Point(x: box.maxX, y: outline.maxY),
                Point(x: box.maxX, y: outline.minY), Point(x: box.minX, y: outline.minY),
            ]
        }
        return part(of: ring)
    }

    /// The part of a ring in Mercator metres that the view shows; empty if it shows nothing.
    func part(of ring: [Point]) -> [Point] {
        corners.indices.reduce(ring) { ring, index in
            ring.clipped(from: corners[index], to: corners[(index + 1) % corners.count])
        }
    }
}
