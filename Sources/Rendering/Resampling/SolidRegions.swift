package import Tiling

/// The parts of a window: those with a single colour, and the rest.
package struct SolidRegions {
    /// The single-coloured parts.
    package private(set) var uniform: [(part: PixelWindow, color: DeepColor)] = []
    /// All other parts.
    package private(set) var mixed: [PixelWindow] = []

    /// Asks for the colour of each square of a window. In a row of squares, joins neighbours without a
    /// colour, and those with the same colour; joins equal parts without a colour of successive rows.
    ///
    /// - Parameters:
    ///   - size: pixels along the edge of a square; squares are anchored to the world.
    ///   - color: the colour of a square, as far as it is inside the window, by its column and row among the
    ///     window's squares.
    init(
        of window: PixelWindow, size: Int,
        color: (_ square: PixelWindow, _ column: Int, _ row: Int) -> DeepColor?
    ) {
        let columns = window.columns.cut(every: size)
        for (row, rows) in window.rows.cut(every: size).enumerated() {
            var rest: [Range<Int>] = []
            for (column, columns) in columns.enumerated() {
                let square = PixelWindow(columns: columns, rows: rows)
                if let color = color(square, column, row) {
                    addUniform(square, color)
                } else if let last = rest.last, last.upperBound == columns.lowerBound {
                    rest[rest.count - 1] = last.lowerBound..<columns.upperBound
                } else {
                    rest.append(columns)
                }
            }
            addMixed(rest, rows)
        }
    }

    /// No single-coloured parts are known.
    private init(mixed window: PixelWindow) { mixed = [window] }

    /// Adds a square: to the last part if that is on its left, in the same rows and with the same colour.
    private mutating func addUniform(_ square: PixelWindow, _ color: DeepColor) {
        guard let (last, lastColor) = uniform.last, lastColor == color, last.rows == square.rows,
            last.columns.upperBound == square.columns.lowerBound
        else { return uniform.append((square, color)) }
        uniform[uniform.count - 1].part.columns = last.columns.lowerBound..<square.columns.upperBound
    }

    /// Adds the mixed columns of a row of squares. If the row above has the same, its parts grow downwards.
    private mutating func addMixed(_ columns: [Range<Int>], _ rows: Range<Int>) {
        let above = mixed.suffix(columns.count)
        let areSame =
            above.map(\.columns) == columns && above.allSatisfy { $0.rows.upperBound == rows.lowerBound }
        guard areSame else {
            mixed += columns.map { PixelWindow(columns: $0, rows: rows) }
            return
        }
        for index in above.indices { mixed[index].rows = mixed[index].rows.lowerBound..<rows.upperBound }
    }

    /// Divides a window of a zoom that is resampled from an upright image, rows and columns separately. The
    /// rows that it needs must be in memory.
    init(
        of window: PixelWindow, from source: SourceBand, weights: SeparableWeights, with kernels: Kernels
    ) {
        guard source.knowsColors else {
            self.init(mixed: window)
            return
        }
        let size = CellColors.size
        let (across, down) = (
            weights.columns.reads(by: window.columns.cut(every: size)),
            weights.rows.reads(by: window.rows.cut(every: size))
        )
        self.init(of: window, size: size) { _, column, row in
            guard let columns = across[column], let rows = down[row] else { return nil }
            return source.uniformColor(of: PixelWindow(columns: columns, rows: rows), with: kernels)
        }
    }

    /// Divides a window of a band into cells with known colours, and the rest.
    init(of window: PixelWindow, in band: LevelBand) {
        guard let colors = band.colors else {
            self.init(mixed: window)
            return
        }
        self.init(of: window, size: CellColors.size) { square, _, _ in
            colors.color(of: square)
        }
    }

    /// Divides a window of the zoom that is made by halving a band.
    ///
    /// - Parameter cells: cells of the band along the edge of a square: 1 or 2.
    init(of window: PixelWindow, halving band: LevelBand, cells: Int) {
        guard let colors = band.colors else {
            self.init(mixed: window)
            return
        }
        self.init(of: window, size: CellColors.size / 2 * cells) { square, _, _ in
            let fine = PixelWindow(
                columns: square.columns.multiplied(by: 2), rows: square.rows.multiplied(by: 2))
            // Pixels beyond the band are transparent.
            guard fine.intersection(band.window) == fine else { return nil }
            return colors.color(of: fine)
        }
    }
}

