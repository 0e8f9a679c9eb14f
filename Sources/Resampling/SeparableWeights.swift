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

    /// Makes a pair.
    ///
    /// - Parameter sourceWidth: columns of the source.
    package init(columns: AxisWeights, rows: AxisWeights, sourceWidth: Int) {
        self.columns = columns
        self.rows = rows
        interiorColumns = columns.interior(within: sourceWidth)
    }
}
