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

/// Where encoded tiles go: a tree of files or an archive.
///
/// A sink has one owner, which writes tiles one after the other, each address at most once, and
/// then calls the `finish` of the concrete type.
package protocol TileSink {
    /// The tiles that an interrupted run of the same job left here: they need not be encoded again.
    var staged: Set<TileCoordinate> { get }

    /// Takes a tile, whole or not at all.
    mutating func write(_ tile: EncodedTile) throws

    /// Takes the deep pixels of a tile, packed, of a build that keeps those of a zoom for the zooms below it.
    mutating func keep(_ pixels: EncodedTile) throws
}

extension TileSink {
    /// Only builds that keep pixels call it.
    package mutating func keep(_ pixels: EncodedTile) { preconditionFailure("this sink takes tiles alone") }
}
