/// How much a tileset holds: what tells whether a copy of it is whole.
public struct TilesetContents: Hashable, Sendable {
    /// The number of tiles.
    public var tileCount: Int
    /// A hash of all addresses and all bytes, the same in every container, in hexadecimal digits.
    public var digest: String

    /// Makes contents.
    public init(tileCount: Int, digest: String) {
        self.tileCount = tileCount
        self.digest = digest
    }
}
