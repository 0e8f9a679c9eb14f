internal import Tiling

/// Which of many ranges of rows meet some rows: lists for bands of equal height.
struct CutEdgeIndex: Sendable {
    private let first: Int
    private let rowsPerBand: Int
    /// Where the list of each band begins in `entries`, and the end.
    private let starts: [Int]
    private let entries: [Int32]

    /// Bands, at most: one for each row of cells of a pyramid of a million rows.
    private static let mostBands = 4096

    /// Lists ranges, none of which is empty; there are at most 2^31.
    init(_ ranges: [Range<Int>]) {
        let rows = ranges.dropFirst().reduce(ranges.first ?? 0..<1) { $0.hull(with: $1) }
        var bands = min(Self.mostBands, max(1, ranges.count))
        var height = 0
        func bandsOf(_ range: Range<Int>) -> Range<Int> {
            (range.lowerBound - rows.lowerBound) / height..<(range.upperBound - 1 - rows.lowerBound) / height
                + 1
        }
        // Long edges stand in many lists; together they take at most eight times the room of the edges.
        while true {
            height = (rows.count + bands - 1) / bands
            let count = ranges.reduce(0) { $0 + bandsOf($1).count }
            if bands == 1 || count <= 8 * ranges.count { break }
            bands /= 2
        }
        var counts = Array(repeating: 0, count: bands + 1)
        for range in ranges { for band in bandsOf(range) { counts[band + 1] += 1 } }
        for band in 0..<bands { counts[band + 1] += counts[band] }
        var (next, entries) = (counts, Array(repeating: Int32(0), count: counts[bands]))
        for (index, range) in ranges.enumerated() {
            for band in bandsOf(range) {
                entries[next[band]] = Int32(index)
                next[band] += 1
            }
        }
        (first, rowsPerBand, starts, self.entries) = (rows.lowerBound, height, counts, entries)
    }

    /// The indices of ranges that may meet some rows, ascending, each once.
    func candidates(inRows rows: Range<Int>) -> [Int] {
        let all = 0..<starts.count - 1
        let bands =
            (floorDivide(rows.lowerBound - first, rowsPerBand)..<floorDivide(
                rows.upperBound - 1 - first, rowsPerBand) + 1).clamped(to: all)
        let listed = entries[starts[bands.lowerBound]..<starts[bands.upperBound]]
        if bands.count <= 1 { return listed.map(Int.init) }
        return Set(listed).sorted().map(Int.init)
    }
}
