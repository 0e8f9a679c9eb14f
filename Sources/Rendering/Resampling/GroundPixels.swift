package import Tiling

/// The pixels of an image that are on the Earth, if not all are.
package struct GroundPixels: Sendable {
    /// For each row, the columns whose centres are on the Earth, from the left.
    private let rows: Runs
    /// For each column, the rows, likewise.
    private let columns: Runs

    /// Takes the pixels whose centres are inside rings; a place that two rings surround is outside.
    ///
    /// - Parameter rings: rings in pixels, without repeated ends.
    package init(rings: [[Point]], width: Int, height: Int) {
        rows = Runs(rings, length: width, lines: height)
        columns = Runs(rings.map { $0.map { Point(x: $0.y, y: $0.x) } }, length: height, lines: width)
    }

    /// Gives all pixels of a window that are not on the Earth, or are beyond the image, the colour of a pixel
    /// on the Earth. So kernels read nothing of the space behind the Earth, and only the limb ends the image.
    ///
    /// The chosen pixel does not depend on the window: blocks that meet at the limb read the same.
    ///
    /// - Parameter spans: the needed pixels; those inside the image are unpacked.
    func spread(over spans: PixelSpans, _ pixel: (_ column: Int, _ row: Int) -> DeepPixels) {
        for row in spans.window.rows {
            let wanted = spans.columns(inRow: row)
            for gap in rows.gaps(in: wanted, ofLine: row) {
                for column in gap {
                    guard let (nearColumn, nearRow) = nearest(column, row, in: spans) else { continue }
                    pixel(column, row).update(from: pixel(nearColumn, nearRow), count: DeepPixel.channels)
                }
            }
        }
    }

    /// The nearest pixel on the Earth along the row or the column. If a kernel's position is on the Earth,
    /// one of the two is among the pixels that it reads.
    private func nearest(_ column: Int, _ row: Int, in spans: PixelSpans) -> (column: Int, row: Int)? {
        let inRow = rows.nearest(to: column, inLine: row).map { (column: $0, row: row) }
        let inColumn = columns.nearest(to: row, inLine: column).map { (column: column, row: $0) }
        let isRowNearer: Bool
        switch (inRow, inColumn) {
        case (let inRow?, let inColumn?):
            isRowNearer = abs(inRow.column - column) <= abs(inColumn.row - row)
        case (nil, nil): return corner(column, row).flatMap { spans.contain($0.column, $0.row) ? $0 : nil }
        default: isRowNearer = inRow != nil
        }
        let candidates = isRowNearer ? [inRow, inColumn] : [inColumn, inRow]
        return candidates.compactMap(\.self).first { spans.contain($0.column, $0.row) }
    }

    /// The nearest pixel for a pixel without one in its row or column.
    private func corner(_ column: Int, _ row: Int) -> (column: Int, row: Int)? {
        rows.nearestLine(to: row).flatMap { line in
            rows.nearest(to: column, inLine: line).map { ($0, line) }
        }
    }
}

/// The pixels on the Earth in each row, or in each column.
private struct Runs: Sendable {
    /// The runs of each line, sorted.
    private let runs: [[Range<Int>]]
    /// From the first to the last line that has pixels.
    private let lines: ClosedRange<Int>?

    /// - Parameter rings: rings whose y counts lines.
    init(_ rings: [[Point]], length: Int, lines count: Int) {
        var crossings = Array(repeating: [Int](), count: count)
        for ring in rings {
            var previous = ring.last ?? Point(x: 0, y: 0)
            for point in ring {
                let (upper, lower) = previous.y < point.y ? (previous, point) : (point, previous)
                for line in Self.firstCentre(upper.y, count)..<Self.firstCentre(lower.y, count) {
                    let share = (Double(line) + 0.5 - upper.y) / (lower.y - upper.y)
                    crossings[line].append(
                        Self.firstCentre(upper.x + share * (lower.x - upper.x), length))
                }
                previous = point
            }
        }
        let runs = crossings.map { crossings in
            let ends = crossings.sorted()
            return stride(from: 0, to: ends.count - 1, by: 2).map { ends[$0]..<ends[$0 + 1] }
                .filter { !$0.isEmpty }
        }
        let first = runs.firstIndex { !$0.isEmpty }
        lines = first.flatMap { first in runs.lastIndex { !$0.isEmpty }.map { first...$0 } }
        self.runs = runs
    }

    /// The first pixel whose centre is not before a place.
    private static func firstCentre(_ place: Double, _ count: Int) -> Int {
        Int(min(max((place - 0.5).rounded(.up), 0), Double(count)))
    }

    private func runs(ofLine line: Int) -> [Range<Int>] { runs.indices.contains(line) ? runs[line] : [] }

    /// The part of a line between its runs, within a range.
    func gaps(in part: Range<Int>, ofLine line: Int) -> [Range<Int>] {
        part.gaps(between: runs(ofLine: line).map { $0.clamped(to: part) }.filter { !$0.isEmpty })
    }

    /// The nearest pixel of a line; nil if it has none.
    func nearest(to place: Int, inLine line: Int) -> Int? {
        runs(ofLine: line).map { min(max(place, $0.lowerBound), $0.upperBound - 1) }
            .min { abs($0 - place) < abs($1 - place) }
    }

    /// The nearest line that has pixels.
    func nearestLine(to line: Int) -> Int? {
        guard let lines else { return nil }
        let clamped = min(max(line, lines.lowerBound), lines.upperBound)
        if !runs[clamped].isEmpty { return clamped }
        return lines.filter { !runs[$0].isEmpty }.min { abs($0 - clamped) < abs($1 - clamped) }
    }
}

/// The needed pixels of a window: one range of columns in each row.
struct PixelSpans {
    /// The window around all of them.
    let window: PixelWindow
    /// By row, from the top; an empty range if no pixel of a row is needed. Nil if all pixels are needed:
    /// windows of single rows would otherwise allocate for each row.
    private var columns: [Range<Int>]?

    /// All pixels of a window.
    init(all window: PixelWindow) {
        self.window = window
    }

    /// The pixels of some windows, and the pixels between them in the same row; nil if there are none.
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

    /// The needed columns in a row of the window.
    func columns(inRow row: Int) -> Range<Int> {
        columns?[row - window.rows.lowerBound] ?? window.columns
    }

    /// The needed pixels in a part of the window.
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

    /// Whether a pixel is needed.
    fileprivate func contain(_ column: Int, _ row: Int) -> Bool {
        window.rows.contains(row) && columns(inRow: row).contains(column)
    }
}
