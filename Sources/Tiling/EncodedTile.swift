/// A tile as bytes of an image file, and its address.
public struct EncodedTile: Hashable, Sendable {
    /// The tile's address.
    public var coordinate: TileCoordinate
    /// The bytes of an image file.
    public var bytes: [UInt8]

    /// Makes an encoded tile.
    public init(coordinate: TileCoordinate, bytes: [UInt8]) {
        self.coordinate = coordinate
        self.bytes = bytes
    }
}

/// A destination of encoded tiles: a tree of files or an archive.
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

/// The file type of a tileset's tiles.
public enum TileFormat: String, CaseIterable, Codable, Sendable {
    /// PNG, lossless.
    case png
    /// JPEG, opaque.
    case jpeg
    /// WebP, lossy or lossless.
    case webp
    /// JPEG if a tile is opaque, PNG if it is not, under one extension.
    case auto

    /// The extension of the tiles' names, without a dot: `jpg`, because mb-util and PMTiles know only
    /// that.
    public var fileExtension: String {
        switch self {
        case .png, .auto: "png"
        case .jpeg: "jpg"
        case .webp: "webp"
        }
    }

    /// The media types that tiles have, the one of the extension first.
    public var mediaTypes: [String] {
        switch self {
        case .png: ["image/png"]
        case .jpeg: ["image/jpeg"]
        case .webp: ["image/webp"]
        case .auto: ["image/png", "image/jpeg"]
        }
    }
}

extension TileFormat {
    /// The file type that bytes begin like, or nil if they begin like no image of a tile.
    ///
    /// The signatures are those of the PNG specification (5.2), of JFIF (SOI and the next marker's
    /// first byte) and of WebP's container (RIFF, four bytes of length, WEBP).
    package init?(signatureOf bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }

    /// The file types that a tileset of this format holds.
    package var members: Set<TileFormat> { self == .auto ? [.png, .jpeg] : [self] }

    /// The format of a tileset with tiles of some types, or nil if no client could tell them.
    package init?(holding types: Set<TileFormat>) {
        let format = Self.allCases.first { types.isSubset(of: $0.members) }
        guard let format, !types.isEmpty else { return nil }
        self = format
    }
}
