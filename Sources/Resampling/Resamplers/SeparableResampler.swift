internal import CKernels
internal import Raster
package import Tiling

/// Resamples an image whose axes stay axes: first along rows, then down columns.
///
/// One per worker. Each source row is unpacked and resampled once per window; the rows that a
/// column's kernel spans are kept in a ring.
package final class SeparableResampler {
    private let kernels: Kernels
    private let unpacked = PixelScratch()
    private let ring = PixelScratch()
    private let transparent = PixelScratch()
    private let upright = UprightScratch()
    /// Which source row each slot of the ring holds.
    private var slots: [Int] = []

    /// Makes a resampler.
    package init(kernels: Kernels) {
        self.kernels = kernels
    }

    /// Renders a window of a zoom into its band.
    ///
    /// - Parameters:
    ///   - window: pixels of the zoom, for all of which there are weights.
    ///   - source: the image; the rows that the window needs must be there.
    ///   - weights: along rows, and down columns.
    ///   - level: where the pixels go.
    /// - Throws: what reading the source throws.
    package func render(
        _ window: PixelWindow, from source: SourceBand, weights: SeparableWeights,
        into level: LevelBand
    ) throws {
        if window.isEmpty { return }
        let parts = SolidRegions(of: window, from: source, weights: weights, with: kernels)
        for (part, color) in parts.uniform { level.fill(part, with: color) }
        for part in parts.mixed { try resample(part, from: source, weights: weights, into: level) }
    }

    /// Begins with a window of a zoom as planes, if all of it is opaque and no part of the image is known to be of one
    /// colour.
    ///
    /// - Parameter level: where the pixels go, some rows at a time or all of them.
    /// - Returns: nil if nothing was begun.
    package func planes(
        of window: PixelWindow, from source: SourceBand, weights: SeparableWeights, into level: LevelBand
    ) -> UprightWindow? {
        guard kernels.takePlanes, source.format != .rgba8, !source.knowsColors,
            window == level.window, window.width >= OpaquePlanes.fewestPixels,
            weights.keepColors(window, within: source.height),
            let pixels = source.plainPixels(of: weights.reach(of: window))
        else { return nil }
        let grouped = upright.group(window.columns, by: weights.columns, from: source, with: kernels)
        guard grouped.pairs > 0 else { return nil }
        let planes = OpaquePlanes(count: source.format.bytesPerPixel, window: window)
        return UprightWindow(
            window, from: source, pixels, weights: weights, grouped, in: upright, with: kernels,
            into: level.filled(with: planes))
    }

    private func resample(
        _ window: PixelWindow, from source: SourceBand, weights: SeparableWeights,
        into level: LevelBand
    ) throws {
        guard let pixels = source.plainPixels(of: weights.reach(of: window)) else {
            return try resampleRows(of: window, from: source, weights: weights, into: level)
        }
        let grouped = upright.group(window.columns, by: weights.columns, from: source, with: kernels)
        UprightWindow(
            window, from: source, pixels, weights: weights, grouped, in: upright, with: kernels, into: level
        ).render(window.rows)
    }

    /// Resamples what the core cannot read by itself.
    private func resampleRows(
        of window: PixelWindow, from source: SourceBand, weights: SeparableWeights,
        into level: LevelBand
    ) throws {
        let rows = weights.rows
        slots = Array(repeating: -1, count: rows.taps)
        let reach = weights.columns.sourceReach(of: window.columns)
        let width = window.width * DeepPixel.channels
        let lines = ring.pixels(window.width * rows.taps)
        let zeros = transparent.pixels(window.width)
        zeros.update(repeating: 0, count: width)
        var pointers: [UnsafePointer<Int16>?] = []
        for row in window.rows {
            let sourceRows = rows.sourcePixels(of: row)
            pointers.removeAll(keepingCapacity: true)
            for sourceRow in sourceRows {
                guard sourceRow >= 0, sourceRow < source.height else {
                    pointers.append(UnsafePointer(zeros))
                    continue
                }
                let line = lines + sourceRow % rows.taps * width
                if slots[sourceRow % rows.taps] != sourceRow {
                    let part = PixelWindow(columns: reach, rows: sourceRow..<sourceRow + 1)
                    let pixels = unpacked.pixels(reach.count)
                    try source.unpack(PixelSpans(all: part), into: pixels, with: kernels)
                    resample(
                        pixels - reach.lowerBound * DeepPixel.channels, by: weights.columns,
                        window.columns, into: line)
                    slots[sourceRow % rows.taps] = sourceRow
                }
                pointers.append(UnsafePointer(line))
            }
            combine(
                pointers, of: row, by: rows,
                into: level.pixel(column: window.columns.lowerBound, row: row), count: window.width)
        }
    }

    /// - Parameter pixels: where the source's first column would lie.
    private func resample(
        _ pixels: DeepPixels, by weights: AxisWeights, _ columns: Range<Int>, into line: DeepPixels
    ) {
        weights.withRun(columns) { starts, run in
            kernels.table.pointee.resample_row(
                pixels, starts, run, Int32(weights.taps), line, columns.count)
        }
    }

    private func combine(
        _ lines: [UnsafePointer<Int16>?], of row: Int, by rows: AxisWeights,
        into result: DeepPixels, count: Int
    ) {
        // Of a sliver at the image's edge all weights may round to zero, and no row is read.
        if lines.isEmpty {
            return result.update(repeating: 0, count: count * DeepPixel.channels)
        }
        rows.withWeights(of: row) { weights in
            kernels.table.pointee.combine_rows(
                lines, weights, Int32(lines.count), result, count)
        }
    }
}
