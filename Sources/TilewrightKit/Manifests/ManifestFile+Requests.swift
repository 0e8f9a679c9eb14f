import Platform
import Tilesets
import YAML

/// Makes the request of a building's manifest.
extension ManifestFile {
    /// The maximum number of floors: far more than any building has. It limits the files and the time that a
    /// manifest takes.
    private static let mostFloors = 1000

    /// The request that a mapping describes.
    ///
    /// - Throws: a `Failure` with line and column.
    func building(_ node: YAMLNode) throws -> BuildingRequest {
        let settings = try settings(of: node, as: "a building", at: .building)
        guard settings["output"] != nil else {
            throw failure(
                "there is no 'output'", at: node.mark,
                remedy: "write output: FOLDER, or output: \"FOLDER/{floor}.pmtiles\"")
        }
        let draft = FloorDraft(settings)
        var request = BuildingRequest(
            try floors(of: settings, at: node.mark),
            in: BuildingOutput.folder(of: draft.output.path), name: draft.buildingName)
        request.manifests = [path]
        return request
    }

    private func floors(of settings: [ManifestSetting], at mark: YAMLMark) throws -> [FloorRequest] {
        guard let list = settings["floors"] else {
            throw failure(
                "there is neither 'floors' nor 'buildings'", at: mark,
                remedy: "list the floors, such as - {floor: 0, label: Ground floor, image: ground.png}")
        }
        let items: [YAMLNode]? = if case .sequence(let items) = list.node.content { items } else { nil }
        guard let items, !items.isEmpty else {
            throw list.failure(
                "'floors' must be a list of floors, not \(items == nil ? list.node.kindName : "empty")",
                remedy: "write - before each floor, such as - {floor: 0, image: ground.png}")
        }
        guard items.count <= Self.mostFloors else {
            throw list.failure("there are \(items.count) floors, but at most \(Self.mostFloors) are read")
        }
        var floors = FloorList(isSingle: items.count == 1)
        for item in items { try floors.add(Floor(item, of: self, settings)) }
        return floors.requests
    }
}

/// The floors of a building that were read so far.
private struct FloorList {
    /// Whether the building has only one floor.
    let isSingle: Bool
    private(set) var requests: [FloorRequest] = []
    private var lines: [String: Int] = [:]
    private var lineOfDefault: Int?

    init(isSingle: Bool) { self.isSingle = isSingle }

    mutating func add(_ floor: Floor) throws {
        let name = floor.draft.floor
        if let line = lines.updateValue(floor.line, forKey: name) {
            throw floor.failure(
                "the floor '\(name.excerpt())' is already defined on line \(line)", at: "floor",
                remedy: "several images of one floor are a list: image: [EAST, WEST]")
        }
        if floor.draft.isDefault {
            if let line = lineOfDefault {
                throw floor.failure("the floor on line \(line) is already the default", at: "default")
            }
            lineOfDefault = floor.line
        }
        if !isSingle, !floor.draft.separatesFloors {
            throw floor.failure(
                "the template has no {floor}, so floors would share the names of tiles",
                at: "template", remedy: "write {floor} into it, or leave 'template' out")
        }
        requests.append(try floor.request())
    }
}

/// A floor of a manifest.
private struct Floor {
    private let file: ManifestFile
    private let mark: YAMLMark
    /// The settings of the building.
    private let common: [ManifestSetting]
    /// The settings of the floor.
    private let own: [ManifestSetting]
    let draft: FloorDraft

    init(_ node: YAMLNode, of file: ManifestFile, _ common: [ManifestSetting]) throws {
        (self.file, self.common) = (file, common)
        mark = node.mark
        own = try file.settings(of: node, as: "a floor", at: .floor)
        for key in ["floor", "image"] where own[key] == nil {
            throw file.failure(
                "the floor has no '\(key)'", at: mark,
                remedy: "a floor needs at least {floor: NAME, image: FILE}")
        }
        draft = FloorDraft(common, own)
    }

