/// A window of an image that is read smaller.
package struct Reduction: Hashable, Sendable {
    /// The window, in pixels of the image.
    package let window: PixelWindow

    private let columns: Ratio
    private let rows: Ratio

    /// Reduced pixels to those of the image, along an axis.
    private struct Ratio: Hashable {
        var reduced: Int
        var whole: Int

        var value: Double { Double(reduced) / Double(whole) }

        func range(_ range: Range<Int>) -> Range<Int> {
            range.lowerBound * reduced / whole..<(range.upperBound * reduced + whole - 1) / whole
        }

        func offset(_ column: Int) -> Double {
            Double(column * reduced % whole) / Double(whole)
        }
    }

    /// One pixel stands for each square of `factor` by `factor` pixels, counted from the image's
    /// top-left corner.
    package init(of window: PixelWindow, by factor: Int) {
        precondition(factor > 0, "a square has an edge")
        self.window = window
        columns = Ratio(reduced: 1, whole: factor)
        rows = columns
    }

    /// The reduced image covers all of the image, its corners on the image's.
    package init(
        of window: PixelWindow, from whole: (width: Int, height: Int),
        to reduced: (width: Int, height: Int)
    ) {
        precondition(min(whole.width, whole.height) > 0, "an image has pixels")
        self.window = window
        columns = Ratio(reduced: reduced.width, whole: whole.width)
        rows = Ratio(reduced: reduced.height, whole: whole.height)
    }

    /// The reduced pixels that hold the window; those at its edges may hold more than it.
    package var reducedWindow: PixelWindow {
        PixelWindow(columns: columns.range(window.columns), rows: rows.range(window.rows))
    }

    /// From points of the window to points of the reduced one, each from its own top-left corner.
    package var reducedFromWindow: AffineTransform {
        AffineTransform(
            a: columns.value, b: 0, c: columns.offset(window.columns.lowerBound), d: 0,
            e: rows.value, f: rows.offset(window.rows.lowerBound))
    }
}
