/// A rectangle of whole pixels; rows grow south.
package struct PixelWindow: Hashable, Sendable {
    /// The columns inside.
    package var columns: Range<Int>
    /// The rows inside.
    package var rows: Range<Int>

    /// Makes a window from its columns and rows.
    package init(columns: Range<Int>, rows: Range<Int>) {
        self.columns = columns
        self.rows = rows
    }

    /// The number of columns.
    package var width: Int { columns.count }

    /// The number of rows.
    package var height: Int { rows.count }

    /// Whether no pixel lies inside.
    package var isEmpty: Bool { columns.isEmpty || rows.isEmpty }

    /// The pixels that lie in both windows.
    package func intersection(_ other: PixelWindow) -> PixelWindow {
        PixelWindow(columns: columns.clamped(to: other.columns), rows: rows.clamped(to: other.rows))
    }
}
