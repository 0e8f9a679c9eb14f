internal import CTileArchives
public import Foundation

/// A building with its floors, as its `building.json` describes it.
///
///     let building = try await Building(url)
///     let tiles = building.floors[0].archive()
public struct Building: Sendable {
    /// Where the description came from.
    public enum Source: Hashable, Sendable {
        /// From its address, from the copy that the last reading from there left, or from the app.
        case address, copy, app
    }

    /// The name for people.
    public let name: String
    /// The floors from the lowest, at least one.
    public let floors: [Floor]
    /// The area of all floors.
    public let bounds: TileBounds
    /// The camera that shows the building on a phone held upright: in degrees, and as a zoom at which the world
    /// is 256 * 2^zoom points wide.
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

    /// Reads a `building.json`: from its address, or else the last copy, or else a file inside the app.
    ///
    /// - Parameters:
    ///   - inside: the file that is used if there is no other. Floors whose tiles are next to it are read there.
    ///   - copies: the folder for a copy; nil for none.
    ///   - onFault: called once for each kind of fault, of the description or of a floor's tiles.
    public init(
        _ url: URL, inside: URL? = nil, copies: URL? = Building.copies,
        onFault: @escaping FaultHandler = { _ in }
    ) async throws {
        let copies = url.isFileURL ? nil : copies
        let address = Array(url.absoluteString.utf8)
        let copy = copies?.appendingPathComponent("\(crc32(0, address, UInt32(address.count))).json")
        do {
            let bytes = try await TilesetDocument.bytes(at: url)
            try self.init(bytes, at: url, url.isFileURL ? .app : .address, onFault)
            if let copies, let copy {
                try? FileManager.default.createDirectory(at: copies, withIntermediateDirectories: true)
                try? bytes.write(to: copy, options: .atomic)
            }
        } catch let error as TileError {
            if error.isFault { onFault(error) }
            let bytes = copy.flatMap { try? LocalFile.contents(of: $0, limit: TilesetDocument.longest) }
            let kept = bytes.flatMap { try? Building($0, at: url, .copy, onFault) }
            let own = inside.flatMap { try? Building(inApp: $0, elsewhere: url, onFault: onFault) }
            guard let building = kept ?? own else { throw error }
            self = building
        }
    }

    /// Reads a building's description in the app, at once. Elsewhere is the address of the same building, for
    /// floors whose tiles are not next to the file.
    public init(inApp file: URL, elsewhere: URL? = nil, onFault: @escaping FaultHandler = { _ in }) throws {
        let bytes = try LocalFile.contents(of: file, limit: TilesetDocument.longest)
        try self.init(bytes, at: file, elsewhere: elsewhere, .app, onFault)
    }

    private init(
        _ bytes: Data, at url: URL, elsewhere: URL? = nil, _ source: Source, _ onFault: @escaping FaultHandler
    ) throws {
        guard let index = try? JSONDecoder().decode(Index.self, from: bytes), index.version == 1,
            let bounds = TileBounds(index.bounds), index.camera.target.count == 2, !index.floors.isEmpty
        else {
            throw TileError(.unreadable, "\(url.lastPathComponent) is not a building.json of version 1")
        }
        (name, self.bounds, self.source) = (index.name, bounds, source)
        camera = (index.camera.target[1], index.camera.target[0], min(max(index.camera.zoom, 0), 30))
        floors = try index.floors.map { try Floor($0, of: url, elsewhere, onFault) }
    }

    private struct Index: Decodable {
        struct Camera: Decodable { let target: [Double], zoom: Double }
        let version: Int, name: String, bounds: [Double]
        let camera: Camera, floors: [TilesetDocument]
    }
}

/// A floor of a building.
public struct Floor: Identifiable, Sendable {
    /// The name in the addresses of its tiles, the name for people, and the text of its button.
    public let name, label, shortName: String
    /// Its place in the order of floors: 0 for the ground floor.
    public let ordinal: Int
    /// Whether it is shown first.
    public let isDefault: Bool
    /// What a map must know about its tiles.
    public let facts: TilesetFacts
    /// The name.
    public var id: String { name }

    private let url: URL
    private let source: any TileSource
    private let onFault: FaultHandler

    /// The tiles of the floor, which are opened when the first one is asked for.
    public func archive() -> TileArchive { TileArchive(url, facts, source, onFault) }

    fileprivate init(
        _ entry: TilesetDocument, of index: URL, _ elsewhere: URL?, _ onFault: @escaping FaultHandler
    ) throws {
        let path = entry.archive ?? entry.tilejson ?? ""
        // The tiles need not be in the app, only because the description is.
        let beside = URL(string: path, relativeTo: index) ?? index
        let isBeside = !index.isFileURL || FileManager.default.fileExists(atPath: beside.path)
        let base = isBeside ? index : elsewhere ?? index
        let template = entry.tiles?.first.flatMap { TileTemplate($0, scheme: entry.scheme, from: base) }
        guard TileTemplate.isBelow(path), !path.isEmpty, let name = entry.floor, let facts = entry.facts,
            let url = TileTemplate.url(of: path, version: facts.digest, from: base),
            entry.archive != nil || template != nil
        else {
            throw TileError(
                .unreadable, "\(index.lastPathComponent) does not describe floor '\(entry.floor ?? "")'")
        }
        source = entry.archive == nil ? TileFolder(facts, template) : TileArchive.source(at: url)
        (self.url, self.name, label, shortName) = (url, name, entry.label ?? name, entry.shortName ?? name)
        (ordinal, isDefault) = (entry.ordinal ?? 0, entry.default ?? false)
        (self.facts, self.onFault) = (facts, onFault)
    }
}
