/// What a build has made.
package struct PyramidSummary: Sendable {
    /// Tiles that went to the sink, or that an interrupted run had left there.
    package var tiles = 0
    /// Tiles of the footprint that are wholly transparent, and were left out.
    package var emptyTiles = 0
    /// Bytes of the tiles that were encoded by this run.
    package var encodedBytes = 0

    /// Counts a tile that exists.
    mutating func count(_ tile: UnitTile) {
        switch tile.content {
        case .empty:
            emptyTiles += 1
            return
        case .encoded(let bytes): encodedBytes += bytes.count
        case .staged: break
        }
        tiles += 1
    }
}
