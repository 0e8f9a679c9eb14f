internal import Platform
package import Tiling

/// Polygons outside of which nothing of an image is seen.
package struct Cutline: Hashable, Sendable {
    /// A ring and its holes: longitudes and latitudes in degrees, without their ends repeated.
    package struct Polygon: Hashable, Sendable {
        /// The rings; a place that an odd number of them surrounds lies within.
        package let rings: [[Point]]

        /// The box around the rings.
        let box: BoundingBox
    }

    /// The polygons; what lies within any of them is seen.
    package let polygons: [Polygon]

    /// Makes a cutline; it has at least one polygon, and each of them a ring.
    init(_ polygons: [[[Point]]]) {
        self.polygons = polygons.map { rings in
            Polygon(rings: rings, box: BoundingBox(around: rings.joined()).unwrapped("rings have points"))
        }
    }

    /// The part of a box in degrees in which something can be seen: the smallest box around those parts of
    /// the polygons' boxes that lie in it, at whatever turn of the world; nil if none does.
    package func box(within outer: BoundingBox) -> BoundingBox? {
        let parts = polygons.flatMap { polygon in
            Self.turns(of: polygon.box, seenIn: outer, world: 360).compactMap { turn in
                polygon.box.movedEast(by: 360 * Double(turn)).intersection(outer)
            }
        }
        return parts.dropFirst().reduce(parts.first) { $0?.hull(with: $1) }
    }

    /// The rings in Mercator metres, wherever around the world a window shows them.
    ///
    /// GeoJSON's edges are straight in longitude and latitude (RFC 7946, section 3.1.1). They are cut
    /// until the chords in the plane err by less than a 32nd of a pixel.
    ///
    /// - Parameters:
    ///   - window: in Mercator metres.
    ///   - cellSize: the edge of a pixel in Mercator metres.
    /// - Returns: of each polygon its rings, once for each turn in which its box meets the window.
    package func rings(seenIn window: BoundingBox, cellSize: Double) -> [[[Point]]] {
        polygons.flatMap { polygon -> [[[Point]]] in
            let box = polygon.box.clampedToMap
            let (low, high) = (
                WebMercator.metres(Point(x: box.minX, y: box.minY)),
                WebMercator.metres(Point(x: box.maxX, y: box.maxY))
            )
            let seen = BoundingBox(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
            let turns = Self.turns(of: seen, seenIn: window, world: WebMercator.world)
            if turns.isEmpty { return [] }
            let rings = polygon.rings.map { CutlineRing($0).metres(cellSize: cellSize) }
            return turns.map { turn in
                let east = Double(turn) * WebMercator.world
                return rings.map { $0.map { Point(x: $0.x + east, y: $0.y) } }
            }
        }
    }

    /// How many turns around the world a box is moved east to meet another.
    private static func turns(
        of box: BoundingBox, seenIn window: BoundingBox, world: Double
    ) -> Range<Int> {
        if box.maxY < window.minY || box.minY > window.maxY { return 0..<0 }
        return window.turns(ofWest: box.minX, east: box.maxX, world: world)
    }
}

extension BoundingBox {
    /// How many turns around the world something must be moved east to meet this box, wherever it does.
    package func turns(ofWest west: Double, east: Double, world: Double) -> Range<Int> {
        let first = Int(((minX - east) / world).rounded(.up))
        return first..<max(first, Int(((maxX - west) / world).rounded(.down)) + 1)
    }

    fileprivate func movedEast(by distance: Double) -> BoundingBox {
        BoundingBox(minX: minX + distance, minY: minY, maxX: maxX + distance, maxY: maxY)
    }

    fileprivate var clampedToMap: BoundingBox {
        let latitude = CutlineRing.farthestLatitude
        return BoundingBox(
            minX: minX, minY: min(max(minY, -latitude), latitude), maxX: maxX,
            maxY: max(min(maxY, latitude), -latitude))
    }
}
