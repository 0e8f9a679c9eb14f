import Platform
import YAML

/// Makes a request of a manifest that lists buildings.
struct CampusReader {
    private let file: ManifestFile

    init(_ file: ManifestFile) { self.file = file }

    /// The request.
    ///
    /// - Throws: a `Failure` with line and column, of this file or of one that it names.
    func campus() throws -> CampusRequest {
        let settings = try file.settings(of: file.root, as: "a campus", at: .campus)
        guard settings["output"] != nil else {
            throw file.failure(
                "there is no 'output'", at: file.root.mark,
                remedy: "write output: FOLDER, in which campus.json goes")
        }
        var draft = FloorDraft()
        draft.take(settings)
        return CampusRequest(
            try buildings(of: settings), in: draft.output.path, name: draft.buildingName)
    }

    private func buildings(of settings: [ManifestSetting]) throws -> [BuildingRequest] {
        guard let list = settings["buildings"], case .sequence(let items) = list.node.content,
            !items.isEmpty
        else {
            throw file.failure(
                "'buildings' is a list of manifests, or of buildings",
                at: settings["buildings"]?.node.mark ?? file.root.mark,
                remedy: "write - before each, as - east/building.yaml")
        }
        var buildings: [BuildingRequest] = []
        var folders: Set<[String]> = []
        for item in items {
            let building = try building(item)
            guard folders.insert(CanonicalPath(building.folder).components).inserted else {
                throw file.failure(
                    "another building has the folder '\(building.folder.excerpt())' already", at: item.mark,
                    remedy: "give each an 'output' of its own")
            }
            buildings.append(building)
        }
        return buildings
    }

    private func building(_ node: YAMLNode) throws -> BuildingRequest {
        guard case .scalar = node.content else { return try BuildingReader(file).building(node) }
        let value = ManifestValue(file: file, key: "buildings", node: node)
        let path = try value.existingFile()
        let manifest = try ManifestFile(path)
        if manifest.root["buildings"] != nil, manifest.root["floors"] == nil {
            throw value.failure(
                "'\(path.excerpt())' lists buildings itself",
                remedy: "a manifest of buildings lists manifests of floors")
        }
        var request = try BuildingReader(manifest).building(manifest.root)
        request.manifests.append(file.path)
        return request
    }
}
