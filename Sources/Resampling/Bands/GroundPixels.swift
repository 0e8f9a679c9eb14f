package import Tiling

/// Which pixels of an image lie on the Earth, if not all do.
package struct GroundPixels: Sendable {
    /// By row, the columns whose centres do, from the left.
    private let columns: [[Range<Int>]]

    /// Takes in the pixels whose centres lie within rings; a place that two rings surround lies outside.
    ///
    /// - Parameters:
    ///   - rings: in pixels, without repeated ends.
    ///   - width: the image's columns.
    ///   - height: its rows.
    package init(rings: [[Point]], width: Int, height: Int) {
        var crossings = Array(repeating: [Int](), count: height)
        for ring in rings {
            var previous = ring.last ?? Point(x: 0, y: 0)
            for point in ring {
                let (upper, lower) = previous.y < point.y ? (previous, point) : (point, previous)
                let rows = Self.firstCentre(upper.y, height)..<Self.firstCentre(lower.y, height)
                for row in rows {
                    let share = (Double(row) + 0.5 - upper.y) / (lower.y - upper.y)
                    crossings[row].append(
                        Self.firstCentre(upper.x + share * (lower.x - upper.x), width))
                }
                previous = point
            }
        }
        columns = crossings.map { crossings in
            let ends = crossings.sorted()
            return stride(from: 0, to: ends.count - 1, by: 2).map { ends[$0]..<ends[$0 + 1] }
                .filter { !$0.isEmpty }
        }
    }

    /// The first pixel whose centre does not lie before a place.
    private static func firstCentre(_ place: Double, _ count: Int) -> Int {
        Int(min(max((place - 0.5).rounded(.up), 0), Double(count)))
    }

    /// Gives all pixels of a window that are not on the Earth, or lie beyond the image, the colour of one that is:
    /// the nearest of their row, or if it has none that of the nearest row. So kernels see nothing of the space
    /// behind the Earth, and it is left to the limb to end the image.
    ///
    /// - Parameters:
    ///   - spans: the pixels that are needed; those within the image were unpacked.
    ///   - pixel: where a pixel is.
    func spread(over spans: PixelSpans, _ pixel: (_ column: Int, _ row: Int) -> DeepPixels) {
        let rows = spans.window.rows
        if rows.allSatisfy({ isWhole(spans.columns(inRow: $0), row: $0) }) { return }
        let known = rows.filter { row in
            let wanted = spans.columns(inRow: row)
            let ground = columns(inRow: row).map { $0.clamped(to: wanted) }.filter { !$0.isEmpty }
            for (gap, nearest) in Self.gaps(between: ground, in: wanted) {
                Self.copy(pixel(nearest, row), to: gap.map { pixel($0, row) })
            }
            return !ground.isEmpty
        }
        if known.isEmpty || known.count == rows.count { return }
        for row in rows where !known.contains(row) {
            guard let nearest = known.min(by: { abs($0 - row) < abs($1 - row) }) else { return }
            let common = spans.columns(inRow: row).clamped(to: spans.columns(inRow: nearest))
            if common.isEmpty { continue }
            pixel(common.lowerBound, row).update(
                from: pixel(common.lowerBound, nearest), count: common.count * DeepPixel.channels)
        }
    }

    private func columns(inRow row: Int) -> [Range<Int>] {
        columns.indices.contains(row) ? columns[row] : []
    }

    /// Whether some columns of a row all lie on the Earth.
    private func isWhole(_ wanted: Range<Int>, row: Int) -> Bool {
        wanted.isEmpty || columns(inRow: row).contains { $0.contains(wanted) }
    }

    /// What ranges leave of some columns, each part with the column of a range that is nearest to it.
    private static func gaps(
        between ranges: [Range<Int>], in columns: Range<Int>
    ) -> [(gap: Range<Int>, nearest: Int)] {
        guard let first = ranges.first, let last = ranges.last else { return [] }
        var gaps = [
            (columns.lowerBound..<first.lowerBound, first.lowerBound),
            (last.upperBound..<columns.upperBound, last.upperBound - 1),
        ]
        for (left, right) in zip(ranges, ranges.dropFirst()) {
            let middle = (left.upperBound + right.lowerBound) / 2
            gaps.append((left.upperBound..<middle, left.upperBound - 1))
            gaps.append((middle..<right.lowerBound, right.lowerBound))
        }
        return gaps
    }

    private static func copy(_ source: DeepPixels, to places: [DeepPixels]) {
        for place in places { place.update(from: source, count: DeepPixel.channels) }
    }
}
