/// A tile as bytes of an image file, and its address.
public struct EncodedTile: Hashable, Sendable {
    /// Where the tile lies.
    public var coordinate: TileCoordinate
    /// The bytes of an image file.
    public var bytes: [UInt8]

    /// Makes an encoded tile.
    public init(coordinate: TileCoordinate, bytes: [UInt8]) {
        self.coordinate = coordinate
        self.bytes = bytes
    }
}
