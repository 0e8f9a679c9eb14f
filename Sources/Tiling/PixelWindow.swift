/// A rectangle of whole pixels; rows grow south.
public struct PixelWindow: Hashable, Codable, Sendable {
    /// The columns inside.
    public var columns: Range<Int>
    /// The rows inside.
    public var rows: Range<Int>

    /// Makes a window from its columns and rows.
    public init(columns: Range<Int>, rows: Range<Int>) {
        self.columns = columns
        self.rows = rows
    }

    /// The number of columns.
    public var width: Int { columns.count }

    /// The number of rows.
    public var height: Int { rows.count }

    /// Whether it has no pixels.
    public var isEmpty: Bool { columns.isEmpty || rows.isEmpty }

    /// The pixels that are in both windows.
    public func intersection(_ other: PixelWindow) -> PixelWindow {
        PixelWindow(columns: columns.clamped(to: other.columns), rows: rows.clamped(to: other.rows))
    }

    /// The pixels of the next lower zoom to which these pixels are reduced.
    package var halved: PixelWindow { PixelWindow(columns: columns.halved, rows: rows.halved) }
}

extension PixelWindow {
    /// The corners from the top left, clockwise.
    package var corners: [Point] { BoundingBox(self).corners }

    /// The smallest window around two windows.
    package func hull(with other: PixelWindow) -> PixelWindow {
        PixelWindow(columns: columns.hull(with: other.columns), rows: rows.hull(with: other.rows))
    }
}

extension Range<Int> {
    /// The cells of `size` pixels, anchored to the world, that the range touches.
    package func cells(of size: Int) -> Range<Int> {
        floorDivide(lowerBound, size)..<floorDivide(upperBound + size - 1, size)
    }

    /// The pixels of a range of cells of `size` pixels.
    package func multiplied(by size: Int) -> Range<Int> { lowerBound * size..<upperBound * size }

    /// The range moved by a distance.
    package func moved(by distance: Int) -> Range<Int> {
        lowerBound + distance..<upperBound + distance
    }

    /// The pixels of the next lower zoom to which these pixels are reduced.
    package var halved: Range<Int> { floorDivide(lowerBound, 2)..<floorDivide(upperBound + 1, 2) }

    /// The shortest range around two ranges.
    package func hull(with other: Range<Int>) -> Range<Int> {
        Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
    }

    /// The range cut at the multiples of a number.
    package func cut(every size: Int) -> [Range<Int>] {
        stride(from: floorDivide(lowerBound, size) * size, to: upperBound, by: size).map {
            ($0..<$0 + size).clamped(to: self)
        }
    }
}

/// A window of an image that is read at a reduced size.
package struct Reduction: Hashable, Sendable {
    /// The window, in pixels of the image.
    package let window: PixelWindow

    private let columns: Ratio
    private let rows: Ratio

    /// The ratio of reduced pixels to those of the image, along an axis.
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

    /// A reduction to one pixel for each square of `factor` by `factor` pixels, counted from the image's
    /// top-left corner.
    package init(of window: PixelWindow, by factor: Int) {
        precondition(factor > 0, "a square has an edge")
        self.window = window
        columns = Ratio(reduced: 1, whole: factor)
        rows = columns
    }

    /// A reduction to an image of another size that covers the whole image, corner to corner.
    package init(
        of window: PixelWindow, from whole: (width: Int, height: Int),
        to reduced: (width: Int, height: Int)
    ) {
        precondition(min(whole.width, whole.height) > 0, "an image has pixels")
        self.window = window
        columns = Ratio(reduced: reduced.width, whole: whole.width)
        rows = Ratio(reduced: reduced.height, whole: whole.height)
    }

    /// The reduced pixels that contain the window; at its edges, they may contain more than the window.
    package var reducedWindow: PixelWindow {
        PixelWindow(columns: columns.range(window.columns), rows: rows.range(window.rows))
    }

    /// From points of the window to points of the reduced window, each from its own top-left corner.
    package var reducedFromWindow: AffineTransform {
        AffineTransform(
            a: columns.value, b: 0, c: columns.offset(window.columns.lowerBound), d: 0,
            e: rows.value, f: rows.offset(window.rows.lowerBound))
    }
}
