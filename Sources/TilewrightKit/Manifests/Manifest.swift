import Platform
import YAML

/// The description of one or several buildings to build: a YAML file whose keys are the command's long
/// options.
///
/// ```swift
/// switch try Manifest(contentsOf: "building.yaml") {
/// case .building(let request): print(request.floors.map(\.floor))
/// case .campus(let request): print(request.buildings.count)
/// }
/// ```
public enum Manifest: Sendable {
    /// One building.
    case building(BuildingRequest)
    /// Several buildings.
    case campus(CampusRequest)

    /// Whether a path is that of a manifest: it ends in `.yaml` or `.yml`.
    public static func isManifest(_ path: String) -> Bool {
        [".yaml", ".yml"].contains(where: path.hasEnding)
    }

    /// Reads a manifest, and those that it names. Paths in a manifest are relative to its folder.
    ///
    /// Checks that all files that it names exist, but opens only manifests.
    ///
    /// - Throws: a `Failure` whose message begins with file, line and column: `usage` for unknown keys and
    ///   bad values, `badInput` if a file is not YAML, `missingInput` if a file does not exist.
    public init(contentsOf path: String) throws { try self.init(ManifestFile(path)) }

    /// Reads a manifest that is not written yet, and those that it names.
    init(parsing bytes: [UInt8], as path: String) throws {
        try self.init(ManifestFile(parsing: bytes, path: path))
    }

    private init(_ file: ManifestFile) throws {
        let keys = try file.pairs(of: file.root, as: "a manifest").map(\.key)
        if keys.contains("buildings"), !keys.contains("floors") {
            let request = try file.campus()
            do throws(Failure) { try request.check() } catch {
                throw file.failure(error.message, at: file.root.mark, remedy: error.remedy)
            }
            self = .campus(request)
        } else {
            self = .building(try file.building(file.root))
        }
    }
}

extension Manifest {
    /// A floor of one of the buildings.
    public struct Floor: Sendable {
        /// Its name, with the building's if there are several.
        public let name: FloorName
        /// The request.
        public let request: FloorRequest
    }

    /// The buildings, in the manifest's order.
    public var buildings: [BuildingRequest] {
        switch self {
        case .building(let request): [request]
        case .campus(let request): request.buildings
        }
    }

    /// The floors of all buildings, in the manifest's order.
    public var floors: [Floor] { buildings.flatMap(floors) }

    /// The floors of one of the buildings.
    func floors(of building: BuildingRequest) -> [Floor] {
        let name = if case .campus = self { building.effectiveName } else { String?.none }
        return building.floors.map { floor in
            Floor(name: FloorName(building: name, floor: floor.floor), request: floor)
        }
    }

    /// Chooses a floor.
    ///
    /// - Parameter name: the floor's, or `BUILDING/FLOOR` if several buildings have it; nil for the only
    ///   floor.
    /// - Throws: `.usage` if there is no such floor, or several.
    public func floor(_ name: String?) throws(Failure) -> Floor {
        let floors = floors
        let fitting = name.map { name in floors.filter { $0.name.isMeant(by: name) } } ?? floors
        if fitting.count == 1 { return fitting[0] }
        let choices = (fitting.isEmpty ? floors : fitting).map { "'\($0.name.choice)'" }
        let problem =
            if let name {
                fitting.isEmpty ? "there is no floor '\(name)'" : "several buildings have a floor '\(name)'"
            } else {
                "there are several floors"
            }
        throw Failure(.usage, problem, remedy: "choose one with --floor: \(choices.listed("or"))")
    }
}

extension FloorName {
    /// The text by which a user chooses it among all floors.
    public var choice: String { (building.map { "\($0)/" } ?? "") + floor }

    /// Whether a text chooses this floor.
    func isMeant(by text: String) -> Bool { text == floor || text == choice }
}

extension Manifest {
    /// Refuses the path of a picture, or of another file made of one floor, if it is an input of any floor or
    /// inside an output.
    ///
    /// - Throws: `.usage`.
    public func checkIsOutside(_ path: String) throws {
        for building in buildings {
            let images = building.floors.flatMap(\.build.images)
            let others = building.manifests + building.floors.flatMap(\.build.pyramid.files)
            try OutputPicture.check(path, isNoneOf: images, others: others)
            if let output = building.outputs.first(where: { OutputFile.isInside(path, $0) }) {
                throw OutputPicture.refusal(path, "that is inside the output '\(output)'")
            }
        }
    }
}

extension Failure {
    /// The failure of an option that is only for manifests.
    package static func needsManifest(_ option: String, nextTo path: String) -> Failure {
        Failure(
            .usage, "\(option) does not apply to '\(path)', which is not a manifest",
            remedy: "leave it out, or name a file that ends in .yaml or .yml")
    }
}
