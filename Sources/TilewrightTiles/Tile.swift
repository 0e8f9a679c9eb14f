public import Foundation

/// What an archive answers for an address.
public enum Tile: Hashable, Sendable {
    /// There is a tile: the bytes of its file, a PNG, JPEG or WebP.
    case picture(Data)
    /// There is no tile, and none will come.
    case never
}

/// Why there is no answer now: ask again later.
public struct TileError: LocalizedError, Hashable, Sendable {
    /// What kind of thing happened.
    public enum Kind: Hashable, Sendable {
        /// No network, a time-out, or a server that is busy: it ends by itself.
        case notNow
        /// The server refuses to answer, such as with status 403: a bucket is private, or a key ran out.
        case denied
        /// There is no archive or index at this address.
        case missing
        /// The archive or index is damaged, or of a kind or version that this code does not read.
        case unreadable
        /// A tile is not a picture, such as the page of a network that asks for a password.
        case noPicture
    }

    /// What kind of thing happened.
    public let kind: Kind
    /// What happened, in one line.
    public let reason: String
    /// Whether it does not end by itself, so that somebody should be told.
    public var isFault: Bool { kind != .notNow }
    /// The reason.
    public var errorDescription: String? { reason }

    init(_ kind: Kind, _ reason: String) { (self.kind, self.reason) = (kind, reason) }
}

/// Called with what will not end by itself, once for each kind of it.
public typealias FaultHandler = @Sendable (TileError) -> Void

/// The address of a tile; rows count from the north.
struct TileAddress: Hashable, Sendable, CustomStringConvertible {
    let zoom, column, row: Int

    /// Nil if there is no such tile in the world.
    init?(zoom: Int, column: Int, row: Int) {
        guard 0...30 ~= zoom, 0..<1 << zoom ~= column, 0..<1 << zoom ~= row else { return nil }
        (self.zoom, self.column, self.row) = (zoom, column, row)
    }

    var rowFromSouth: Int { (1 << zoom) - 1 - row }
    var description: String { "\(zoom)/\(column)/\(row)" }
}

extension Tile {
    /// The longest file that is taken for a tile.
    static let longest = 64 << 20
    /// How a PNG, JPEG, GIF and WebP begin.
    private static let beginnings: [[UInt8]] = [
        [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8], Array("GIF8".utf8), Array("RIFF".utf8),
    ]

    /// A tile of these bytes; without bytes there is none. Throws a `TileError` if they are not a picture.
    init(_ bytes: Data?, at address: TileAddress) throws {
        guard let bytes, !bytes.isEmpty else { self = .never; return }
        guard Self.beginnings.contains(where: { bytes.starts(with: $0) }) else {
            throw TileError(.noPicture, "the answer for tile \(address) is not a picture")
        }
        self = .picture(bytes)
    }
}
