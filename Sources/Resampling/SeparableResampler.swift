internal import CRaster
package import Tiling

/// Resamples an image whose axes stay axes: first along rows, then down columns.
///
/// One per worker. Each source row is unpacked and resampled once per window; the rows that a
/// column's kernel spans are kept in a ring.
package final class SeparableResampler {
    private let source: SourceBand
    private let columns: AxisWeights
    private let rows: AxisWeights
    private let kernels: Kernels
    private let unpacked = PixelScratch()
    private let ring = PixelScratch()
    private let transparent = PixelScratch()
    /// Which source row each slot of the ring holds.
    private var slots: [Int]

    /// Makes a resampler.
    ///
    /// - Parameters:
    ///   - source: the rows; those that a window needs must be in memory when it is rendered.
    ///   - columns: the weights along rows, for all columns that will be asked for.
    ///   - rows: the weights down columns, likewise.
    package init(source: SourceBand, columns: AxisWeights, rows: AxisWeights, kernels: Kernels) {
        self.source = source
        self.columns = columns
        self.rows = rows
        self.kernels = kernels
        slots = []
    }

    /// Renders a window of a zoom into its band.
    package func render(_ window: PixelWindow, into level: LevelBand) {
        slots = Array(repeating: -1, count: rows.taps)
        let reach = columns.sourceReach(of: window.columns)
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
                    resample(sourceRow, reach: reach, columns: window.columns, into: line)
                    slots[sourceRow % rows.taps] = sourceRow
                }
                pointers.append(UnsafePointer(line))
            }
            combine(
                pointers, of: row, into: level.pixel(column: window.columns.lowerBound, row: row),
                count: window.width)
        }
    }

    private func resample(
        _ row: Int, reach: Range<Int>, columns wanted: Range<Int>, into line: DeepPixels
    ) {
        let pixels = unpacked.pixels(reach.count)
        source.unpack(row: row, columns: reach, into: pixels, with: kernels)
        columns.withRun(wanted) { starts, weights in
            kernels.table.pointee.resample_row(
                pixels - reach.lowerBound * DeepPixel.channels, starts, weights,
                Int32(columns.taps), line, wanted.count)
        }
    }

    private func combine(
        _ lines: [UnsafePointer<Int16>?], of row: Int, into result: DeepPixels, count: Int
    ) {
        rows.withWeights(of: row) { weights in
            kernels.table.pointee.combine_rows(
                lines, weights, Int32(lines.count), result, count)
        }
    }
}
