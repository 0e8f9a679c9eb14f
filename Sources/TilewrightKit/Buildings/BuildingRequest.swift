/// A building that is to be built: its floors, each a tileset of its own, and an index of them.
public struct BuildingRequest: Sendable {
    /// A name for people; nil for that of the folder.
    public var name: String?
    /// The folder of `building.json`: that of the tiles, or that in which the archives of the floors stand.
    public var folder: String
    /// The floors, in any order; no two have the same name.
    public var floors: [FloorRequest]
    /// Files that said all this: inputs too, for what depends on all inputs. The index bears the first one's
    /// name.
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
    /// Whether it says by itself where its image lies, and does not take that from the top of the building.
    package var hasOwnPosition = true
    /// What to build. Its output names the floor. How to run, `BuildingOptions` say.
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
    /// The names of the floors to build, in whatever building, or `BUILDING/FLOOR`; nil for all. Others stay as they are, and none
    /// is removed.
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
