import Platform
import Publishing
import Tilesets

/// A building that is to be built: its floors, each a tileset of its own, and an index of them.
public struct BuildingRequest: Sendable {
    /// A name for people; nil for that of the folder.
    public var name: String?
    /// The folder of `building.json`: that of the tiles, or that of the floors' archives.
    public var folder: String
    /// The floors, in any order; no two have the same name.
    public var floors: [FloorRequest]
    /// The manifests that this comes from: inputs too, for what depends on all inputs. The index has the
    /// first one's name.
    public var manifests: [String] = []

    /// Asks for the floors of a building.
    public init(_ floors: [FloorRequest], in folder: String, name: String? = nil) {
        self.floors = floors
        self.folder = folder
        self.name = name
    }
}

/// A floor of a building.
public struct FloorRequest: Sendable {
    /// What people read; nil for the floor's name.
    public var label: String?
    /// What a button of a floor switch says; nil for the floor's name.
    public var shortName: String?
    /// The place among the floors: 0 for the ground floor, negative below it.
    public var ordinal: Int
    /// Whether clients show this floor first.
    public var isDefault = false
    /// Whether the floor has a position of its own, and not that of the building.
    package var hasOwnPosition = true
    /// What to build. Its output names the floor. `BuildingOptions` say how to run.
    public var build: BuildRequest

    /// Asks for a floor.
    public init(ordinal: Int, build: BuildRequest) {
        self.ordinal = ordinal
        self.build = build
    }

    /// The floor's name: what `{floor}` stands for.
    public var floor: String { build.output.floor ?? "" }

    /// What people read, whether or not it was said.
    public var effectiveLabel: String { label ?? floor }

    /// What a button of a floor switch says, whether or not it was said.
    public var effectiveShortName: String { shortName ?? floor }
}

/// Several buildings that are to be built, and an index of them.
public struct CampusRequest: Sendable {
    /// A name for people.
    public var name: String?
    /// The folder of `campus.json`.
    public var folder: String
    /// The buildings; no two have the same folder.
    public var buildings: [BuildingRequest]

    /// Asks for the buildings of a campus.
    public init(_ buildings: [BuildingRequest], in folder: String, name: String? = nil) {
        self.buildings = buildings
        self.folder = folder
        self.name = name
    }
}

/// How buildings are built. The bytes of tiles do not depend on it.
public struct BuildingOptions: Sendable {
    /// The names of the floors to build, in any building, or `BUILDING/FLOOR`; nil for all. Others stay as
    /// they are, and none is removed.
    public var only: [String]?
    /// What may be used of the machine, by all floors together.
    public var resources = BuildResources()
    /// Whether floors go into a folder, or take the place of files, that this program did not make.
    public var force = false
    /// Whether everything is on the disk before success is reported.
    public var fsync = false
    /// A file for the addresses of tiles and documents that the run adds, changes and removes.
    public var changes: String?
    /// A file for a Makefile fragment: the indexes depend on the manifests, the images and the files beside
    /// them.
    public var depfile: String?

    /// Builds all floors with what the machine has.
    public init() {}
}

extension BuildingRequest {
    /// The path of the index.
    var indexPath: String { folder.path(of: BuildingIndex.fileName) }

    /// The folders and archives of the floors, and the index.
    var outputs: [String] {
        floors.map(\.build.output.path).uniqued + [indexPath]
    }

    /// A name for people.
    var effectiveName: String { name ?? folder.fileName }

    /// Refuses what contradicts itself.
    ///
    /// - Throws: `.usage`.
    func check() throws(Failure) {
        let names = floors.map(\.floor)
        if names.isEmpty { throw Failure(.usage, "a building needs at least one floor") }
        if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw Failure(.usage, "two floors have the name '\(name)'", remedy: "give each a name of its own")
        }
        for floor in floors {
            let output = floor.build.output
            let place = output.container.isArchive ? output.path.parentDirectory : output.path
            guard OutputFile.areSame(place, folder) else {
                throw Failure(
                    .usage,
                    "floor '\(floor.floor)' goes to '\(output.path)', and the building to '\(folder)'",
                    remedy: "let all floors of a building go to one folder")
            }
        }
    }
}

extension CampusRequest {
    /// The path of the index.
    var indexPath: String { folder.path(of: CampusIndex.fileName) }

    /// A name for people.
    var effectiveName: String { name ?? folder.fileName }

    /// Refuses what contradicts itself.
    ///
    /// - Throws: `.usage`.
    func check() throws(Failure) {
        if buildings.isEmpty { throw Failure(.usage, "a campus needs at least one building") }
        for (index, building) in buildings.enumerated() {
            let before = buildings[..<index]
            if before.contains(where: { OutputFile.areSame($0.folder, building.folder) }) {
                throw Failure(
                    .usage, "two buildings go to '\(building.folder)'",
                    remedy: "give each an output of its own")
            }
            if before.contains(where: { $0.effectiveName == building.effectiveName }) {
                throw Failure(
                    .usage, "two buildings have the name '\(building.effectiveName)'",
                    remedy: "give each a name of its own")
            }
        }
    }

    /// The index of buildings, without those that have none or no floor.
    ///
    /// - Parameter indexes: those of the buildings, in their order.
    func index(of indexes: [BuildingIndex?]) -> CampusIndex {
        let entries = zip(buildings, indexes).compactMap { building, index in
            let way = RelativePath.components(from: folder, to: building.indexPath)
            return index.flatMap { CampusIndex.Building($0, path: way.joined(separator: "/")) }
        }
        return CampusIndex(name: effectiveName, buildings: entries)
    }
}

extension BuildingOptions {
    /// Refuses what contradicts itself.
    ///
    /// - Parameter floors: the names of all floors that there are.
    /// - Throws: `.usage`.
    func check(_ floors: [FloorName]) throws(Failure) {
        try resources.check()
        if let name = only?.first(where: { name in !floors.contains { $0.isMeant(by: name) } }) {
            throw Failure(
                .usage, "--only names a floor '\(name)', and there is none",
                remedy: "the floors are \(floors.map { "'\($0.choice)'" }.joined(separator: ", "))")
        }
    }

    /// Whether a floor is to be built.
    func names(_ floor: String, of building: String?) -> Bool {
        guard let only else { return true }
        return only.contains { FloorName(building: building, floor: floor).isMeant(by: $0) }
    }
}
