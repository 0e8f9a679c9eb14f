package import Tiling

/// Which cells of a band's window are of one colour, as far as is known: squares that are anchored to the world.
///
/// Whoever fills a cell says so; whoever reads pixels may ask before.
package final class CellColors: @unchecked Sendable {
    // Unchecked: a worker has one, and is used by one task at a time.

    /// Pixels along the edge of a cell: twice a block of a source, so that the blocks that its kernels touch beyond its
    /// edges are few beside those within.
    package static let size = 2 * UniformBlocks.columns

    private var window = PixelWindow(columns: 0..<0, rows: 0..<0)
    private var columns = 0..<0
    private var rows = 0..<0
    private var colors: [DeepColor?] = []

    /// Whether whoever reads pixels of a cell asks for its colour first, so that the pixels themselves need not be
    /// written.
    let standForPixels: Bool

    /// Knows of no cell.
    package init(standForPixels: Bool) { self.standForPixels = standForPixels }

    /// Forgets all, and begins with another window.
    package func begin(_ window: PixelWindow) {
        self.window = window
        columns = Self.cells(window.columns)
        rows = Self.cells(window.rows)
        colors.removeAll(keepingCapacity: true)
        colors.append(contentsOf: repeatElement(nil, count: columns.count * rows.count))
    }

    private static func cells(_ pixels: Range<Int>) -> Range<Int> {
        floorDivide(pixels.lowerBound, size)..<floorDivide(pixels.upperBound + size - 1, size)
    }

    /// Takes note of the colour of a part, as far as it is all that the window has of some cells.
    ///
    /// - Returns: whether that is all of the part.
    func note(_ part: PixelWindow, _ color: DeepColor) -> Bool {
        var noted = 0
        for row in Self.cells(part.rows) {
            for column in Self.cells(part.columns) {
                let cell = PixelWindow(
                    columns: column * Self.size..<(column + 1) * Self.size,
                    rows: row * Self.size..<(row + 1) * Self.size
                ).intersection(window)
                guard cell.intersection(part) == cell else { continue }
                colors[index(column, row)] = color
                noted += cell.width * cell.height
            }
        }
        return noted == part.width * part.height
    }

    /// The colour of a cell, by its place in the world in cells; nil if it is not known to have one.
    func color(column: Int, row: Int) -> DeepColor? {
        columns.contains(column) && rows.contains(row) ? colors[index(column, row)] : nil
    }

    private func index(_ column: Int, _ row: Int) -> Int {
        (row - rows.lowerBound) * columns.count + column - columns.lowerBound
    }
}
