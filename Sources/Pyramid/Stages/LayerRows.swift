/// Rows of one of the plan's images.
struct LayerRows: Hashable, Sendable {
    /// The layer's index in the plan.
    var layer: Int
    /// Its rows.
    var rows: Range<Int>
}
