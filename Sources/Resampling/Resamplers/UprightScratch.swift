internal import CKernels
internal import Raster
internal import Tiling

/// What resampling a window of an upright image needs besides its pixels. One per worker.
final class UprightScratch {
    private var spans = Scratch<cr_span>()
    private var groups = Scratch<Int16>()
    private var lines = Scratch<Int16>()
    private var pointers = Scratch<UnsafePointer<Int16>?>()
    private var slots = Scratch<Int32>()
    private var zeros = Scratch<Int16>()
    private var unpacked = Scratch<Int16>()
    private var gathered = Scratch<UInt8>()

    /// Bytes that it has grown to.
    var bytes: Int {
        spans.bytes + groups.bytes + lines.bytes + pointers.bytes + slots.bytes + zeros.bytes + unpacked.bytes
            + gathered.bytes
    }

    /// Memory for a window, until another is begun; no row of it is made yet.
    func begin(_ window: PixelWindow, of source: cr_source, by weights: SeparableWeights)
        -> cr_upright_scratch
    {
        let (samples, taps) = (window.width * DeepPixel.channels, weights.rows.taps)
        let reach = weights.columns.sourceReach(of: window.columns)
        let (slots, zeros) = (slots.room(taps + 1), zeros.room(samples))
        slots.update(repeating: -1, count: taps + 1)
        zeros.update(repeating: 0, count: samples)
        return cr_upright_scratch(
            lines: lines.room(taps * samples), pointers: pointers.room(taps), slots: slots, zeros: zeros,
            unpacked: unpacked.room(reach.count * DeepPixel.channels),
            gathered: gathered.room(cr_gathered_bytes(reach.count, Int(source.bytes_per_pixel))),
            gathered_row: slots + taps)
    }

    /// The taps of some columns in groups, for a kernel that reads samples without an alpha.
    ///
    /// - Returns: no pairs if the pixels have an alpha, an edge of the source is among them, the machine has no such
    ///   kernel, or the image shrinks too much for it.
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
