internal import Raster
package import Tiling

extension SeparableWeights {
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

    /// From the first result pixel that reads nothing but pixels of a source to the last.
    func interior(within size: Int) -> Range<Int> {
        guard let first = pixels.first(where: { lies(within: size, at: $0) }),
            let last = pixels.last(where: { lies(within: size, at: $0) })
        else { return pixels.lowerBound..<pixels.lowerBound }
        return first..<last + 1
    }
}

extension Warper {
    /// The columns of a block's row at which the kernel sees nothing of what lies beyond the source.
    package func interior(
        of positions: SourcePositions, row: Int, in source: SourceBand
    ) -> Range<Int> {
        let reach = Self.reach(of: method, at: positions.jacobian)
        let isTurn = source.columnsPerTurn != nil
        let left = isTurn ? -.infinity : Double(reach.columns)
        let right = isTurn ? .infinity : Double(source.width - reach.columns)
        let (top, bottom) = (Double(reach.rows), Double(source.height - reach.rows))
        func isInside(_ index: Int) -> Bool {
            let (x, y) = (positions.columns[index], positions.rows[index])
            return x >= left && x <= right && y >= top && y <= bottom
        }
        let indices = row * positions.width..<(row + 1) * positions.width
        guard let first = indices.first(where: isInside), let last = indices.last(where: isInside)
        else { return 0..<0 }
        return first - indices.lowerBound..<last + 1 - indices.lowerBound
    }
}
