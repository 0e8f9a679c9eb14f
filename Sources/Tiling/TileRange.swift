/// The part of a tile matrix that a tileset fills: a rectangle of columns and rows, both inclusive.
///
/// A tileset across the antimeridian has two of them at a zoom.
public struct TileRange: Hashable, Codable, Sendable {
    /// The zoom.
    public var zoom: Int
    /// First to last column, counted from the west.
    public var columns: ClosedRange<Int>
    /// First to last row, counted from the north (XYZ).
    public var rows: ClosedRange<Int>

    /// Makes limits from their ranges.
    public init(zoom: Int, columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        self.zoom = zoom
        self.columns = columns
        self.rows = rows
    }
}

extension TileRange {
    /// The limits of one tile; its column may go on counting beyond the antimeridian.
    package init(zoom: Int, column: Int, row: Int) {
        self.init(zoom: zoom, columns: column...column, rows: row...row)
    }

    /// Takes in a tile of the zoom.
    package mutating func extend(toColumn column: Int, row: Int) {
        columns = columns.extended(to: column)
        rows = rows.extended(to: row)
    }

    /// The limits of columns that may go on counting beyond the antimeridian: one rectangle, or two
    /// if they do.
    package static func wrapping(
        zoom: Int, columns: ClosedRange<Int>, rows: ClosedRange<Int>
    ) -> [TileRange] {
        let edge = 1 << zoom
        func limits(_ columns: ClosedRange<Int>) -> TileRange {
            TileRange(zoom: zoom, columns: columns, rows: rows)
        }
        if columns.count >= edge { return [limits(0...edge - 1)] }
        let west = TileCoordinate(zoom: zoom, column: columns.lowerBound, row: 0).column
        let east = TileCoordinate(zoom: zoom, column: columns.upperBound, row: 0).column
        return west <= east ? [limits(west...east)] : [limits(west...edge - 1), limits(0...east)]
    }
}

extension ClosedRange<Int> {
    /// The range that also holds a number.
    func extended(to number: Int) -> ClosedRange<Int> {
        Swift.min(lowerBound, number)...Swift.max(upperBound, number)
    }
}
