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
    private let folder: TileFolder?
    /// A far archive, which is opened when a tile is asked for, and again if that failed or it was replaced.
    private let opening = Locked<Task<any FarTiles, any Error>?>(nil)
    private let told = Locked<Set<TileError.Kind>>([])
    private let onFault: FaultHandler

    /// Opens an archive.
    ///
    /// - Parameters:
    ///   - url: the address of a `.pmtiles` file, also on a server that sends ranges; of an `.mbtiles` file in
    ///     the app; of a folder with `tilejson.json`, or of that document by another name.
    ///   - onFault: called once for each kind of fault: of what will not end by itself.
    /// - Throws: a `TileError`.
    public init(_ url: URL, onFault: @escaping FaultHandler = { _ in }) async throws {
        (self.url, folder, self.onFault) = (url, nil, onFault)
        if url.isFileURL {
            facts = try Self.openNear(url).facts()
        } else {
            let tiles = try await Self.openFar(url)
            facts = try await tiles.facts()
            opening.withLock { $0 = Task { tiles } }
        }
    }

    /// An archive whose tiles are known, which is opened when the first tile is asked for.
    public convenience init(
        _ url: URL, facts: TilesetFacts, onFault: @escaping FaultHandler = { _ in }
    ) {
        self.init(url, facts, nil, onFault)
    }

    /// Tiles whose addresses are known: a text with `{z}`, `{x}` and `{y}` or `{-y}`, or with `{quadkey}`.
    ///
    /// - Parameter folder: that from which addresses in the app count.
    public convenience init(
        tiles: String, in folder: URL? = nil, facts: TilesetFacts, onFault: @escaping FaultHandler = { _ in }
    ) {
        let start = folder ?? URL(string: String(tiles.prefix { $0 != "{" })) ?? URL(fileURLWithPath: "/")
        let template = TileTemplate(tiles, scheme: nil, from: start.appendingPathComponent("tilejson.json"))
        self.init(start, facts, template.map { TileFolder(facts, $0) }, onFault)
    }

    /// - Parameter folder: the tiles, if they are in a folder, for which no document is needed then.
    init(_ url: URL, _ facts: TilesetFacts, _ folder: TileFolder?, _ onFault: @escaping FaultHandler) {
        (self.url, self.facts, self.folder, self.onFault) = (url, facts, folder, onFault)
    }

    /// The lowest and the highest zoom with a tile.
    public var zooms: ClosedRange<Int> { facts.zooms }
    /// The area of the tiles.
    public var bounds: TileBounds { facts.bounds }
    /// Pixels along the edge of a tile's file.
    public var tileSize: Int { facts.tileSize }
    /// Whether the tiles are in the app, so that `tileNow` answers.
    public var isInApp: Bool { url.isFileURL }

    /// The tile at an address. Rows count from the north.
    ///
    /// - Throws: a `TileError` if there is no answer now, or `CancellationError`.
    public func tile(zoom: Int, column: Int, row: Int) async throws -> Tile {
        if isInApp { return try tileNow(zoom: zoom, column: column, row: row) }
        guard let address = known(zoom, column, row) else { return .never }
        do {
            do { return try Tile(await far().bytes(of: address), at: address) } catch is Replaced {
                opening.withLock { $0 = nil }
            }
            return try Tile(await far().bytes(of: address), at: address)
        } catch { throw tell(error) }
    }

    /// The tile at an address, read at once: for tiles in the app.
    ///
    /// - Throws: a `TileError` if there is no answer now, or if the tiles are on a server.
    public func tileNow(zoom: Int, column: Int, row: Int) throws -> Tile {
        guard let address = known(zoom, column, row) else { return .never }
        do {
            guard isInApp else { throw TileError(.notNow, "\(url.absoluteString) is not in the app") }
            // To open it takes less time than to decode the tile.
            let tiles = try folder ?? Self.openNear(url)
            return try Tile(tiles.bytesNow(of: address), at: address)
        } catch { throw tell(error) }
    }

    private func known(_ zoom: Int, _ column: Int, _ row: Int) -> TileAddress? {
        let address = TileAddress(zoom: zoom, column: column, row: row)
        return address.flatMap { facts.mayHave($0) ? $0 : nil }
    }

    /// Tells of a fault once.
    private func tell(_ error: any Error) -> any Error {
        if error is Replaced { return TileError(.notNow, "\(url.absoluteString) is being replaced") }
        if let error = error as? TileError, error.isFault, told.withLock({ $0.insert(error.kind).inserted }) {
            onFault(error)
        }
        return error
    }

    /// The far archive; all who ask wait for the same opening.
    private func far() async throws -> any FarTiles {
        if let folder { return folder }
        let opening = opening.withLock { task in
            let opening = task ?? Task { [url] in try await Self.openFar(url) }
            task = opening
            return opening
        }
        do { return try await opening.value } catch {
            self.opening.withLock { if $0 == opening { $0 = nil } }
            throw error
        }
    }

    private static func openNear(_ url: URL) throws -> any NearTiles {
        switch url.pathExtension.lowercased() {
        case "pmtiles": return try NearPMTiles(url)
        case "mbtiles": return try MBTiles(url)
        default:
            let document = url.tileJSON
            return try TileFolder(
                LocalFile.contents(of: document, limit: TilesetDocument.longest), at: document)
        }
    }

    private static func openFar(_ url: URL) async throws -> any FarTiles {
        switch url.pathExtension.lowercased() {
        case "pmtiles": return try await FarPMTiles(url)
        case "mbtiles":
            throw TileError(.unreadable, "\(url.absoluteString): MBTiles are only read inside the app")
        default:
            let document = url.tileJSON
            let answer = try await Web.get(document, isFresh: true, limit: TilesetDocument.longest)
            guard answer.status == 200 else {
                throw TileError(.missing, "there is no \(document.absoluteString)")
            }
            return try TileFolder(answer.bytes, at: document)
        }
    }
}

extension URL {
    /// The document of a folder, unless it is one.
    fileprivate var tileJSON: URL { pathExtension == "json" ? self : appendingPathComponent("tilejson.json") }
}

/// Tiles in the app, which are read at once.
protocol NearTiles {
    func facts() throws -> TilesetFacts
    /// A tile's file; nil if there is none.
    ///
    /// - Throws: a `TileError`.
    func bytesNow(of tile: TileAddress) throws -> Data?
}

/// Tiles on a server.
protocol FarTiles: Sendable {
    func facts() async throws -> TilesetFacts
    /// A tile's file; nil if there is none.
    ///
    /// - Throws: a `TileError`, `Replaced`, or `CancellationError`.
    func bytes(of tile: TileAddress) async throws -> Data?
}

/// Another archive has the address by now.
struct Replaced: Error {}
