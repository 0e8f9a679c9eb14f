import Platform
import YAML

/// A file that says what to build of a building, or of several: YAML, with the command's long options as keys.
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
    /// Several.
    case campus(CampusRequest)

    /// Whether a path is one of a manifest: it ends in `.yaml` or `.yml`.
    public static func isManifest(_ path: String) -> Bool {
        [".yaml", ".yml"].contains(where: path.hasEnding)
    }

    /// Reads a manifest, and those that it names. Paths in a manifest count from its own folder.
    ///
    /// Looks for the files that it names, and opens none but manifests.
    ///
    /// - Throws: a `Failure` whose message begins with file, line and column: `usage` for unknown keys and bad
    ///   values, `badInput` for what is not YAML, `missingInput` for files that are not there.
    public init(contentsOf path: String) throws {
        let file = try ManifestFile(path)
        let keys = try file.pairs(of: file.root, as: "a manifest").map(\.key)
        if keys.contains("buildings"), !keys.contains("floors") {
            let request = try CampusReader(file).campus()
            do throws(Failure) { try request.check() } catch {
                throw file.failure(error.message, at: file.root.mark, remedy: error.remedy)
            }
            self = .campus(request)
        } else {
            self = .building(try BuildingReader(file).building(file.root))
        }
    }
}

extension Failure {
    /// What is wrong with an option that is for manifests alone.
    package static func needsManifest(_ option: String, beside path: String) -> Failure {
        Failure(
            .usage, "\(option) has no meaning for '\(path)', which is not a manifest",
            remedy: "leave it out, or name a file that ends in .yaml or .yml")
    }
}