    /// The line of the floor's name.
    var line: Int { own["floor"]?.node.mark.line ?? mark.line }

    /// The failure of a key of the floor, or else of the building.
    func failure(_ message: String, at key: String, remedy: String? = nil) -> Failure {
        let value = own[key] ?? common[key]
        return value?.failure(message, remedy: remedy)
            ?? file.failure(message, at: mark, remedy: remedy)
    }

    func request() throws -> FloorRequest {
        var request = FloorRequest(ordinal: try ordinal(), build: try build())
        request.label = draft.label
        request.shortName = draft.shortName
        request.isDefault = draft.isDefault
        request.hasOwnPosition = own.contains(where: \.key.saysWhere)
        return request
    }

    private func ordinal() throws(Failure) -> Int {
        if let ordinal = draft.ordinal ?? Int(draft.floor) { return ordinal }
        throw failure(
            "the floor '\(draft.floor.excerpt())' has no ordinal", at: "floor",
            remedy: "write ordinal: N, its place among the floors: 0 is the ground floor, -1 the next below")
    }

    private func build() throws -> BuildRequest {
        do { return try draft.request() } catch let reason as Failure {
            throw culprit?.failure(reason)
                ?? file.failure(reason.message.excerpt(240, ending: 100), at: mark, remedy: reason.remedy)
        }
    }

    /// The last value whose removal would make the floor valid.
    private var culprit: ManifestValue? {
        let trials =
            common.map { setting in (setting, common.without(setting), own) }
            + own.map { setting in (setting, common, own.without(setting)) }
        return trials.last { _, common, own in (try? FloorDraft(common, own).request()) != nil }?.0.value
    }
}

extension [ManifestSetting] {
    /// All settings but one.
    fileprivate func without(_ setting: ManifestSetting) -> [ManifestSetting] {
        filter { $0.key.name != setting.key.name }
    }
}

/// Makes the request of a manifest that lists buildings.
extension ManifestFile {
    /// The request.
    ///
    /// - Throws: a `Failure` with line and column, of this file or of one that it names.
    func campus() throws -> CampusRequest {
        let settings = try settings(of: root, as: "a campus", at: .campus)
        guard settings["output"] != nil else {
            throw failure(
                "there is no 'output'", at: root.mark,
                remedy: "write output: FOLDER, the folder of campus.json")
        }
        let draft = FloorDraft(settings)
        return CampusRequest(
            try buildings(of: settings), in: draft.output.path, name: draft.buildingName)
    }

    private func buildings(of settings: [ManifestSetting]) throws -> [BuildingRequest] {
        guard let list = settings["buildings"], case .sequence(let items) = list.node.content,
            !items.isEmpty
        else {
            throw failure(
                "'buildings' must be a list of manifests or of buildings",
                at: settings["buildings"]?.node.mark ?? root.mark,
                remedy: "write - before each, such as - east/building.yaml")
        }
        var buildings: [BuildingRequest] = []
        var folders: Set<[String]> = []
        for item in items {
            let building = try listedBuilding(item)
            guard folders.insert(CanonicalPath(building.folder).components).inserted else {
                throw failure(
                    "another building already has the folder '\(building.folder.excerpt())'", at: item.mark,
                    remedy: "give each its own 'output'")
            }
            buildings.append(building)
        }
        return buildings
    }

    /// A building in the list, or the building of a manifest that the list names.
    private func listedBuilding(_ node: YAMLNode) throws -> BuildingRequest {
        guard case .scalar = node.content else { return try building(node) }
        let value = ManifestValue(file: self, key: "buildings", node: node)
        let manifest = try ManifestFile(value.existingFile())
        if manifest.root["buildings"] != nil, manifest.root["floors"] == nil {
            throw value.failure(
                "'\(manifest.path.excerpt())' lists buildings itself",
                remedy: "a manifest of buildings may only list manifests of floors")
        }
        var request = try manifest.building(manifest.root)
        request.manifests.append(path)
        return request
    }
}
