/// What a name stands for: a finished tileset, or images.
protocol TileSource: Sendable {
    /// What people read of it when a server starts.
    var title: String { get }

    /// Opens it as it is now.
    ///
    /// - Parameter last: what it was before; nil at first.
    /// - Throws: a `Failure` if it cannot be read.
    func open(after last: ServedContent?) throws -> ServedContent
}
