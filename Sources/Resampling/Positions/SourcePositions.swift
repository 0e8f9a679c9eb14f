internal import CKernels

/// The source positions of a block of pixels of the result, row by row: columns and rows of the
/// source from its top-left corner; not a number if a pixel has no source.
///
/// One is used for many blocks: fresh memory for each would cost as much as a tenth of rendering it.
package final class SourcePositions {
    /// Pixels per row of the block.
    package private(set) var width: Int
    /// Rows of the block.
    package private(set) var height: Int
    /// Source columns; there is room for more behind those of the block.
    package var columns: [Double]
    /// Source rows likewise.
    package var rows: [Double]
    /// How they change; one for the block, which is small.
    package private(set) var jacobian: Jacobian

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

    /// Begins another block, of whose pixels nothing is known.
    package func begin(width: Int, height: Int, jacobian: Jacobian) {
        (self.width, self.height, self.jacobian) = (width, height, jacobian)
        let missing = max(0, width * height - columns.count)
        columns.append(contentsOf: repeatElement(.nan, count: missing))
        rows.append(contentsOf: repeatElement(.nan, count: missing))
    }
}

extension Kernels {
    /// Writes positions that lie evenly on a line: `start + step * (first + index)`.
    package func interpolate(
        from start: Double, step: Double, first: Double, into result: UnsafeMutableBufferPointer<Double>
    ) {
        guard let line = result.baseAddress else { return }
        table.pointee.interpolate_row(start, step, first, line, result.count)
    }
}
