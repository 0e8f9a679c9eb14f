import Platform
import Tiling

extension ImageMapping {
    /// How many of the image's pixels a larger pixel spans, at the place and in the direction where they
    /// are fewest; 0 if that is not known.
    ///
    /// The footprint's corners and the chords of its edges stand for all places: a projective
    /// transform and Web Mercator itself are finest at an edge, and what else a CRS bends is small. A
    /// curved fit may be finest anywhere, so that places within stand beside them.
    ///
    /// - Parameter cellSize: the edge of the larger pixel in Mercator metres.
    package func fewestPixels(inCell cellSize: Double) -> Double {
        (outline + placesWithin).map { pixels(at: $0, cellSize: cellSize) }.reduce(.infinity, min)
    }

    /// Mercator metres of a grid of 33 x 33 points, if lines are bent.
    private var placesWithin: [Point] {
        guard isCurved else { return [] }
        let shares = (0...32).map { Double($0) / 32 }
        var points = shares.flatMap { y in
            shares.map { x in
                Point(
                    x: columns.lowerBound + x * (columns.upperBound - columns.lowerBound),
                    y: rows.lowerBound + y * (rows.upperBound - rows.lowerBound))
            }
        }
        mercatorPoints(ofImage: &points)
        return points
    }

    /// The smaller singular value of the Jacobian, by central differences over a pixel of tiles.
    private func pixels(at place: Point, cellSize: Double) -> Double {
        let half = cellSize / 2
        var points = [
            place - Point(x: half, y: 0), place + Point(x: half, y: 0),
            place - Point(x: 0, y: half), place + Point(x: 0, y: half),
        ]
        imagePoints(ofMercator: &points)
        let smallest = Point.leastStretch(right: points[1] - points[0], down: points[3] - points[2])
        return smallest.isFinite ? smallest : 0
    }
}

extension ImageMapping {
    /// The zoom, with its fraction, at which a tile's pixels are as large as the image's.
    ///
    /// - Parameter tileSize: pixels along a tile's edge.
    package func nativeZoom(tileSize: Int) -> Double {
        log2(TileMatrix(zoom: 0, tileSize: tileSize).cellSize / mercatorCellSize)
    }
}
