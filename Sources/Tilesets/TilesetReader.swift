package import Tiling

/// A finished tileset, of whatever container.
package protocol TilesetReader: Sendable {
    /// The path that the user gave.
    var path: String { get }

    /// What it says of itself.
    ///
    /// - Throws: `.badInput` where that is missing or damaged.
    func statement() throws -> TilesetStatement

    /// The tiles that exist, per zoom from the lowest; two entries at a zoom across the antimeridian.
    func limits() throws -> [TileMatrixLimits]

    /// Lends each tile once, in the container's order; one tile is in memory at a time.
    ///
    /// - Throws: `.badInput` where the container is damaged, and whatever `body` throws.
    func forEachTile(_ body: (EncodedTile) throws -> Void) throws

    /// Looks for what is wrong with the container, whatever its tiles hold: damaged directories,
    /// wrong counts, tiles that are missing or doubled, what does not belong there.
    ///
    /// - Throws: only where it cannot go on, as when a disk fails.
    func check(_ report: (TilesetFault) -> Void) throws
}
