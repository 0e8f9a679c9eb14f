/// A grid of square pixels over the Web Mercator plane: what images are rendered onto. Columns grow
/// east and rows grow south; both may lie anywhere, also below zero.
package struct PixelGrid: Hashable, Sendable {
    /// The north-western corner of the pixel in column 0 and row 0, in Mercator metres.
    package let origin: Point

    /// The edge of a pixel in Mercator metres; on the ground it is shorter by `cos(latitude)`.
    package let cellSize: Double

    /// Columns after which the world begins anew; nil if the grid does not count whole columns in
    /// a turn around the world.
    package let columnsPerTurn: Int?

    /// Makes a grid.
    package init(origin: Point, cellSize: Double, columnsPerTurn: Int? = nil) {
        self.origin = origin
        self.cellSize = cellSize
        self.columnsPerTurn = columnsPerTurn
    }

    /// Mercator metres to pixels of this grid; whole numbers are pixel edges. Longitudes beyond the
    /// antimeridian go on counting.
    package func pixel(ofMercator point: Point) -> Point {
        Point(x: (point.x - origin.x) / cellSize, y: (origin.y - point.y) / cellSize)
    }

    /// Pixels of this grid to Mercator metres; the inverse of `pixel(ofMercator:)`.
    package func mercator(ofPixel point: Point) -> Point {
        Point(x: point.x * cellSize + origin.x, y: origin.y - point.y * cellSize)
    }
}
