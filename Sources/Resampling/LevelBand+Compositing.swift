internal import CKernels

extension LevelBand {
    /// Lays pixels of another band over the pixels of this one.
    ///
    /// - Parameters:
    ///   - columns: the pixels of the row.
    ///   - interior: the columns at which the upper image is whole. Elsewhere its edge cuts through
    ///     what a kernel reads; a pixel there is joined with the one below, which the same edge may
    ///     have cut.
    package func lay(
        _ above: LevelBand, row: Int, columns: Range<Int>, interior: Range<Int>
    ) {
        let whole = interior.clamped(to: columns)
        join(above, row: row, columns: columns.lowerBound..<whole.lowerBound)
        cr_lay_over(
            above.pixel(column: whole.lowerBound, row: row),
            pixel(column: whole.lowerBound, row: row), whole.count)
        join(above, row: row, columns: whole.upperBound..<columns.upperBound)
    }

    private func join(_ above: LevelBand, row: Int, columns: Range<Int>) {
        cr_join(
            above.pixel(column: columns.lowerBound, row: row),
            pixel(column: columns.lowerBound, row: row), columns.count)
    }
}
