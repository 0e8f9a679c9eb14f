import Platform
import Publishing
import Tilesets

/// A building to build: its floors, each with its own tileset, and an index of them.
public struct BuildingRequest: Sendable {
    /// A name for people; nil for the folder's name.
    public var name: String?
    /// The folder of `building.json`: that of the tiles, or that of the floors' archives.
    public var folder: String
    /// The floors, in any order; no two have the same name.
    public var floors: [FloorRequest]
    /// The manifests of this request, which count as inputs. The index names the first one.
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
    /// The label for people; nil for the floor's name.
    public var label: String?
    /// The text on a button of a floor switch; nil for the floor's name.
    public var shortName: String?
    /// The place among the floors: 0 for the ground floor, negative below it.
    public var ordinal: Int
    /// Whether clients show this floor first.
    public var isDefault = false
    /// Whether the floor has its own position instead of the building's.
    package var hasOwnPosition = true
    /// The floor's build. Its output names the floor. `BuildingOptions` say how to run it.
    public var build: BuildRequest

    /// Asks for a floor.
    public init(ordinal: Int, build: BuildRequest) {
        self.ordinal = ordinal
        self.build = build
    }

    /// The floor's name, which replaces `{floor}`.
    public var floor: String { build.output.floor ?? "" }

    /// The label, or else the floor's name.
    public var effectiveLabel: String { label ?? floor }

    /// The short name, or else the floor's name.
    public var effectiveShortName: String { shortName ?? floor }
}

/// Several buildings to build, and an index of them.
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

/// How buildings are built. The bytes of tiles do not depend on these options.
public struct BuildingOptions: Sendable {
    /// The names of the floors to build, in any building, or `BUILDING/FLOOR`; nil for all. Other floors stay
    /// as they are, and no floor is removed.
    public var only: [String]?
    /// The resources that all floors together may use.
    public var resources = BuildResources()
    /// Whether floors may go into a folder, or replace files, that tilewright did not make.
    public var force = false
    /// Whether everything is on the disk before success is reported.
    public var fsync = false
    /// A file for the addresses of tiles and documents that the run adds, changes and removes.
    public var changes: String?
    /// A file to which the addresses of all changes are added, until someone takes it away.
    public var pending: String?
    /// A file for a Makefile fragment: the indexes depend on the manifests, the images and the files next to
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

    /// Refuses a request that contradicts itself.
    ///
    /// - Throws: `.usage`.
    func check() throws(Failure) {
        let names = floors.map(\.floor)
        if names.isEmpty { throw Failure(.usage, "a building needs at least one floor") }
        if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw Failure(.usage, "two floors have the name '\(name)'", remedy: "give each its own name")
        }
        for floor in floors {
            let output = floor.build.output
            let place = output.container.isArchive ? output.path.parentDirectory : output.path
            guard OutputFile.areSame(place, folder) else {
                throw Failure(
                    .usage,
                    "floor '\(floor.floor)' goes to '\(output.path)', but the building to '\(folder)'",
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

    /// Refuses a request that contradicts itself.
    ///
    /// - Throws: `.usage`.
    func check() throws(Failure) {
        if buildings.isEmpty { throw Failure(.usage, "a campus needs at least one building") }
        for (index, building) in buildings.enumerated() {
            let before = buildings[..<index]
            if before.contains(where: { OutputFile.areSame($0.folder, building.folder) }) {
                throw Failure(
                    .usage, "two buildings go to '\(building.folder)'",
                    remedy: "give each its own output")
            }
            if before.contains(where: { $0.effectiveName == building.effectiveName }) {
                throw Failure(
                    .usage, "two buildings have the name '\(building.effectiveName)'",
                    remedy: "give each its own name")
            }
        }
    }

    /// The index of buildings, without those that have no index or no floors.
    ///
    /// - Parameter indexes: the indexes of the buildings, in the same order.
    func index(of indexes: [BuildingIndex?]) -> CampusIndex {
        let entries = zip(buildings, indexes).compactMap { building, index in
            let way = RelativePath.components(from: folder, to: building.indexPath)
            return index.map { (index: $0, path: way.joined(separator: "/")) }
        }
        return CampusIndex(name: effectiveName, buildings: entries)
    }
}

extension BuildingOptions {
    /// Refuses a request that contradicts itself.
    ///
    /// - Parameter floors: the names of all floors.
    /// - Throws: `.usage`.
    func check(_ floors: [FloorName]) throws(Failure) {
        try resources.check()
        if let name = only?.first(where: { name in !floors.contains { $0.isMeant(by: name) } }) {
            throw Failure(
                .usage, "--only names a floor '\(name)', which does not exist",
                remedy: "the floors are \(floors.map { "'\($0.choice)'" }.joined(separator: ", "))")
        }
    }

    /// Whether a floor is to be built.
    func names(_ floor: String, of building: String?) -> Bool {
        guard let only else { return true }
        return only.contains { FloorName(building: building, floor: floor).isMeant(by: $0) }
    }
}
