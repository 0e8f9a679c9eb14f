/// The weights of a separable resampling along both axes.
package struct SeparableWeights: Sendable {
    /// Along rows: for each column of the result.
    package let columns: AxisWeights
    /// Down columns: for each row of the result.
    package let rows: AxisWeights

    /// Makes a pair.
    package init(columns: AxisWeights, rows: AxisWeights) {
        self.columns = columns
        self.rows = rows
    }
}
