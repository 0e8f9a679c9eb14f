public import Foundation

/// A building with its floors, as its `building.json` describes it.
///
///     let building = try await Building(url, inside: Bundle.main.url(forResource: "building", withExtension: "json"))
///     let tiles = building.floors[0].archive()
public struct Building: Sendable {
    /// Where the description came from.
    public enum Source: Hashable, Sendable {
        /// From its address.
        case address
        /// From the copy that the last successful reading left.
        case copy
        /// From the app.
        case app
    }

    /// The name for people.
    public let name: String
    /// The floors from the lowest, at least one.
    public let floors: [Floor]
    /// The area of all floors.
    public let bounds: TileBounds
    /// The camera that shows the building on a phone held upright: degrees, and the zoom of a map on which the world
    /// is 256 points wide at zoom 0.
    public let camera: (latitude: Double, longitude: Double, zoom: Double)
    /// Where the description came from.
    public let source: Source

    /// The floor to show first.
    public var defaultFloor: Floor { floors.first(where: \.isDefault) ?? floors[0] }
    /// The lowest zoom at which every floor has tiles, and the highest zoom at which any has.
    public var zooms: ClosedRange<Int> {
        let zooms = floors.map(\.facts.zooms)
        return zooms.reduce(0) { max($0, $1.lowerBound) }...zooms.reduce(0) { max($0, $1.upperBound) }
    }

    /// Where copies are kept.
    public static var copies: URL? {
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first?
            .appendingPathComponent("TilewrightTiles", isDirectory: true)
    }

    /// Reads a building's description: from its address, or else the last copy, or else the one inside the app.
    ///
    /// - Parameters:
    ///   - url: the address of `building.json`, or its file in the app.
    ///   - inside: a file of the app that is used if there is no other. Floors whose tiles are next to it are
    ///     read from there.
    ///   - copies: the folder for a copy; nil for none.
    ///   - onFault: called once for each kind of fault, of the description or of a floor's tiles.
    /// - Throws: a `TileError` if there is none of them.
    public init(
        _ url: URL, inside: URL? = nil, copies: URL? = Building.copies,
        onFault: @escaping FaultHandler = { _ in }
    ) async throws {
        if url.isFileURL {
            try self.init(inApp: url, onFault: onFault)
            return
        }
        let copy = copies?.appendingPathComponent(url.fingerprint + ".json")
        do {
            let answer = try await Web.get(url, isFresh: true, limit: TilesetDocument.longest)
            guard answer.status == 200 else { throw TileError(.missing, "there is no \(url.absoluteString)") }
            try self.init(answer.bytes, at: url, .address, onFault)
            if let copies, let copy {
                try? FileManager.default.createDirectory(at: copies, withIntermediateDirectories: true)
                try? answer.bytes.write(to: copy, options: .atomic)
            }
        } catch let error as TileError {
            if error.isFault { onFault(error) }
            if let copy, let bytes = try? LocalFile.contents(of: copy, limit: TilesetDocument.longest),
                let building = try? Building(bytes, at: url, .copy, onFault)
            {
                self = building
            } else if let inside,
                let building = try? Building(inApp: inside, elsewhere: url, onFault: onFault)
            {
                self = building
            } else {
                throw error
            }
        }
    }

    /// Reads a building's description in the app.
    ///
    /// - Parameters:
    ///   - file: `building.json`.
    ///   - elsewhere: the address of the same building, for floors whose tiles are not next to the file.
    ///   - onFault: called once for each kind of fault of a floor's tiles.
    /// - Throws: a `TileError`.
    public init(
        inApp file: URL, elsewhere: URL? = nil, onFault: @escaping FaultHandler = { _ in }
    ) throws {
        let bytes = try LocalFile.contents(of: file, limit: TilesetDocument.longest)
        try self.init(bytes, at: file, elsewhere: elsewhere, .app, onFault)
    }

    private init(
        _ bytes: Data, at url: URL, elsewhere: URL? = nil, _ source: Source,
        _ onFault: @escaping FaultHandler
    ) throws {
        let unreadable = TileError(.unreadable, "\(url.lastPathComponent) does not describe a building")
        guard let index = try? JSONDecoder().decode(Index.self, from: bytes) else { throw unreadable }
        guard index.version == 1 else {
            throw TileError(
                .unreadable, "\(url.lastPathComponent) has version \(index.version): it needs newer code")
        }
        guard let name = index.name, let bounds = TileBounds(index.bounds ?? []), let camera = index.camera,
            camera.target.count == 2, let floors = index.floors, !floors.isEmpty
        else { throw unreadable }
        (self.name, self.bounds, self.source) = (name, bounds, source)
        self.camera = (camera.target[1], camera.target[0], min(max(camera.zoom, 0), 30))
        self.floors = try floors.map { try Floor($0, of: url, elsewhere, onFault) }
    }

    private struct Index: Decodable {
        struct Camera: Decodable {
            let target: [Double]
            let zoom: Double
        }
        let version: Int
        let name: String?
        let bounds: [Double]?
        let camera: Camera?
        let floors: [TilesetDocument]?
    }
}

/// A floor of a building.
public struct Floor: Identifiable, Sendable {
    /// The name in the addresses of its tiles.
    public let name: String
    /// The name for people.
    public let label: String
    /// The text of its button.
    public let shortName: String
    /// Its place in the order of floors: 0 for the ground floor.
    public let ordinal: Int
    /// Whether it is shown first.
    public let isDefault: Bool
    /// What a map must know about its tiles.
    public let facts: TilesetFacts
    /// The name.
    public var id: String { name }

    private let url: URL
    private let folder: TileFolder?
    private let onFault: FaultHandler

    /// The tiles of the floor, which are opened when the first one is asked for.
    public func archive() -> TileArchive { TileArchive(url, facts, folder, onFault) }

    fileprivate init(
        _ entry: TilesetDocument, of index: URL, _ elsewhere: URL?,
        _ onFault: @escaping FaultHandler
    ) throws {
        let unreadable = TileError(
            .unreadable, "\(index.lastPathComponent) does not describe floor '\(entry.floor ?? "")'")
        guard let path = entry.archive ?? entry.tilejson, TileTemplate.isBelow(path), let name = entry.floor,
            let beside = URL(string: path, relativeTo: index), let facts = entry.facts()
        else { throw unreadable }
        // The tiles need not be in the app, only because the description is.
        let isBeside = !index.isFileURL || FileManager.default.fileExists(atPath: beside.path)
        let base = isBeside ? index : elsewhere ?? index
        if entry.archive == nil {
            let template = entry.tiles?.first.flatMap { TileTemplate($0, scheme: entry.scheme, from: base) }
            guard let template else { throw unreadable }
            folder = TileFolder(facts, template)
        } else {
            folder = nil
        }
        url = URL(string: path + base.query(version: facts.digest), relativeTo: base)?.absoluteURL ?? beside
        (self.name, label, shortName) = (name, entry.label ?? name, entry.shortName ?? name)
        (ordinal, isDefault) = (entry.ordinal ?? 0, entry.default ?? false)
        (self.facts, self.onFault) = (facts, onFault)
    }
}

extension URL {
    /// What changes with the tiles, so that no cache answers with old ones.
    fileprivate func query(version: String) -> String {
        isFileURL || version.isEmpty ? "" : "?v=" + version.prefix(8)
    }

    /// A name for a file: a hash of the address (FNV-1a of 64 bits), the same in every run.
    fileprivate var fingerprint: String {
        let hash = absoluteString.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return String(hash, radix: 16)
    }
}
