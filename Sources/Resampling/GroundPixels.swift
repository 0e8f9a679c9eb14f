package import Tiling

/// Which pixels of an image lie on the Earth, if not all do.
package struct GroundPixels: Sendable {
    /// By row, the columns whose centres do, from the left.
    private let rows: Runs
    /// By column, the rows likewise.
    private let columns: Runs

    /// Takes in the pixels whose centres lie within rings; a place that two rings surround lies outside.
    ///
    /// - Parameter rings: in pixels, without repeated ends.
    package init(rings: [[Point]], width: Int, height: Int) {
        rows = Runs(rings, length: width, lines: height)
        columns = Runs(rings.map { $0.map { Point(x: $0.y, y: $0.x) } }, length: height, lines: width)
    }

    /// Gives all pixels of a window that are not on the Earth, or lie beyond the image, the colour of one that is. So
    /// kernels see nothing of the space behind the Earth, and it is left to the limb to end the image.
    ///
    /// Which pixel that is does not depend on the window: blocks that meet at the limb read the same.
    ///
    /// - Parameter spans: the pixels that are needed; those within the image were unpacked.
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

    /// The pixel on the Earth that is nearest along a row or a column. From where a kernel reads that lies on the
    /// Earth, one of both is among those that it reads.
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

    /// The same of a pixel in whose row and column there is none.
    private func corner(_ column: Int, _ row: Int) -> (column: Int, row: Int)? {
        rows.nearestLine(to: row).flatMap { line in
            rows.nearest(to: column, inLine: line).map { ($0, line) }
        }
    }
}

/// The pixels on the Earth in each row, or in each column.
private struct Runs: Sendable {
    /// By line, sorted.
    private let runs: [[Range<Int>]]
    /// The first line that has pixels, to the last.
    private let lines: ClosedRange<Int>?

    /// - Parameter rings: the lines count along y.
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

    /// The first pixel whose centre does not lie before a place.
    private static func firstCentre(_ place: Double, _ count: Int) -> Int {
        Int(min(max((place - 0.5).rounded(.up), 0), Double(count)))
    }

    private func runs(ofLine line: Int) -> [Range<Int>] { runs.indices.contains(line) ? runs[line] : [] }

    /// What a line's runs leave of a part of it.
    func gaps(in part: Range<Int>, ofLine line: Int) -> [Range<Int>] {
        var (gaps, next): ([Range<Int>], Int) = ([], part.lowerBound)
        for run in runs(ofLine: line).map({ $0.clamped(to: part) }) where !run.isEmpty {
            if next < run.lowerBound { gaps.append(next..<run.lowerBound) }
            next = run.upperBound
        }
        if next < part.upperBound { gaps.append(next..<part.upperBound) }
        return gaps
    }

    /// The nearest pixel of a line; nil if it has none.
    func nearest(to place: Int, inLine line: Int) -> Int? {
        runs(ofLine: line).map { min(max(place, $0.lowerBound), $0.upperBound - 1) }
            .min { abs($0 - place) < abs($1 - place) }
    }

    /// The line nearest to one that has pixels.
    func nearestLine(to line: Int) -> Int? {
        guard let lines else { return nil }
        let clamped = min(max(line, lines.lowerBound), lines.upperBound)
        if !runs[clamped].isEmpty { return clamped }
        return lines.filter { !runs[$0].isEmpty }.min { abs($0 - clamped) < abs($1 - clamped) }
    }
}

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

    /// Whether a pixel is needed.
    fileprivate func contain(_ column: Int, _ row: Int) -> Bool {
        window.rows.contains(row) && columns(inRow: row).contains(column)
    }
}
