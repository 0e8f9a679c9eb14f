import CKernels
package import Tiling

/// Halves the pixels of a zoom into those of the next coarser zoom. One per worker.
///
/// Pixels keep their sign and their spare bits from zoom to zoom, so a chain of halvings stays
/// close to one wide kernel over the finest pixels.
package final class Reducer {
    private let method: ResamplingMethod
    private let kernels: Kernels
    /// The weights of the finer pixels `2 x - reach ... 2 x + 1 + reach`, padded at the end.
    private let weights: [Int16]
    private var combined = Scratch<Int16>()
    private var transparent = Scratch<Int16>()

    /// The finer pixels that a coarser pixel reads beyond its own pair, on either side.
    package let reach: Int

    /// Makes a reducer.
    package init(method: ResamplingMethod, kernels: Kernels) {
        self.method = method
        self.kernels = kernels
        reach = Self.reach(of: method)
        weights = Self.weights(of: method)
    }

    /// The finer pixels that a coarser pixel reads beyond its own pair: a kernel twice as wide as between
    /// pixels of the finer zoom has `4 * support` taps.
    package static func reach(of method: ResamplingMethod) -> Int {
        Kernel(method).map { $0.support * 2 - 1 } ?? 0
    }

    private static func weights(of method: ResamplingMethod) -> [Int16] {
        let reach = reach(of: method)
        var weights: [Double] = (-reach...1 + reach).map { tap in
            // The coarser pixel's centre is the edge between its two finer pixels, 0 and 1.
            Kernel(method)?.weight(at: (Double(tap) - 0.5) / 2) ?? 1
        }
        let sum = weights.reduce(0, +)
        weights = weights.map { $0 / sum }
        let padding = FixedWeights.paddedTaps(weights.count) - weights.count
        return FixedWeights.rounded(weights) + repeatElement(0, count: padding)
    }

    /// Renders a window of the coarser zoom.
    ///
    /// - Parameters:
    ///   - window: pixels of the coarser zoom.
    ///   - fine: the finer zoom, with the existing rows of `2 * window.rows`, and `reach` more on either
    ///     side, in memory.
    ///   - coarse: the destination of the pixels.
    package func render(_ window: PixelWindow, from fine: LevelBand, into coarse: LevelBand) {
        let column = window.columns.lowerBound
        for row in window.rows {
            halve(row, window.columns, from: fine, into: coarse.pixel(column: column, row: row))
        }
    }

    private func halve(_ row: Int, _ columns: Range<Int>, from fine: LevelBand, into result: DeepPixels) {
        switch method {
        case .nearest:
            let pixels = finePixels(
                fine, row: 2 * row, column: 2 * columns.lowerBound, count: 2 * columns.count)
            cr_halve_nearest(pixels, result, columns.count)
        case .mode, .area:
            let column = 2 * columns.lowerBound
            let upper = finePixels(fine, row: 2 * row, column: column, count: 2 * columns.count)
            let lower = finePixels(fine, row: 2 * row + 1, column: column, count: 2 * columns.count)
            if method == .mode {
                cr_halve_mode(upper, lower, result, columns.count)
            } else {
                kernels.table.pointee.halve_box(upper, lower, result, columns.count)
            }
        case .bilinear, .cubic, .lanczos:
            blend(row, columns, from: fine, into: result)
        }
    }

    /// Down columns first: this step can read each finer row in place.
    private func blend(
        _ row: Int, _ columns: Range<Int>, from fine: LevelBand, into result: DeepPixels
    ) {
        let first = 2 * columns.lowerBound - reach
        let count = 2 * columns.count + weights.count
        let line = combined.pixels(count)
        let rows = 2 * row - reach...2 * row + 1 + reach
        // A stored array would be checked for exclusive access with each row.
        withUnsafeTemporaryAllocation(of: UnsafePointer<Int16>?.self, capacity: rows.count) { pointers in
            for (slot, row) in rows.enumerated() {
                let pixels = finePixels(fine, row: row, column: first, count: count)
                pointers.initializeElement(at: slot, to: UnsafePointer(pixels))
            }
            kernels.table.pointee.combine_rows(
                pointers.baseAddress, weights, Int32(rows.count), line, count)
        }
        kernels.table.pointee.halve_row(
            line, weights, Int32(weights.count), result, columns.count)
    }

    private func finePixels(_ fine: LevelBand, row: Int, column: Int, count: Int) -> DeepPixels {
        if let row = fine.existing(row: row) { return fine.pixel(column: column, row: row) }
        let zeros = transparent.pixels(count)
        zeros.update(repeating: 0, count: count * DeepPixel.channels)
        return zeros
    }

    /// Its memory in bytes to make rows of `width` columns: two rows twice as wide.
    package static func bytes(width: Int, method: ResamplingMethod) -> Int {
        reach(of: method) == 0 ? 0 : 2 * 2 * width * DeepPixel.bytes
    }
}
