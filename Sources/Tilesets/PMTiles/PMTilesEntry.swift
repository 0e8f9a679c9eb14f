/// An entry of a directory of PMTiles: tiles that follow each other and are the same, or a leaf
/// directory.
struct PMTilesEntry: Hashable, Sendable, BitwiseCopyable {
    /// The first tile.
    var id: TileID
    /// Where its bytes are, from the front of the tiles; those of a leaf from the front of the leaves.
    var offset: UInt64
    /// How many bytes there are, at least one.
    var length: UInt32
    /// How many tiles have these bytes; 0 for a leaf.
    var runLength: UInt32

    /// The IDs of its tiles.
    var run: Range<UInt64> { id.number..<id.number + UInt64(runLength) }
}
