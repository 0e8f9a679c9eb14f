import Platform
import Publishing
import Tilesets

/// All finished tilesets of a folder, or that of an archive, and their building.
///
/// ```swift
/// for tileset in try TilesetInventory("tiles").tilesets { print(tileset.floor ?? "-", tileset.tileCount) }
/// ```
public struct TilesetInventory: Sendable {
    /// The entry of a building in an index.
    public struct Building: Hashable, Sendable {
        /// A name for people.
        public var name: String
        /// The name of its manifest; nil if a program built it.
        public var manifest: String?
        /// Its floors from the lowest.
        public var floors: [Floor]
    }

    /// The entry of a floor in an index.
    public struct Floor: Hashable, Sendable {
        /// The floor's name in the names of tiles.
        public var floor: String
        /// The label for people.
        public var label: String
        /// The order among the floors: 0 for the ground floor.
        public var ordinal: Int
        /// Whether it is shown first.
        public var isDefault: Bool
        /// The path of its archive; nil if its tiles are in the folder itself.
        public var archive: String?
    }

    /// The entry of a campus in an index.
    public struct Campus: Hashable, Sendable {
        /// A name for people.
        public var name: String
        /// The folders of its buildings.
        public var folders: [String]
    }

    /// The folder or the archive.
    public let path: String
    /// The tilesets: floors of a building from the lowest, others by their names.
    public let tilesets: [TilesetDescription]
    /// The building, if there is an index of one in the folder.
    public let building: Building?
    /// The campus, if there is an index of one in the folder.
    public let campus: Campus?

    /// Warnings for the user about the tilesets.
    public var warnings: [Warning] { tilesets.flatMap(\.warnings) }

    /// Describes all tilesets of a path.
    ///
    /// - Parameters:
    ///   - path: a folder, or a file that ends in `.mbtiles` or `.pmtiles`.
    ///   - floor: the only floor to describe; nil for all.
    ///   - maxTiles: the maximum number of tiles that a tileset may have.
    /// - Throws: a `Failure`, as `TilesetDescription` does, except for the missing tilesets of a campus.
    public init(
        _ path: String, floor: String? = nil, maxTiles: Int = BuildResources.standardMaxTiles
    ) throws {
        self.path = path
        guard TilesetContainer(existing: path) == .directory else {
            tilesets = [try TilesetDescription(path, floor: floor, maxTiles: maxTiles)]
            (building, campus) = (nil, nil)
            return
        }
        building = try BuildingIndex(in: path).map { index in
            Building(
                name: index.name, manifest: index.manifest,
                floors: try index.floors.map { floor in
                    Floor(
                        floor: floor.floor, label: floor.label, ordinal: floor.ordinal,
                        isDefault: floor.isDefault, archive: try floor.archive(in: path))
                })
        }
        campus = try CampusIndex.summary(in: path).map { summary in
            Campus(name: summary.name, folders: summary.indexes.map { path.path(of: $0).parentDirectory })
        }
        tilesets = try Self.tilesets(
            in: path, floor: floor, of: building, isCampus: campus != nil, maxTiles: maxTiles)
    }

    /// The tilesets of a folder, and the archives that an index in it names.
    private static func tilesets(
        in path: String, floor: String?, of building: Building?, isCampus: Bool, maxTiles: Int
    ) throws -> [TilesetDescription] {
        let archived = (building?.floors ?? []).filter { $0.archive != nil }
        var found: [(floor: String?, archive: String?)] = try TreeReader.floors(of: path).map { ($0, nil) }
        found += archived.map { ($0.floor, $0.archive) }
        if let floor, found.contains(where: { $0.floor == floor }) { found.removeAll { $0.floor != floor } }
        if found.isEmpty {
            if isCampus, floor == nil { return [] }
            found = [(floor, nil)]
        } else if let floor, !found.contains(where: { $0.floor == floor }) {
            let known = found.compactMap(\.floor).map { "'\($0)'" }
            throw Failure(
                .missingInput, "cannot read '\(path)': it has no floor '\(floor)'",
                remedy: known.isEmpty
                    ? "its tiles have no floor: leave out --floor"
                    : "choose one with --floor: \(known.listed("or"))")
        }
        let ranks = Dictionary((building?.floors ?? []).enumerated().map { ($1.floor, $0) }) { first, _ in
            first
        }
        func rank(_ floor: String?) -> Int { floor.flatMap { ranks[$0] } ?? ranks.count }
        let order = found.indices.sorted { (rank(found[$0].floor), $0) < (rank(found[$1].floor), $1) }
        return try order.map { index in
            guard let archive = found[index].archive else {
                return try TilesetDescription(path, floor: found[index].floor, maxTiles: maxTiles)
            }
            return try TilesetDescription(archive, maxTiles: maxTiles)
        }
    }

    /// The tilesets' tiles.
    public var tileCount: Int { tilesets.reduce(0) { $0 + $1.tileCount } }

    /// The bytes of their tiles, as clients get them.
    public var bytes: Int { tilesets.reduce(0) { $0.addingSaturated($1.bytes) } }

    /// The entry of a floor in the building's index.
    public func indexed(_ floor: String?) -> Floor? { building?.floors.first { $0.floor == floor } }
}
