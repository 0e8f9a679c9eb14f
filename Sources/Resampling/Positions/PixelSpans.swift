internal import Tiling

/// The pixels of a window that are needed: in each row, the columns of one range.
struct PixelSpans {
    /// The window around all of them.
    let window: PixelWindow
    /// By row, from the top; an empty range if no pixel of a row is needed. Nil if all pixels are: rows that
    /// are taken one by one would allocate for each.
    private var columns: [Range<Int>]?

    /// All pixels of a window.
    init(all window: PixelWindow) {
        self.window = window
    }

    /// The pixels of some windows, and those that lie in a row between them; nil if there are none.
    init?(around windows: [PixelWindow]) {
        guard let first = windows.first else { return nil }
        window = windows.dropFirst().reduce(first) { $0.hull(with: $1) }
        let none = window.columns.lowerBound..<window.columns.lowerBound
        var columns = Array(repeating: none, count: window.height)
        for part in windows {
            for row in part.rows {
                let index = row - window.rows.lowerBound
                let known = columns[index]
                columns[index] = known.isEmpty ? part.columns : known.hull(with: part.columns)
            }
        }
        self.columns = columns
    }

    /// The columns that are needed in a row of the window.
    func columns(inRow row: Int) -> Range<Int> {
        columns?[row - window.rows.lowerBound] ?? window.columns
    }

    /// The needed pixels that lie in a part of the window.
    func clamped(to part: PixelWindow) -> PixelSpans {
        var result = PixelSpans(all: part)
        if columns != nil {
            result.columns = part.rows.map { columns(inRow: $0).clamped(to: part.columns) }
        }
        return result
    }

    /// Whether any pixel of a part of the window is needed.
    func touches(_ part: PixelWindow) -> Bool {
        part.rows.contains { columns(inRow: $0).overlaps(part.columns) }
    }
}
