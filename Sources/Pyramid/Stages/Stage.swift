internal import Tiling

/// A run of rows of one zoom, rendered as a whole: the step in which a pyramid advances.
struct Stage: Sendable {
    /// A condition for the start: a level must have got so far.
    struct Requirement: Hashable, Sendable {
        /// The level's index, 0 the finest.
        var level: Int
        /// The row up to which (exclusive) its stages must be done.
        var rows: Int
    }

    /// The level's index in the plan, 0 the finest.
    var level: Int
    /// The rows to render, in pixels of the level; none, behind the tiles' last one, if others have rendered them.
    var rows: Range<Int>
    /// The rows of tiles that are complete with this stage.
    var tileRows: Range<Int>
    /// What must be rendered before.
    var requirements: [Requirement]
    /// The rows of images that must be in memory; none but at the finest level.
    var sources: [LayerRows]
}

/// Rows of one of the plan's images.
struct LayerRows: Hashable, Sendable {
    /// The layer's index in the plan.
    var layer: Int
    /// Its rows.
    var rows: Range<Int>
}
