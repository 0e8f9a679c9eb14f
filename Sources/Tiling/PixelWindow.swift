/// A rectangle of whole pixels; rows grow south.
public struct PixelWindow: Hashable, Codable, Sendable {
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

extension PixelWindow {
    /// The corners from the top left, clockwise.
    package var corners: [Point] {
        let (left, right) = (Double(columns.lowerBound), Double(columns.upperBound))
        let (top, bottom) = (Double(rows.lowerBound), Double(rows.upperBound))
        return [
            Point(x: left, y: top), Point(x: right, y: top), Point(x: right, y: bottom),
            Point(x: left, y: bottom),
        ]
    }

    /// What a part leaves of the window: above it, beside it and below it.
    package func parts(around part: PixelWindow) -> [PixelWindow] {
        if part.isEmpty { return [self] }
        return [
            PixelWindow(columns: columns, rows: rows.lowerBound..<part.rows.lowerBound),
            PixelWindow(columns: columns.lowerBound..<part.columns.lowerBound, rows: part.rows),
            PixelWindow(columns: part.columns.upperBound..<columns.upperBound, rows: part.rows),
            PixelWindow(columns: columns, rows: part.rows.upperBound..<rows.upperBound),
        ].filter { !$0.isEmpty }
    }

    /// The smallest window around two.
    package func hull(with other: PixelWindow) -> PixelWindow {
        PixelWindow(columns: columns.hull(with: other.columns), rows: rows.hull(with: other.rows))
    }
}

extension Range<Int> {
    /// The range so much further on.
    package func moved(by distance: Int) -> Range<Int> {
        lowerBound + distance..<upperBound + distance
    }

    /// The pixels of the next coarser zoom that these are halved to.
    package var halved: Range<Int> { floorDivide(lowerBound, 2)..<floorDivide(upperBound + 1, 2) }

    /// The shortest range around two.
    package func hull(with other: Range<Int>) -> Range<Int> {
        Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
    }
}

extension Range<Int> {
    /// Its parts between multiples of a number.
    package func cut(every size: Int) -> [Range<Int>] {
        stride(from: floorDivide(lowerBound, size) * size, to: upperBound, by: size).map {
            ($0..<$0 + size).clamped(to: self)
        }
    }
}
