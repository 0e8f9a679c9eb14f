internal import CKernels

/// Counts the pixels that a pixel of the result covers, and takes the most frequent.
struct ModeScratch {
    private let reach: (columns: Int, rows: Int)
    private let values: [UInt64]

    /// Prepares for a Jacobian: the box around the result's pixel, an odd number of pixels wide.
    init(_ jacobian: Jacobian) {
        reach = (Int(jacobian.columnReach), Int(jacobian.rowReach))
        values = Array(repeating: 0, count: (2 * reach.columns + 1) * (2 * reach.rows + 1))
    }

    /// Renders a row of pixels.
    func render(
        _ area: cr_window, _ x: UnsafePointer<Int32>, _ y: UnsafePointer<Int32>,
        into result: DeepPixels, count: Int
    ) {
        var values = values
        var counts = values.map { _ in UInt32(0) }
        cr_mode_row(
            area, x, y, Int32(reach.columns), Int32(reach.rows), &values, &counts, result, count)
    }
}
