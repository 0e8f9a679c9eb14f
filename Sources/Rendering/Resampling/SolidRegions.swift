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

    /// Pixels along the edge of a square: twice a block of a source, so that the kernels of a square's pixels
    /// touch few blocks outside of it.
    static let squareSize = 2 * SourceRows.blockColumns

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
        let size = Self.squareSize
        let (across, down) = (
            weights.columns.reads(by: window.columns.cut(every: size)),
            weights.rows.reads(by: window.rows.cut(every: size))
        )
        self.init(of: window, size: size) { _, column, row in
            guard let columns = across[column], let rows = down[row] else { return nil }
            return source.uniformColor(of: PixelWindow(columns: columns, rows: rows), with: kernels)
        }
    }
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
