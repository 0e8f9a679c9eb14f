import CKernels
import Raster

/// Bytes that the resamplers of a job keep for themselves.
package enum ResamplerMemory {
    /// Of a `SeparableResampler`, for a window of so many columns: a row of the source, rows that are gathered out of blocks,
    /// a ring of as many resampled rows as a kernel spans, and a transparent one.
    ///
    /// - Parameter scale: source pixels per pixel of the window, along an axis.
    package static func separable(width: Int, scale: Double, method: ResamplingMethod) -> Int {
        let support = Double(Kernel(method)?.support ?? 1) * max(1, scale)
        let taps = FixedWeights.paddedTaps(Int((2 * support).rounded(.up)))
        let source = Int((Double(width) * scale).rounded(.up)) + taps
        let gathered = cr_gathered_bytes(source, PixelFormat.rgba8.bytesPerPixel)
        return (source + width * (taps + 1)) * DeepPixel.bytes + gathered
    }

    /// Of a `Reducer` that makes rows of so many columns: two rows twice as wide; and of one that takes planes one row, and
    /// all that it reads, for where some pixels lie in planes and others do not.
    package static func reducer(width: Int, method: ResamplingMethod, takesPlanes: Bool) -> Int {
        let reach = Reducer.reach(of: method)
        if reach == 0 { return 0 }
        let rows = 2 * 2 + (takesPlanes ? 1 + 2 * 2 * (reach + 1) : 0)
        return rows * width * DeepPixel.bytes
    }

    /// Of a `Warper` and of the positions of a block of `edge * edge` pixels: its window in the source, which is widest
    /// if it is turned by 45 degrees and never more than `Warper.windowPixels`; positions, in doubles and fixed; and the
    /// weights of one shape.
    ///
    /// - Parameter scale: source pixels per pixel of the block, along an axis.
    package static func warper(edge: Int, scale: Double, method: ResamplingMethod) -> Int {
        let turned = scale / 2.0.squareRoot()
        let jacobian = Jacobian(
            columnPerX: turned, columnPerY: turned, rowPerX: -turned, rowPerY: turned
        ).limited(for: method)
        let reach = Warper.reach(of: method, at: jacobian)
        let middle = Int((Double(edge) * jacobian.columnReach).rounded(.up))
        let side = 2 * (middle + max(reach.columns, reach.rows))
        let positions = edge * edge * (2 * MemoryLayout<Double>.size + 2 * MemoryLayout<Int32>.size)
        return min(side * side, Warper.windowPixels) * DeepPixel.bytes + positions
            + (method == .area ? FootprintTable.bytes(jacobian) : 0)
    }
}

extension FootprintTable {
    /// Bytes of the weights of a shape: for each phase of its centre, along both axes, the pixels that it can touch.
    fileprivate static func bytes(_ jacobian: Jacobian) -> Int {
        let phases = 1 << FootprintPrecision.exact.phaseBits(of: jacobian)
        let columns = FixedWeights.paddedTaps(2 * Int(jacobian.columnReach.rounded(.up)) + 1)
        let rows = 2 * Int(jacobian.rowReach.rounded(.up)) + 1
        return phases * phases * columns * rows * MemoryLayout<Int16>.size
    }
}

extension SourceBand {
    /// Bytes of what is known of the colours of rows in memory.
    package static func colorBytes(width: Int, capacity: Int) -> Int {
        UniformBlocks.bytes(width: width, capacity: capacity)
    }
}
