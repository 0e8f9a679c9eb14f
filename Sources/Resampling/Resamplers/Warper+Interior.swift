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
