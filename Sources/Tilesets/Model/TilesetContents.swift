/// How much a tileset holds: what tells whether a copy of it is whole.
package struct TilesetContents: Hashable, Sendable {
    /// The number of tiles.
    package var tileCount: Int
    /// A hash of all addresses and all bytes, the same in every container, in hexadecimal digits.
    package var digest: String

    /// Makes contents.
    package init(tileCount: Int, digest: String) {
        self.tileCount = tileCount
        self.digest = digest
    }
}
