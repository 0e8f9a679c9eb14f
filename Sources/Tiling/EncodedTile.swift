/// A tile as bytes of an image file, and its address.
package struct EncodedTile: Hashable, Sendable {
    /// Where the tile lies.
    package var coordinate: TileCoordinate
    /// The bytes of an image file.
    package var bytes: [UInt8]

    /// Makes an encoded tile.
    package init(coordinate: TileCoordinate, bytes: [UInt8]) {
        self.coordinate = coordinate
        self.bytes = bytes
    }
}
