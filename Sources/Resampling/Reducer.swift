import CKernels
package import Tiling

/// Halves the pixels of a zoom into those of the next coarser zoom. One per worker.
///
/// Pixels keep their sign and their spare bits from zoom to zoom, so a chain of halvings stays
/// close to one wide kernel over the finest pixels.
package final class Reducer {
    let method: ResamplingMethod
    let kernels: Kernels
    /// The weights of the finer pixels `2 x - reach ... 2 x + 1 + reach`, padded at the end.
    let weights: [Int16]
    let combined = PixelScratch()
    private let halved = PixelScratch()
    private let joined = PixelScratch()
    private let transparent = PixelScratch()

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
        if reach > 0 { return reduce(window, from: fine.pixels, into: coarse.pixels) }
        // First by squares that make one cell of the coarser zoom, so that the cell's colour becomes known.
        let squares = SolidRegions(of: window, halving: fine, cells: 2)
        for (part, color) in squares.uniform { coarse.fill(part, with: color) }
        for square in squares.mixed {
            let parts = SolidRegions(of: square, halving: fine, cells: 1)
            for (part, color) in parts.uniform { coarse.fill(part, with: color) }
            for part in parts.mixed { reduce(part, from: fine.pixels, into: coarse.pixels) }
        }
    }

    private func reduce(_ window: PixelWindow, from fine: BandPixels, into coarse: BandPixels) {
        let (opaque, others) = coarse.parts(of: window)
        for part in others { reduce(part, from: fine, into: coarse, as: nil) }
        if let opaque { reduce(opaque, from: fine, into: coarse, as: coarse.planes) }
    }

    /// Renders a window that is either entirely in planes or not at all.
    private func reduce(
        _ window: PixelWindow, from fine: BandPixels, into coarse: BandPixels, as planes: OpaquePlanes?
    ) {
        if let finePlanes = planesRead(by: window, of: fine), planes?.areWholeBlocks(window.columns) ?? true {
            return halve(finePlanes, of: fine, to: window, of: coarse, as: planes)
        }
        let column = window.columns.lowerBound
        for row in window.rows {
            if let planes {
                let pixels = halved.pixels(window.width)
                halve(row, window.columns, from: fine, into: pixels)
                coarse.split(pixels, window.columns, row: row, into: planes, with: kernels)
            } else {
                cr_fetch_to_write(
                    coarse.pixel(column: column, row: row + 1), window.width * DeepPixel.bytes)
                halve(
                    row, window.columns, from: fine, into: coarse.pixel(column: column, row: row))
            }
        }
    }

    private func halve(_ row: Int, _ columns: Range<Int>, from fine: BandPixels, into result: DeepPixels) {
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
        _ row: Int, _ columns: Range<Int>, from fine: BandPixels, into result: DeepPixels
    ) {
        let first = 2 * columns.lowerBound - reach
        let count = 2 * columns.count + weights.count
        let line = combined.pixels(count)
        fetchNext(row, from: fine, column: first, count)
        let rows = 2 * row - reach...2 * row + 1 + reach
        // A stored array would be checked for exclusive access with each row.
        withUnsafeTemporaryAllocation(of: UnsafePointer<Int16>?.self, capacity: rows.count) { pointers in
            for (slot, row) in rows.enumerated() {
                let pixels = finePixels(fine, row: row, column: first, count: count, slot: slot)
                pointers.initializeElement(at: slot, to: UnsafePointer(pixels))
            }
            kernels.table.pointee.combine_rows(
                pointers.baseAddress, weights, Int32(rows.count), line, count)
        }
        kernels.table.pointee.halve_row(
            line, weights, Int32(weights.count), result, columns.count)
    }

    /// Prefetches the two further finer rows that the next coarser row reads. That saves 1 % of a build of
    /// JPEG tiles from photographs on a CPU with an L2 cache of a megabyte.
    private func fetchNext(_ row: Int, from fine: BandPixels, column: Int, _ count: Int) {
        for next in 2 * (row + 1) + reach...2 * (row + 1) + 1 + reach {
            guard let next = fine.existing(row: next) else { return }
            let pixels = fine.ring(column: column, row: next)
            cr_fetch_row(pixels.rows, pixels.row, count * DeepPixel.bytes)
        }
    }

    /// - Parameter slot: rows in different slots are valid at the same time.
    private func finePixels(
        _ fine: BandPixels, row: Int, column: Int, count: Int, slot: Int = 0
    ) -> DeepPixels {
        if let row = fine.existing(row: row) {
            let columns = column..<column + count
            guard fine.hasPlanes(columns, row: row) else { return fine.pixel(column: column, row: row) }
            let pixels = joined.pixels(2 * (reach + 1) * count) + slot * count * DeepPixel.channels
            fine.copyPixels(columns, row: row, into: pixels, with: kernels)
            return pixels
        }
        let zeros = transparent.pixels(count)
        zeros.update(repeating: 0, count: count * DeepPixel.channels)
        return zeros
    }

    /// The least number of adjacent pixels that kernels for planes accept.
    private static let fewestPixels = Int(CR_TAP_GROUP)

    /// Whether it can halve planes.
    package var takesPlanes: Bool { !method.copiesPixels && kernels.takePlanes }

    /// The pixels of the coarser zoom that read only pixels of a window.
    package func pixels(reading window: PixelWindow) -> PixelWindow {
        func halved(_ fine: Range<Int>) -> Range<Int> {
            let first = floorDivide(fine.lowerBound + reach + 1, 2)
            return first..<max(first, floorDivide(fine.upperBound - reach, 2))
        }
        return PixelWindow(columns: halved(window.columns), rows: halved(window.rows))
    }

    /// The planes of the finer zoom, if a window of the coarser zoom reads only them.
    func planesRead(by window: PixelWindow, of fine: BandPixels) -> OpaquePlanes? {
        guard let planes = fine.planes, window.width >= Self.fewestPixels,
            window.intersection(pixels(reading: planes.window)) == window
        else { return nil }
        return planes
    }

    /// Renders a window.
    ///
    /// - Parameters:
    ///   - finePlanes: the planes of all finer pixels that are read.
    ///   - coarsePlanes: the planes for the coarser pixels, in whole blocks; nil if the pixels have four
    ///     channels.
    func halve(
        _ finePlanes: OpaquePlanes, of fine: BandPixels, to window: PixelWindow, of coarse: BandPixels,
        as coarsePlanes: OpaquePlanes?
    ) {
        let column = 2 * window.columns.lowerBound - reach
        let row = 2 * window.rows.lowerBound - reach
        // Blocks begin before the window.
        let before =
            finePlanes.areBlocks ? (column - finePlanes.window.columns.lowerBound) % OpaquePlanes.block : 0
        let blocks = OpaquePlanes.blocks(before + 2 * (window.width + reach))
        // Padding of the weights reads pixels that have no effect.
        let step = (blocks + 1) * OpaquePlanes.block
        let line = combined.pixels(finePlanes.count * step / DeepPixel.channels)
        weights.withUnsafeBufferPointer { weights in
            var halving = cr_halving(
                weights: weights.baseAddress, reads: Int32(2 * (reach + 1)), taps: Int32(weights.count),
                blocks: blocks, before: before, columns: window.width, rows: window.height,
                fine_rows: Int32(finePlanes.window.rows.upperBound - row), line: line, step: step)
            cr_halve_window(
                kernels.table, fine.ring(of: finePlanes, column: column - before, row: row),
                coarse.ring(
                    of: coarsePlanes, column: window.columns.lowerBound, row: window.rows.lowerBound),
                &halving)
        }
    }

    /// Its memory in bytes to make rows of `width` columns: two rows twice as wide. If it takes planes, one
    /// more row, and all pixels that it reads, for windows that are only partly in planes.
    package static func bytes(width: Int, method: ResamplingMethod, takesPlanes: Bool) -> Int {
        let reach = reach(of: method)
        if reach == 0 { return 0 }
        let rows = 2 * 2 + (takesPlanes ? 1 + 2 * 2 * (reach + 1) : 0)
        return rows * width * DeepPixel.bytes
    }
}
