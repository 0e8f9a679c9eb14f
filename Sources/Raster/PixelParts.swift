package import Tiling

/// The connected parts of a mask.
package struct PixelParts: Sendable {
    /// A connected part.
    package struct Part: Hashable, Sendable {
        /// The smallest window around the part.
        package var window: PixelWindow
        /// The number of its pixels.
        package var count: Int
    }

    /// The parts, in the order of their first pixels from the top.
    package let parts: [Part]
    /// For each pixel, the index of its part, or -1.
    package let indices: [Int32]

    private let width: Int
    private let height: Int

    /// Finds the parts.
    ///
    /// - Parameter diagonally: whether pixels are also connected at their corners.
    package init(of mask: PixelMask, diagonally: Bool) {
        (width, height) = (mask.width, mask.height)
        var runs = Runs()
        runs.read(mask, reach: diagonally ? 1 : 0)
        var numbers = [Int32](repeating: -1, count: runs.all.count)
        var parts: [Part] = []
        var indices = [Int32](repeating: -1, count: mask.bits.count)
        indices.withUnsafeMutableBufferPointer { indices in
            for (index, run) in runs.all.enumerated() {
                let root = runs.root(of: index)
                if numbers[root] < 0 {
                    numbers[root] = Int32(parts.count)
                    parts.append(
                        Part(
                            window: PixelWindow(columns: run.start..<run.end, rows: run.row..<run.row + 1),
                            count: 0))
                }
                let number = Int(numbers[root])
                parts[number].add(run)
                for place in run.row &* mask.width &+ run.start..<run.row &* mask.width &+ run.end {
                    indices[place] = Int32(number)
                }
            }
        }
        (self.parts, self.indices) = (parts, indices)
    }

    /// The pixels of some parts.
    package func mask(where isIncluded: (Int) -> Bool) -> PixelMask {
        let included: [UInt8] = parts.indices.map { isIncluded($0) ? 1 : 0 }
        return PixelMask(
            width: width, height: height,
            bits: [UInt8](unsafeUninitializedCapacity: indices.count) { bits, count in
                indices.withUnsafeBufferPointer { indices in
                    included.withUnsafeBufferPointer { included in
                        for place in 0..<indices.count {
                            let index = Int(indices[place])
                            bits[place] = index < 0 ? 0 : included[index]
                        }
                    }
                }
                count = indices.count
            })
    }

    /// The number of pixels of each part that are in a mask.
    package func counts(of mask: PixelMask) -> [Int] {
        precondition(mask.bits.count == indices.count, "masks are of the same picture")
        var counts = [Int](repeating: 0, count: parts.count)
        counts.withUnsafeMutableBufferPointer { counts in
            indices.withUnsafeBufferPointer { indices in
                mask.bits.withUnsafeBufferPointer { bits in
                    for place in 0..<indices.count where bits[place] != 0 && indices[place] >= 0 {
                        counts[Int(indices[place])] &+= 1
                    }
                }
            }
        }
        return counts
    }

    /// The smallest windows around the pixels of each part that are in a mask; nil for parts without such
    /// pixels.
    package func windows(of mask: PixelMask) -> [PixelWindow?] {
        precondition(mask.bits.count == indices.count, "masks are of the same picture")
        var windows = [PixelWindow?](repeating: nil, count: parts.count)
        mask.bits.withUnsafeBufferPointer { bits in
            for row in 0..<height {
                var column = 0
                while column < width {
                    let start = column
                    let index = indices[row &* width &+ column]
                    column &+= 1
                    guard index >= 0, bits[row &* width &+ start] != 0 else { continue }
                    while column < width, bits[row &* width &+ column] != 0,
                        indices[row &* width &+ column] == index
                    { column &+= 1 }
                    let run = PixelWindow(columns: start..<column, rows: row..<row + 1)
                    windows[Int(index)] = windows[Int(index)]?.hull(with: run) ?? run
                }
            }
        }
        return windows
    }
}

extension PixelParts.Part {
    fileprivate mutating func add(_ run: Run) {
        count += run.end - run.start
        window = window.hull(
            with: PixelWindow(columns: run.start..<run.end, rows: run.row..<run.row + 1))
    }
}

/// Adjacent pixels of a row.
private struct Run {
    var row: Int
    var start: Int
    var end: Int
}

/// The runs of a mask, joined to parts: a forest in which each run points to an earlier run of its part.
private struct Runs {
    var all: [Run] = []
    private var parents: [Int] = []

    mutating func read(_ mask: PixelMask, reach: Int) {
        var above = 0..<0
        mask.bits.withUnsafeBufferPointer { bits in
            for row in 0..<mask.height {
                let first = all.count
                var column = 0
                let start = row &* mask.width
                while column < mask.width {
                    if bits[start &+ column] == 0 {
                        column &+= 1
                        continue
                    }
                    let begin = column
                    while column < mask.width, bits[start &+ column] != 0 { column &+= 1 }
                    parents.append(all.count)
                    all.append(Run(row: row, start: begin, end: column))
                }
                join(above, first..<all.count, reach)
                above = first..<all.count
            }
        }
    }

    /// Joins the runs of two adjacent rows that touch.
    private mutating func join(_ above: Range<Int>, _ below: Range<Int>, _ reach: Int) {
        var (upper, lower) = (above.lowerBound, below.lowerBound)
        while upper < above.upperBound, lower < below.upperBound {
            let (a, b) = (all[upper], all[lower])
            if a.start < b.end + reach, b.start < a.end + reach {
                let (first, second) = (root(of: upper), root(of: lower))
                parents[max(first, second)] = min(first, second)
            }
            if a.end < b.end { upper += 1 } else { lower += 1 }
        }
    }

    mutating func root(of index: Int) -> Int {
        var index = index
        while parents[index] != index {
            parents[index] = parents[parents[index]]
            index = parents[index]
        }
        return index
    }
}
