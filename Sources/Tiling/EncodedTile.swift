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
/// A sink has one owner, which writes tiles one after another, each address at most once, and then calls
/// `finish` of the concrete type.
package protocol TileSink {
    /// The tiles that an interrupted run of the same job left here: they need not be encoded again.
    var staged: Set<TileCoordinate> { get }

    /// Writes a tile.
    mutating func write(_ tile: EncodedTile) throws

    /// Keeps the packed deep pixels of a tile, for builds that make lower zooms from them later.
    mutating func keep(_ pixels: EncodedTile) throws
}

extension TileSink {
    /// Only builds that keep pixels call it.
    package mutating func keep(_ pixels: EncodedTile) { preconditionFailure("this sink takes only tiles") }
}

/// The file type of a tileset's tiles.
public enum TileFormat: String, CaseIterable, Codable, Sendable {
    /// PNG, lossless.
    case png
    /// JPEG, opaque.
    case jpeg
    /// WebP, lossy or lossless.
    case webp
    /// JPEG for opaque tiles and PNG for others, with the same extension.
    case auto

    /// The extension of the tiles' names, without a dot. It is `jpg` for JPEG, since mb-util and PMTiles know
    /// only this.
    public var fileExtension: String {
        switch self {
        case .png, .auto: "png"
        case .jpeg: "jpg"
        case .webp: "webp"
        }
    }

    /// The media types of the tiles; that of the extension is first.
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
    /// Recognises a file type by its first bytes; nil if they are not those of a tile's file type.
    ///
    /// The signatures are those of the PNG specification (5.2), of JFIF (SOI and the first byte of the next
    /// marker) and of WebP's container (RIFF, four bytes of length, WEBP).
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

    /// The file types in a tileset of this format.
    package var members: Set<TileFormat> { self == .auto ? [.png, .jpeg] : [self] }

    /// The format of a tileset with tiles of several types, or nil if there is no such format.
    package init?(holding types: Set<TileFormat>) {
        let format = Self.allCases.first { types.isSubset(of: $0.members) }
        guard let format, !types.isEmpty else { return nil }
        self = format
    }
}
