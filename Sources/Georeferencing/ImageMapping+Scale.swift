package import Tiling

extension ImageMapping {
    /// How many of the image's pixels a pixel of a tile matrix spans, at the place and in the
    /// direction where they are fewest; 0 where that is not known.
    ///
    /// The footprint's corners and the chords of its edges stand for all places: a projective
    /// transform and Web Mercator itself are finest at an edge, and what else a CRS bends is small.
    package func fewestPixels(in matrix: TileMatrix) -> Double {
        outline.map { pixels(at: $0, cellSize: matrix.cellSize) }.min() ?? 0
    }

    /// The smaller singular value of the Jacobian, by central differences over a pixel of tiles.
    private func pixels(at place: Point, cellSize: Double) -> Double {
        let half = cellSize / 2
        var points = [
            place - Point(x: half, y: 0), place + Point(x: half, y: 0),
            place - Point(x: 0, y: half), place + Point(x: 0, y: half),
        ]
        imagePoints(ofMercator: &points)
        let (x, y) = (points[1] - points[0], points[3] - points[2])
        let squares = x.x * x.x + x.y * x.y + y.x * y.x + y.y * y.y
        let determinant = x.cross(y)
        let root = max(0, squares * squares - 4 * determinant * determinant).squareRoot()
        let smallest = max(0, (squares - root) / 2).squareRoot()
        return smallest.isFinite ? smallest : 0
    }
}
