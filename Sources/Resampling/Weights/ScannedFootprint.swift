internal import Tiling

/// The weights of a footprint, summed up in thin rows: their edges count as straight up and down, which
/// errs by less than the position of a pixel does.
///
/// One table of sums serves all phases: the share of a pixel is a difference of four of them.
struct ScannedFootprint {
    /// The parallelogram around the origin.
    private let corners: [(x: Double, y: Double)]

    init(_ jacobian: Jacobian) {
        corners = jacobian.corners(around: (0, 0))
    }

    /// The shares of the pixels of a window, for each phase of the footprint's centre along rows, within
    /// each phase down columns.
    func weights(_ window: PixelWindow, phases: Int) -> [Int16] {
        let sums = Sums(self, window, phases: phases)
        let taps = window.width * window.height
        return [Int16](unsafeUninitializedCapacity: phases * phases * taps) { result, count in
            count = phases * phases * taps
            for y in 0..<phases {
                for x in 0..<phases {
                    let first = (y * phases + x) * taps
                    sums.write(
                        phase: (x, y),
                        to: UnsafeMutableBufferPointer(
                            rebasing: result[first..<first + taps]))
                }
            }
        }
    }

    /// The columns inside at a row, or nil if the row lies above or below.
    private func columns(at row: Double) -> ClosedRange<Double>? {
        var (low, high) = (Double.infinity, -Double.infinity)
        var previous = corners[corners.count - 1]
        for corner in corners {
            if (previous.y <= row) != (corner.y <= row) {
                let share = (row - previous.y) / (corner.y - previous.y)
                let x = previous.x + share * (corner.x - previous.x)
                (low, high) = (min(low, x), max(high, x))
            }
            previous = corner
        }
        return low <= high ? low...high : nil
    }

    /// How much of the footprint lies left of and above the points of a lattice, several in a pixel.
    private struct Sums {
        private let window: PixelWindow
        private let phases: Int
        /// Points per row: one pixel more than the window on its left, for the phases.
        private let width: Int
        /// Row by row, in parts of the whole.
        private let sums: [Double]

        init(_ footprint: ScannedFootprint, _ window: PixelWindow, phases: Int) {
            (self.window, self.phases) = (window, phases)
            let width = (window.width + 1) * phases + 1
            let rows = (window.height + 1) * phases
            let step = 1 / Double(phases)
            let ys = footprint.corners.map(\.y)
            let (top, bottom) = (ys.min() ?? 0, ys.max() ?? 0)
            var sums = [Double](repeating: 0, count: (rows + 1) * width)
            sums.withUnsafeMutableBufferPointer { sums in
                for row in 0..<rows {
                    let start = Double(window.rows.lowerBound - 1) + Double(row) * step
                    let (from, to) = (max(start, top), min(start + step, bottom))
                    let inside = from < to ? footprint.columns(at: (from + to) / 2) : nil
                    let (above, below) = (row * width, (row + 1) * width)
                    guard let inside else {
                        for point in 0..<width { sums[below + point] = sums[above + point] }
                        continue
                    }
                    let (height, length) = (to - from, inside.upperBound - inside.lowerBound)
                    let first = Double(window.columns.lowerBound - 1) - inside.lowerBound
                    for point in 0..<width {
                        let x = first + Double(Int32(truncatingIfNeeded: point)) * step
                        let inner = x < 0 ? 0 : x
                        sums[below + point] =
                            sums[above + point] + height * (inner > length ? length : inner)
                    }
                }
            }
            self.width = width
            let all = sums[sums.count - 1]
            self.sums = all > 0 ? sums.map { $0 / all } : sums
        }

        /// Writes the weights of a phase: the rounded ones add up to the rounded sum.
        func write(
            phase: (x: Int, y: Int), to result: UnsafeMutableBufferPointer<Int16>
        ) {
            sums.withUnsafeBufferPointer { sums in
                var (index, sum, previous) = (0, 0.0, 0)
                for row in 1...window.height {
                    let above = (row * phases - phase.y) * width + phases - phase.x
                    let below = above + phases * width
                    var before = sums[below] - sums[above]
                    for column in 1...window.width {
                        let point = column * phases
                        let here = sums[below + point] - sums[above + point]
                        sum += here - before
                        before = here
                        // Sums are not negative.
                        let next = Int(sum * Double(FixedWeights.one) + 0.5)
                        result[index] = Int16(clamping: next - previous)
                        previous = next
                        index += 1
                    }
                }
            }
        }
    }
}
