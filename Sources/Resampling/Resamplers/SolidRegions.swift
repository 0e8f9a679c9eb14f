package import Tiling

/// A window in parts: those that are of one colour, and the rest.
package struct SolidRegions {
    /// Parts of one colour each.
    package private(set) var uniform: [(part: PixelWindow, color: DeepColor)] = []
    /// All other parts.
    package private(set) var mixed: [PixelWindow] = []

    /// Asks for the colour of each square of a window, and joins those that have none to large parts, and neighbours of
    /// one colour in a row of squares.
    ///
    /// - Parameters:
    ///   - window: what is to be parted.
    ///   - size: pixels along the edge of a square; squares are anchored to the world.
    ///   - color: the colour of a square, as far as it lies in the window, by its place in squares from the window's
    ///     first.
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

    /// Nothing is known to be of one colour.
    private init(mixed window: PixelWindow) { mixed = [window] }

    /// Adds a square: to the one before if that is the same but for its columns.
    private mutating func addUniform(_ square: PixelWindow, _ color: DeepColor) {
        guard let (last, lastColor) = uniform.last, lastColor == color, last.rows == square.rows,
            last.columns.upperBound == square.columns.lowerBound
        else { return uniform.append((square, color)) }
        uniform[uniform.count - 1].part.columns = last.columns.lowerBound..<square.columns.upperBound
    }

    /// Adds columns of some rows: to those above if they are the same.
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
}

extension SolidRegions {
    /// Parts a window of a zoom, whose kernels read an upright image: the rows that they need are there.
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

    /// Parts a window of cells whose colours are known; of nil, none is.
    package init(of window: PixelWindow, in colors: CellColors?) {
        guard let colors else {
            self.init(mixed: window)
            return
        }
        self.init(of: window, size: CellColors.size) { square, _, _ in
            colors.color(of: square)
        }
    }

    /// Parts a window of the pixels that a band is halved to.
    ///
    /// - Parameter cells: cells of the band along the edge of a square: 1 or 2.
    init(of window: PixelWindow, halving band: LevelBand, cells: Int) {
        guard let colors = band.colors else {
            self.init(mixed: window)
            return
        }
        self.init(of: window, size: CellColors.size / 2 * cells) { square, _, _ in
            let fine = PixelWindow(columns: square.columns.doubled, rows: square.rows.doubled)
            // What lies beyond the band is transparent.
            guard fine.intersection(band.window) == fine else { return nil }
            return colors.color(of: fine)
        }
    }
}

extension Range<Int> {
    fileprivate var doubled: Range<Int> { lowerBound * 2..<upperBound * 2 }
}

extension AxisWeights {
    /// The source pixels that runs of result pixels read; nil if an edge of the source cuts through them.
    fileprivate func reads(by runs: [Range<Int>]) -> [Range<Int>?] {
        runs.map { run in
            guard keepColors(run) else { return nil }
            return run.dropFirst().reduce(sourcePixels(of: run.lowerBound)) {
                $0.hull(with: sourcePixels(of: $1))
            }
        }
    }
}
