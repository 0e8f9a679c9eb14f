internal import CKernels
internal import Raster
internal import Tiling

/// Resamples rows without an alpha straight from their samples of 8 bits: one or three channels instead of four, and
/// no deep pixels of the source in between.
struct OpaqueRows {
    private typealias Kernel =
        @convention(c) (UnsafePointer<UInt8>?, cr_grouped_taps, UnsafeMutablePointer<Int16>?, Int) -> Void

    private let kernel: Kernel
    private let source: SourceBand
    private let taps: cr_grouped_taps
    private let count: Int
    /// The source columns that are read.
    private let reach: Range<Int>

    /// Puts weights in order for some rows.
    ///
    /// - Parameters:
    ///   - columns: of the result.
    ///   - scratch: holds the weights until others are put there.
    /// - Returns: nil if the pixels have an alpha, an edge of the source is among them, the machine has no such kernel,
    ///   or the image shrinks too much for it.
    init?(
        _ columns: Range<Int>, by weights: AxisWeights, from source: SourceBand, with kernels: Kernels,
        scratch: TapScratch
    ) {
        let kernel: Kernel? =
            switch source.format {
            case .gray8: kernels.table.pointee.resample_gray8
            case .rgb8: kernels.table.pointee.resample_rgb8
            case .rgba8: nil
            }
        let reach = weights.sourceReach(of: columns)
        guard let kernel, columns.count >= CR_TAP_GROUP, weights.keepColors(columns),
            source.hasWholePixels(inColumns: reach),
            let taps = scratch.group(weights, columns)
        else { return nil }
        (self.kernel, self.source, self.taps, self.reach) = (kernel, source, taps, reach)
        count = columns.count
    }

    /// Resamples a row of the source, if no edge cuts its pixels.
    ///
    /// - Returns: whether the line was written.
    func resample(row: Int, into line: DeepPixels) -> Bool {
        guard let samples = source.samples(ofRow: row) else { return false }
        if let next = source.samples(ofRow: row + 1) {
            let size = source.format.bytesPerPixel
            cr_prefetch(next + reach.lowerBound * size, reach.count * size)
        }
        kernel(samples, taps, line, count)
        return true
    }
}

/// Memory for the taps of a row, in groups. One per worker.
final class TapScratch {
    private var spans = UnsafeMutableBufferPointer<cr_span>.allocate(capacity: 0)
    private var groups = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 0)

    deinit {
        spans.deallocate()
        groups.deallocate()
    }

    /// Bytes that it has grown to.
    var bytes: Int { spans.count * MemoryLayout<cr_span>.stride + groups.count * MemoryLayout<Int16>.stride }

    /// Groups the taps of some columns; they are valid until others are grouped.
    ///
    /// - Returns: nil if a group reads more source pixels than kernels look at.
    fileprivate func group(_ weights: AxisWeights, _ columns: Range<Int>) -> cr_grouped_taps? {
        let size = Int(CR_TAP_GROUP)
        let count = (columns.count + size - 1) / size
        Self.grow(&spans, to: count)
        Self.grow(&groups, to: (weights.taps + 2) * size * count)
        let pairs = weights.withRun(columns) { starts, run in
            cr_group_taps(
                starts, run, Int32(weights.taps), spans.baseAddress, groups.baseAddress, columns.count)
        }
        return pairs > 0
            ? cr_grouped_taps(spans: spans.baseAddress, groups: groups.baseAddress, pairs: pairs) : nil
    }

    private static func grow<Element>(_ buffer: inout UnsafeMutableBufferPointer<Element>, to count: Int) {
        guard buffer.count < count else { return }
        buffer.deallocate()
        buffer = .allocate(capacity: count)
    }
}
