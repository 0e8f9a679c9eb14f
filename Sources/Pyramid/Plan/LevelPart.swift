internal import Tiling

/// A part of a level, in its pixels or in its tiles: rows, and runs of columns. There are several
/// runs only if the level leads around the world and the part lies at both of its ends.
struct LevelPart: Hashable, Sendable {
    /// The runs of columns from the west; they do not touch.
    let columns: [Range<Int>]
    /// The rows.
    let rows: Range<Int>

    /// No part at all.
    static let none = LevelPart(columns: [], rows: 0..<0)

    /// Makes a part of runs of columns in any order.
    init(columns: some Sequence<Range<Int>>, rows: Range<Int>) {
        self.columns = rows.isEmpty ? [] : Array(columns).union
        self.rows = self.columns.isEmpty ? 0..<0 : rows
    }

    /// Makes a part of a window.
    init(_ window: PixelWindow) {
        self.init(columns: [window.columns], rows: window.rows)
    }

    /// Whether nothing lies inside.
    var isEmpty: Bool { columns.isEmpty }

    /// From the first run of columns to the last, with what lies between them.
    var hull: PixelWindow {
        PixelWindow(
            columns: (columns.first?.lowerBound ?? 0)..<(columns.last?.upperBound ?? 0), rows: rows)
    }

    /// What of some columns lies inside, from the west.
    func columns(within other: Range<Int>) -> [Range<Int>] {
        columns.lazy.map { $0.clamped(to: other) }.filter { !$0.isEmpty }
    }

    /// Both parts, and the rows between them.
    func union(_ other: LevelPart) -> LevelPart {
        if isEmpty { return other }
        if other.isEmpty { return self }
        return LevelPart(columns: columns + other.columns, rows: rows.hull(with: other.rows))
    }
}
