package import Tiling

/// The weights of a separable resampling along both axes.
package struct SeparableWeights: Sendable {
    /// Along rows: for each column of the result.
    package let columns: AxisWeights
    /// Down columns: for each row of the result.
    package let rows: AxisWeights

    /// The columns of the result at which the kernels see nothing of what lies beyond the source;
    /// those between the first and the last of them count too.
    ///
    /// Found once, over all columns: weights that round to zero leave gaps in it near an edge, so that
    /// a part of the columns may begin and end elsewhere.
    let interiorColumns: Range<Int>

    /// Bytes of memory.
    package var bytes: Int { columns.bytes + rows.bytes }

    /// Makes a pair.
    ///
    /// - Parameter sourceWidth: columns of the source.
    package init(columns: AxisWeights, rows: AxisWeights, sourceWidth: Int) {
        self.columns = columns
        self.rows = rows
        interiorColumns = columns.interior(within: sourceWidth)
    }
}

extension SeparableWeights {
    /// All pixels of the source that a window reads, padding included.
    func reach(of window: PixelWindow) -> PixelWindow {
        PixelWindow(columns: columns.sourceReach(of: window.columns), rows: rows.sourceReach(of: window.rows))
    }

    /// Whether no edge cuts what a window reads, and it reads no rows but those of a source of so many.
    func keepColors(_ window: PixelWindow, within height: Int) -> Bool {
        columns.keepColors(window.columns) && rows.keepColors(window.rows)
            && window.rows.allSatisfy { rows.lies(within: height, at: $0) }
    }

    /// The largest window around the middle of the result no pixel of which reads across an edge of a source of some size;
    /// nil if there is none.
    package func opaqueWindow(ofSource size: (width: Int, height: Int)) -> PixelWindow? {
        guard let columns = columns.opaqueRun(within: size.width),
            let rows = rows.opaqueRun(within: size.height)
        else { return nil }
        return PixelWindow(columns: columns, rows: rows)
    }

    /// The columns of a row at which the kernels see nothing of what lies beyond the source.
    package func interior(of window: PixelWindow, row: Int, in source: SourceBand) -> Range<Int> {
        let none = window.columns.lowerBound..<window.columns.lowerBound
        guard rows.lies(within: source.height, at: row) else { return none }
        if source.columnsPerTurn != nil { return window.columns }
        return interiorColumns.clamped(to: window.columns)
    }
}

extension AxisWeights {
    /// Whether a result pixel reads nothing but pixels of a source.
    fileprivate func lies(within size: Int, at pixel: Int) -> Bool {
        let reads = sourcePixels(of: pixel)
        return reads.lowerBound >= 0 && reads.upperBound <= size
    }

    /// The run of result pixels around the middle one whose weights add up to 1, over pixels of a source alone.
    fileprivate func opaqueRun(within size: Int) -> Range<Int>? {
        func isOpaque(_ pixel: Int) -> Bool { keepColors(pixel..<pixel + 1) && lies(within: size, at: pixel) }
        let middle = (pixels.lowerBound + pixels.upperBound) / 2
        guard pixels.contains(middle), isOpaque(middle) else { return nil }
        let before = (pixels.lowerBound..<middle).last { !isOpaque($0) }
        let behind = (middle..<pixels.upperBound).first { !isOpaque($0) }
        return (before.map { $0 + 1 } ?? pixels.lowerBound)..<(behind ?? pixels.upperBound)
    }

    /// From the first result pixel that reads nothing but pixels of a source to the last.
    func interior(within size: Int) -> Range<Int> {
        guard let first = pixels.first(where: { lies(within: size, at: $0) }),
            let last = pixels.last(where: { lies(within: size, at: $0) })
        else { return pixels.lowerBound..<pixels.lowerBound }
        return first..<last + 1
    }
}
