import CKernels
import Tiling

/// The weights of a footprint, summed in thin rows. Its edges are taken as vertical in each row, which causes
/// a smaller error than rounding a pixel's position to a phase.
///
/// One table of sums is used for all phases: the share of a pixel is a difference of four sums.
struct ScannedFootprint {
    /// The parallelogram around the origin.
    private let corners: [Point]

    init(_ jacobian: Jacobian) {
        corners = jacobian.corners(around: Point(x: 0, y: 0))
    }

    /// The shares of the pixels of a window, for each phase of the footprint's centre: phases along rows
    /// within phases down columns.
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

    /// The columns inside the footprint at a row; nil if the row is above or below it.
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

    /// The area of the footprint to the left of and above the points of a lattice, several per pixel.
    ///
    /// The points of a row are in groups, one for each phase along the row, so that the points of
    /// neighbouring pixels are adjacent.
    private struct Sums {
        private let window: PixelWindow
        private let phases: Int
        /// The number of points of a group: the left edges of the window's pixels, and of one pixel more on
        /// either side.
        private let points: Int
        /// The sums row by row, in the format of `CKernels` (`CR_SUM_BITS`).
        private let sums: [Int32]

        init(_ footprint: ScannedFootprint, _ window: PixelWindow, phases: Int) {
            (self.window, self.phases, points) = (window, phases, window.width + 2)
            let slices = footprint.slices(
                above: window.rows.lowerBound - 1, count: (window.height + 1) * phases, phases: phases)
            let area = slices.reduce(0) { $0 + $1.area }
            let scale = area > 0 ? Double(CR_WEIGHT_ONE << CR_SUM_BITS) / area : 0
            let points = points
            sums = [Int32](unsafeUninitializedCapacity: (slices.count + 1) * phases * points) { sums, count in
                count = (slices.count + 1) * phases * points
                guard var above = sums.baseAddress else { return }
                above.initialize(repeating: 0, count: phases * points)
                for slice in slices {
                    for phase in 0..<phases {
                        let first = Double(window.columns.lowerBound - 1) + Double(phase) / Double(phases)
                        cr_add_slice(
                            above, Float(first - slice.left), Float(slice.length),
                            Float(slice.height * scale),
                            above + phases * points, points)
                        above += points
                    }
                }
            }
        }

        /// Writes the weights of a phase; they add up to 1.
        func write(
            phase: (x: Int, y: Int), to result: UnsafeMutableBufferPointer<Int16>
        ) {
            // Moving the centre right moves the pixels left, so phase x reads group `phases - x`. For phase
            // 0, that is group 0, one point further on.
            let group = phase.x == 0 ? 1 : (phases - phase.x) * points
            let rowOfPixels = phases * phases * points
            let first = (phases - phase.y) * phases * points + group
            let width = window.width
            sums.withUnsafeBufferPointer { sums in
                guard let sums = sums.baseAddress, var weights = result.baseAddress else { return }
                var sum = Int32(1) << (CR_SUM_BITS - 1)
                for row in 0..<window.height {
                    let above = sums + first + row * rowOfPixels
                    sum = cr_shares(above, above + rowOfPixels, sum, weights, width)
                    weights += width
                }
            }
        }
    }

    /// A thin row of the footprint, as a rectangle.
    private struct Slice {
        var left = 0.0
        var length = 0.0
        var height = 0.0

        var area: Double { height * length }
    }

    /// The thin rows from the upper edge of a row of pixels on.
    private func slices(above row: Int, count: Int, phases: Int) -> [Slice] {
        let step = 1 / Double(phases)
        let ys = corners.map(\.y)
        let (top, bottom) = (ys.min() ?? 0, ys.max() ?? 0)
        return (0..<count).map { index in
            let start = Double(row) + Double(index) * step
            let (from, to) = (max(start, top), min(start + step, bottom))
            guard from < to, let inside = columns(at: (from + to) / 2) else { return Slice() }
            return Slice(
                left: inside.lowerBound, length: inside.upperBound - inside.lowerBound, height: to - from)
        }
    }
}
