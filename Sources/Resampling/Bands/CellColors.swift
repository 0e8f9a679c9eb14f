package import Tiling

/// Which cells of a band are of one colour, as far as is known: squares that are anchored to the world.
///
/// Whoever fills a cell says so; whoever reads pixels may ask before.
package final class CellColors: @unchecked Sendable {
    // Unchecked: the task that fills all of a cell is the only one that writes it, and who asks waits for that task, as
    // for the cell's pixels.

    /// Pixels along the edge of a cell: twice a block of a source, so that the blocks that its kernels touch beyond its
    /// edges are few beside those within.
    package static let size = 2 * UniformBlocks.columns

    private struct Cell {
        /// The row of cells that the colour was noted for; another one may be meant by now.
        var row: Int
        var color: DeepColor
    }

    private var window = PixelWindow(columns: 0..<0, rows: 0..<0)
    private var columns = 0..<0
    /// Rows of cells that are known at a time; they follow each other in a ring.
    private var capacity = 1
    private var memory = Scratch<Cell>()
    private var cells: UnsafeMutablePointer<Cell>

    /// Whether whoever reads pixels of a cell asks for its colour first, so that the pixels themselves need not be
    /// written.
    let standForPixels: Bool

    /// Knows of no cell.
    package init(standForPixels: Bool) {
        self.standForPixels = standForPixels
        cells = memory.room(1)
    }

    /// Knows of no cell of a ring, which holds so many rows of a window.
    package convenience init(ofRing window: PixelWindow, capacity: Int, standForPixels: Bool) {
        self.init(standForPixels: standForPixels)
        begin(window, capacity: capacity)
    }

    /// Forgets all, and begins with another window, so many rows of which are known at a time.
    package func begin(_ window: PixelWindow, capacity: Int) {
        self.window = window
        columns = Self.cells(window.columns)
        self.capacity = Self.rows(capacity)
        cells = memory.room(columns.count * self.capacity)
        cells.update(
            repeating: Cell(row: .min, color: .transparent), count: columns.count * self.capacity)
    }

    /// Rows of cells that some rows of pixels touch, at most.
    private static func rows(_ pixels: Int) -> Int { (pixels + size - 1) / size + 1 }

    /// Bytes for a ring.
    package static func bytes(width: Int, capacity: Int) -> Int {
        rows(width) * rows(capacity) * MemoryLayout<Cell>.stride
    }

    private static func cells(_ pixels: Range<Int>) -> Range<Int> {
        floorDivide(pixels.lowerBound, size)..<floorDivide(pixels.upperBound + size - 1, size)
    }

    /// Takes note of the colour of a part, as far as it is all that the window has of some cells.
    ///
    /// - Returns: whether colours stand for all of the part. They do not for cells that an edge of the window cuts:
    ///   halving reads their pixels together with what lies beyond.
    package func note(_ part: PixelWindow, _ color: DeepColor) -> Bool {
        var noted = 0
        for row in Self.cells(part.rows) {
            for column in Self.cells(part.columns) {
                let cell = PixelWindow(
                    columns: column * Self.size..<(column + 1) * Self.size,
                    rows: row * Self.size..<(row + 1) * Self.size)
                let inside = cell.intersection(window)
                guard inside.intersection(part) == inside else { continue }
                cells[index(column, row)] = Cell(row: row, color: color)
                if inside == cell { noted += cell.width * cell.height }
            }
        }
        return noted == part.width * part.height
    }

    /// The colour of a cell, by its place in the world in cells; nil if it is not known to have one.
    func color(column: Int, row: Int) -> DeepColor? {
        guard columns.contains(column) else { return nil }
        let cell = cells[index(column, row)]
        return cell.row == row ? cell.color : nil
    }

    /// The colour of some pixels, if all the cells that they lie in are known to have it.
    func color(of pixels: PixelWindow) -> DeepColor? {
        let (columns, rows) = (Self.cells(pixels.columns), Self.cells(pixels.rows))
        guard let first = color(column: columns.lowerBound, row: rows.lowerBound) else { return nil }
        for row in rows {
            for column in columns where color(column: column, row: row) != first { return nil }
        }
        return first
    }

    private func index(_ column: Int, _ row: Int) -> Int {
        (row - floorDivide(row, capacity) * capacity) * columns.count + column - columns.lowerBound
    }
}
