import CKernels
import Raster
package import Tiling

/// Resamples an image whose axes stay axes: first along rows, then down columns.
///
/// One per worker. Each source row is unpacked and resampled once per window; a ring keeps the rows that a
/// column's kernel spans.
package final class SeparableResampler {
    private let kernels: Kernels
    private var unpacked = Scratch<Int16>()
    private var ring = Scratch<Int16>()
    private var transparent = Scratch<Int16>()
    private let upright = UprightScratch()
    /// The source row in each slot of the ring.
    private var slots: [Int] = []

    /// Makes a resampler.
    package init(kernels: Kernels) {
        self.kernels = kernels
    }

    /// Renders a window of a zoom into its band.
    ///
    /// - Parameters:
    ///   - window: pixels of the zoom, which must all have weights.
    ///   - source: the image, with the rows that the window needs in memory.
    /// - Throws: errors of reading the source.
    package func render(
        _ window: PixelWindow, from source: SourceBand, weights: SeparableWeights,
        into level: LevelBand
    ) throws {
        if window.isEmpty { return }
        let parts = SolidRegions(of: window, from: source, weights: weights, with: kernels)
        for (part, color) in parts.uniform { level.fill(part, with: color) }
        for part in parts.mixed { try resample(part, from: source, weights: weights, into: level) }
    }

    private func resample(
        _ window: PixelWindow, from source: SourceBand, weights: SeparableWeights,
        into level: LevelBand
    ) throws {
        guard let pixels = source.plainPixels(of: weights.reach(of: window)) else {
            return try resampleRows(of: window, from: source, weights: weights, into: level)
        }
        let grouped = upright.group(window.columns, by: weights.columns, from: source, with: kernels)
        let memory = upright.begin(window, by: weights, bytesPerPixel: pixels.rows.pointee.bytes_per_pixel)
        let result = level.ring(column: window.columns.lowerBound, row: window.rows.lowerBound)
        withExtendedLifetime((source, level)) {
            weights.columns.withRun(window.columns) { starts, columnWeights in
                weights.rows.withReads(window.rows) { reads, rowWeights in
                    var upright = cr_upright_weights(
                        starts: starts, weights: columnWeights, taps: Int32(weights.columns.taps),
                        columns: window.width, grouped: grouped, reads: reads, row_weights: rowWeights,
                        row_taps: Int32(weights.rows.taps), rows: window.height)
                    cr_resample_window(kernels.table, pixels, &upright, memory, result.rows, result.row)
                }
            }
        }
    }

    /// Resamples sources that the core cannot read itself.
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

    /// - Parameter pixels: the address that the source's first column would have.
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
        // All weights of a sliver at the image's edge may round to zero; then no row is read.
        if lines.isEmpty {
            return result.update(repeating: 0, count: count * DeepPixel.channels)
        }
        rows.withWeights(of: row) { weights in
            kernels.table.pointee.combine_rows(
                lines, weights, Int32(lines.count), result, count)
        }
    }

    /// Its memory in bytes for a window of `width` columns: a row of the source, plain rows of a row of blocks,
    /// a ring of as many resampled rows as a kernel spans, and a transparent row.
    ///
    /// - Parameter scale: source pixels per pixel of the window, along an axis.
    package static func bytes(width: Int, scale: Double, method: ResamplingMethod) -> Int {
        let support = Double(Kernel(method)?.support ?? 1) * max(1, scale)
        let taps = FixedWeights.paddedTaps(Int((2 * support).rounded(.up)))
        let source = Int((Double(width) * scale).rounded(.up)) + taps
        let plain = cr_plain_bytes(
            cr_span(first: 0, end: Int32(source)), Int32(PixelFormat.rgba8.bytesPerPixel))
        return (source + width * (taps + 1)) * DeepPixel.bytes + plain
    }
}

/// The memory for resampling a window of an upright image. One per worker.
final class UprightScratch {
    private var spans = Scratch<cr_span>()
    private var groups = Scratch<Int16>()
    private var lines = Scratch<Int16>()
    private var pointers = Scratch<UnsafePointer<Int16>?>()
    private var slots = Scratch<Int32>()
    private var zeros = Scratch<Int16>()
    private var unpacked = Scratch<Int16>()
    private var plain = Scratch<UInt8>()

    /// Buffers for a window, valid until another window is begun; they contain no rows yet.
    func begin(
        _ window: PixelWindow, by weights: SeparableWeights, bytesPerPixel: Int32
    ) -> cr_upright_scratch {
        let (samples, taps) = (window.width * DeepPixel.channels, weights.rows.taps)
        let reach = weights.columns.sourceReach(of: window.columns)
        let (slots, zeros) = (slots.room(taps), zeros.room(samples))
        slots.update(repeating: -1, count: taps)
        zeros.update(repeating: 0, count: samples)
        return cr_upright_scratch(
            lines: lines.room(taps * samples), pointers: pointers.room(taps), slots: slots, zeros: zeros,
            unpacked: unpacked.room(reach.count * DeepPixel.channels),
            plain: plain.room(
                cr_plain_bytes(
                    cr_span(first: Int32(reach.lowerBound), end: Int32(reach.upperBound)), bytesPerPixel)))
    }

    /// The taps of some columns in groups, for a kernel that reads samples without alpha.
    ///
    /// - Returns: no pairs if the pixels have alpha or include an edge of the source, if the machine has no
    ///   such kernel, or if the image shrinks too much for it.
    func group(
        _ columns: Range<Int>, by weights: AxisWeights, from source: SourceBand, with kernels: Kernels
    ) -> cr_grouped_taps {
        let size = Int(CR_TAP_GROUP)
        let count = (columns.count + size - 1) / size
        guard kernels.resampleSamples(of: source.format), columns.count >= size, weights.keepColors(columns),
            source.hasWholePixels(inColumns: weights.sourceReach(of: columns))
        else { return cr_grouped_taps() }
        let (spans, groups) = (spans.room(count), groups.room((weights.taps + 2) * size * count))
        let pairs = weights.withRun(columns) { starts, run in
            cr_group_taps(starts, run, Int32(weights.taps), spans, groups, columns.count)
        }
        return cr_grouped_taps(spans: spans, groups: groups, pairs: pairs)
    }
}

extension Kernels {
    /// Whether there is a kernel that resamples samples of 8 bits.
    fileprivate func resampleSamples(of format: PixelFormat) -> Bool {
        switch format {
        case .gray8: table.pointee.resample_gray8 != nil
        case .rgb8: table.pointee.resample_rgb8 != nil
        case .rgba8: false
        }
    }
}
