/// The source positions of a block of pixels of the result, row by row: columns and rows of the
/// source from its top-left corner; not a number if a pixel has no source.
package struct SourcePositions {
    /// Pixels per row of the block.
    package var width: Int
    /// Rows of the block.
    package var height: Int
    /// Source columns.
    package var columns: [Double]
    /// Source rows.
    package var rows: [Double]
    /// How they change; one for the block, which is small.
    package var jacobian: Jacobian

    /// Makes a block of positions; both arrays hold `width * height` elements.
    package init(
        width: Int, height: Int, columns: [Double], rows: [Double], jacobian: Jacobian
    ) {
        self.width = width
        self.height = height
        self.columns = columns
        self.rows = rows
        self.jacobian = jacobian
    }
}
