public import Foundation

/// The tiles of a tileset: a PMTiles or MBTiles archive, or a folder, in the app or on a server.
///
///     let archive = try await TileArchive(url)
///     switch try await archive.tile(zoom: 20, column: 873912, row: 431207) {
///     case .picture(let data): …
///     case .never: …
///     }
///
/// On a server, a tile is one request after the archive's directories; in the app, the archive is opened for
/// each tile. So archives may be replaced. All methods may be called from several threads.
public final class TileArchive: Sendable {
    /// The address of the archive, the folder, or its document.
    public let url: URL
    /// What a map must know about the tiles.
    public let facts: TilesetFacts
    private let source: any TileSource
    private let faults: Faults

    /// Opens an archive.
    ///
    /// - Parameters:
    ///   - url: the address of a `.pmtiles` file, also on a server that sends ranges; of an `.mbtiles` file in
    ///     the app; of a folder with `tilejson.json`, or of that document by another name.
    ///   - onFault: called once for each kind of fault: of what will not end by itself.
    public init(_ url: URL, onFault: @escaping FaultHandler = { _ in }) async throws {
        (self.url, faults) = (url, Faults(onFault))
        if ["pmtiles", "mbtiles"].contains(url.pathExtension.lowercased()) {
            source = Self.source(at: url)
        } else {
            let document = TileFolder.document(at: url)
            source = try await TileFolder(TilesetDocument.bytes(at: document), at: document)
        }
        facts = try await source.facts()
    }

    /// A `.pmtiles` or `.mbtiles` file whose tiles are known, which is opened when the first one is asked for.
    public convenience init(_ url: URL, facts: TilesetFacts, onFault: @escaping FaultHandler = { _ in }) {
        self.init(url, facts, Self.source(at: url), onFault)
    }

    /// Tiles whose addresses are known: a text with `{z}`, `{x}` and `{y}` or `{-y}`, or with `{quadkey}`. In
    /// the app it counts from a folder.
    public convenience init(
        tiles: String, in folder: URL? = nil, facts: TilesetFacts, onFault: @escaping FaultHandler = { _ in }
    ) {
        let start = folder ?? URL(string: String(tiles.prefix { $0 != "{" })) ?? URL(fileURLWithPath: "/")
        let template = TileTemplate(tiles, scheme: nil, from: TileFolder.document(at: start))
        self.init(start, facts, TileFolder(facts, template), onFault)
    }

    init(_ url: URL, _ facts: TilesetFacts, _ source: any TileSource, _ onFault: @escaping FaultHandler) {
        (self.url, self.facts, self.source, faults) = (url, facts, source, Faults(onFault))
    }

    static func source(at url: URL) -> any TileSource {
        if url.pathExtension.lowercased() == "mbtiles" { return MBTiles(url: url) }
        return url.isFileURL ? LocalPMTiles(url: url) : FarPMTiles(url)
    }

    /// The lowest and the highest zoom with a tile.
    public var zooms: ClosedRange<Int> { facts.zooms }
    /// The area of the tiles.
    public var bounds: TileBounds { facts.bounds }
    /// Pixels along the edge of a tile's file.
    public var tileSize: Int { facts.tileSize }
    /// Whether the tiles are in the app, so that `tileNow` answers.
    public var isInApp: Bool { url.isFileURL }

    /// The tile at an address; rows count from the north. Throws a `TileError` if there is no answer now.
    public func tile(zoom: Int, column: Int, row: Int) async throws -> Tile {
        guard let address = known(zoom, column, row) else { return .never }
        do { return try await Tile(source.bytes(of: address), at: address) } catch {
            throw faults.tell(error)
        }
    }

    /// The tile at an address, read at once: for tiles in the app. If they are on a server, it throws.
    public func tileNow(zoom: Int, column: Int, row: Int) throws -> Tile {
        guard let address = known(zoom, column, row) else { return .never }
        do { return try Tile(source.bytesNow(of: address), at: address) } catch { throw faults.tell(error) }
    }

    private func known(_ zoom: Int, _ column: Int, _ row: Int) -> TileAddress? {
        TileAddress(zoom: zoom, column: column, row: row).flatMap { facts.mayHave($0) ? $0 : nil }
    }
}

/// What has tiles, in the app or on a server. In the app, an archive is opened for each tile.
protocol TileSource: Sendable {
    func facts() async throws -> TilesetFacts
    /// A tile's file; nil if there is none.
    func bytes(of tile: TileAddress) async throws -> Data?
    /// A tile's file in the app, read at once; nil if there is none.
    func bytesNow(of tile: TileAddress) throws -> Data?
}

extension TileSource {
    func bytes(of tile: TileAddress) async throws -> Data? { try bytesNow(of: tile) }

    func bytesNow(of tile: TileAddress) throws -> Data? {
        throw TileError(.notNow, "the tiles are not in the app")
    }
}

/// Tells of each kind of fault once.
private final class Faults: @unchecked Sendable {
    private let lock = NSLock()
    private var kinds: Set<TileError.Kind> = []
    private let handler: FaultHandler

    init(_ handler: @escaping FaultHandler) { self.handler = handler }

    func tell(_ error: any Error) -> any Error {
        guard let error = error as? TileError, error.isFault else { return error }
        if lock.withLock({ kinds.insert(error.kind).inserted }) { handler(error) }
        return error
    }
}
