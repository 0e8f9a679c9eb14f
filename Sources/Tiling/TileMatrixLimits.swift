/// The part of a tile matrix that a tileset fills: a rectangle of columns and rows, both inclusive.
///
/// A tileset across the antimeridian has two of them at a zoom.
package struct TileMatrixLimits: Hashable, Sendable {
    /// The zoom.
    package var zoom: Int
    /// First to last column, counted from the west.
    package var columns: ClosedRange<Int>
    /// First to last row, counted from the north (XYZ).
    package var rows: ClosedRange<Int>

    /// Makes limits from their ranges.
    package init(zoom: Int, columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        self.zoom = zoom
        self.columns = columns
        self.rows = rows
    }
}
