internal import Tiling

/// What a cutline leaves of a level.
struct LevelCut: Sendable {
    /// Over the pixels of the finest level.
    let mask: CutMask
    /// How many of those lie along an edge of this level's pixels.
    let scale: Int

    /// The columns of squares, in a row of them, that a polygon touches.
    ///
    /// - Parameter size: pixels of this level along a square's edge.
    func columns(inRow row: Int, ofSquares size: Int) -> RangeSet<Int> {
        mask.columns(inRow: row, ofSquares: size * scale)
    }
}
