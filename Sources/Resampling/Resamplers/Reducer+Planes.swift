internal import CKernels
package import Tiling

/// Halving planes.
extension Reducer {
    /// Pixels side by side that kernels of planes take, at least.
    private static let fewestPixels = Int(CR_TAP_GROUP)

    /// Whether it halves planes.
    package var takesPlanes: Bool { !method.copiesPixels && kernels.takePlanes }

    /// The pixels of the coarser zoom that read nothing but pixels of a window.
    package func pixels(reading window: PixelWindow) -> PixelWindow {
        func halved(_ fine: Range<Int>) -> Range<Int> {
            let first = floorDivide(fine.lowerBound + reach + 1, 2)
            return first..<max(first, floorDivide(fine.upperBound - reach, 2))
        }
        return PixelWindow(columns: halved(window.columns), rows: halved(window.rows))
    }

    /// The planes of the finer zoom, if a window of the coarser one reads nothing else of it.
    func planesRead(by window: PixelWindow, of fine: BandPixels) -> OpaquePlanes? {
        guard let planes = fine.planes, window.width >= Self.fewestPixels,
            window.intersection(pixels(reading: planes.window)) == window
        else { return nil }
        return planes
    }

    /// Renders a window.
    ///
    /// - Parameters:
    ///   - finePlanes: where all finer pixels lie that are read.
    ///   - coarsePlanes: where the coarser pixels go, whole blocks of them; nil if they have four channels.
    func halve(
        _ finePlanes: OpaquePlanes, of fine: BandPixels, to window: PixelWindow, of coarse: BandPixels,
        as coarsePlanes: OpaquePlanes?
    ) {
        let column = 2 * window.columns.lowerBound - reach
        let row = 2 * window.rows.lowerBound - reach
        // Blocks begin before that.
        let before =
            finePlanes.areBlocks ? (column - finePlanes.window.columns.lowerBound) % OpaquePlanes.block : 0
        let blocks = OpaquePlanes.blocks(before + 2 * (window.width + reach))
        // Padding of the weights reads what does not count.
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
}