extension Range<Int> {
    /// The cells of `size` pixels, anchored to the world, that the range touches.
    package func cells(of size: Int) -> Range<Int> {
        floorDivide(lowerBound, size)..<floorDivide(upperBound + size - 1, size)
    }

    /// The pixels of a range of cells of `size` pixels.
    package func multiplied(by size: Int) -> Range<Int> { lowerBound * size..<upperBound * size }
}

extension AxisWeights {
    /// The source pixels that runs of result pixels read; nil if a run crosses an edge of the source.
    fileprivate func reads(by runs: [Range<Int>]) -> [Range<Int>?] {
        runs.map { run in
            guard keepColors(run) else { return nil }
            return run.dropFirst().reduce(sourcePixels(of: run.lowerBound)) {
                $0.hull(with: sourcePixels(of: $1))
            }
        }
    }
}

/// The single-coloured cells of a band, as far as they are known; cells are squares anchored to the world.
///
/// Code that fills a cell records its colour; code that reads pixels may ask for it first.
final class CellColors: @unchecked Sendable {
    // Unchecked: only the task that fills all of a cell writes it; others wait for that task, as for the
    // cell's pixels.

    /// Pixels along the edge of a cell: twice a block of a source, so that the kernels of a cell's pixels
    /// touch few blocks outside the cell.
    static let size = 2 * SourceRows.blockColumns

    private struct Cell {
        /// The row of cells for which the colour was recorded; the slot may be needed for another row by now.
        var row: Int
        var color: DeepColor
    }

    private var window = PixelWindow(columns: 0..<0, rows: 0..<0)
    private var columns = 0..<0
    /// The number of rows of cells that are known at a time, in a ring.
    private var capacity = 1
    private var memory = Scratch<Cell>()
    private var cells: UnsafeMutablePointer<Cell>

    /// Starts without known cells, for a ring that holds `capacity` rows of pixels of a window.
    init(_ window: PixelWindow, capacity: Int) {
        cells = memory.room(1)
        begin(window, capacity: capacity)
    }

    /// Forgets everything, and begins a window of which `capacity` rows of pixels are known at a time.
    func begin(_ window: PixelWindow, capacity: Int) {
        self.window = window
        columns = Self.cells(window.columns)
        self.capacity = Self.rows(capacity)
        cells = memory.room(columns.count * self.capacity)
        cells.update(
            repeating: Cell(row: .min, color: .transparent), count: columns.count * self.capacity)
    }

    /// The maximum number of rows of cells that some rows of pixels touch.
    private static func rows(_ pixels: Int) -> Int { (pixels + size - 1) / size + 1 }

    /// Bytes for a ring of `capacity` rows of `width` pixels.
    static func bytes(width: Int, capacity: Int) -> Int {
        rows(width) * rows(capacity) * MemoryLayout<Cell>.stride
    }

    private static func cells(_ pixels: Range<Int>) -> Range<Int> { pixels.cells(of: size) }

    /// Records the colour of a part, for cells whose pixels in the window are all in the part.
    func note(_ part: PixelWindow, _ color: DeepColor) {
        for row in Self.cells(part.rows) {
            for column in Self.cells(part.columns) {
                let cell = PixelWindow(
                    columns: (column..<column + 1).multiplied(by: Self.size),
                    rows: (row..<row + 1).multiplied(by: Self.size))
                let inside = cell.intersection(window)
                if inside.intersection(part) == inside {
                    cells[index(column, row)] = Cell(row: row, color: color)
                }
            }
        }
    }

    /// The colour of a cell, by its column and row in the world; nil if it is not known to be of one colour.
    func color(column: Int, row: Int) -> DeepColor? {
        guard columns.contains(column) else { return nil }
        let cell = cells[index(column, row)]
        return cell.row == row ? cell.color : nil
    }

    /// The colour of some pixels, if all their cells are known to have it.
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
