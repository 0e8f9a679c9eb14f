/// A window of an image that is read smaller: one pixel for each square of `factor` by `factor`
/// pixels, counted from the image's top-left corner.
package struct Reduction: Hashable, Sendable {
    /// Pixels along the edge of a square.
    package let factor: Int
    /// The window, in pixels of the image.
    package let window: PixelWindow

    /// Makes a reduction.
    package init(of window: PixelWindow, by factor: Int) {
        precondition(factor > 0, "a square has an edge")
        self.factor = factor
        self.window = window
    }

    /// The reduced pixels that hold the window; those at its edges may hold more than it.
    package var reducedWindow: PixelWindow {
        PixelWindow(columns: reduced(window.columns), rows: reduced(window.rows))
    }

    /// From points of the window to points of the reduced one, each from its own top-left corner.
    package var reducedFromWindow: AffineTransform {
        let (first, scale) = (reducedWindow, 1 / Double(factor))
        let left = window.columns.lowerBound - first.columns.lowerBound * factor
        let top = window.rows.lowerBound - first.rows.lowerBound * factor
        return AffineTransform(
            a: scale, b: 0, c: Double(left) * scale, d: 0, e: scale, f: Double(top) * scale)
    }

    private func reduced(_ range: Range<Int>) -> Range<Int> {
        range.lowerBound / factor..<(range.upperBound + factor - 1) / factor
    }
}
