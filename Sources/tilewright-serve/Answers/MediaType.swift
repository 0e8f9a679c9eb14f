import Tiling

/// What the bytes of a tile are, whatever its name ends in.
enum MediaType {
    /// The media type of a tile; nil if it begins like no image of a tile.
    static func ofTile(_ bytes: [UInt8]) -> String? { TileFormat(signatureOf: bytes)?.mediaTypes[0] }
}
