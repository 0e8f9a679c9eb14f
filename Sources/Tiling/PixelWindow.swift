/// A rectangle of whole pixels; rows grow south.
public struct PixelWindow: Hashable, Sendable {
    /// The columns inside.
    public var columns: Range<Int>
    /// The rows inside.
    public var rows: Range<Int>

    /// Makes a window from its columns and rows.
    public init(columns: Range<Int>, rows: Range<Int>) {
        self.columns = columns
        self.rows = rows
    }

    /// The number of columns.
    public var width: Int { columns.count }

    /// The number of rows.
    public var height: Int { rows.count }

    /// Whether no pixel lies inside.
    public var isEmpty: Bool { columns.isEmpty || rows.isEmpty }

    /// The pixels that lie in both windows.
    public func intersection(_ other: PixelWindow) -> PixelWindow {
        PixelWindow(columns: columns.clamped(to: other.columns), rows: rows.clamped(to: other.rows))
    }
}
