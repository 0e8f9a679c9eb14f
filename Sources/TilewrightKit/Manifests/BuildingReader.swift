import Platform
import Tilesets
import YAML

/// Makes a request of what a manifest says of a building.
struct BuildingReader {
    /// Taller ones stand nowhere; the numbers of files and of seconds that a manifest costs have an end.
    private static let mostFloors = 1000

    private let file: ManifestFile

    init(_ file: ManifestFile) { self.file = file }

    /// The request that a mapping makes.
    ///
    /// - Throws: a `Failure` with line and column.
    func building(_ node: YAMLNode) throws -> BuildingRequest {
        let settings = try file.settings(of: node, as: "a building", at: .building)
        guard settings["output"] != nil else {
            throw file.failure(
                "there is no 'output'", at: node.mark,
                remedy: "write output: FOLDER, or output: \"FOLDER/{floor}.pmtiles\"")
        }
        var draft = FloorDraft()
        draft.take(settings)
        var request = BuildingRequest(
            try floors(of: settings, draft, at: node.mark),
            in: BuildingOutput.folder(of: draft.output.path), name: draft.buildingName)
        request.manifests = [file.path]
        return request
    }

    private func floors(
        of settings: [ManifestSetting], _ draft: FloorDraft, at mark: YAMLMark
    ) throws -> [FloorRequest] {
        guard let list = settings["floors"] else {
            throw file.failure(
                "there is neither 'floors' nor 'buildings'", at: mark,
                remedy: "list the floors, as - {floor: 0, label: Ground floor, image: ground.png}")
        }
        guard case .sequence(let items) = list.node.content, !items.isEmpty else {
            throw list.failure(
                "'floors' is a list of floors, and this is \(list.node.isEmptyList ? "empty" : list.node.kindName)",
                remedy: "write - before each floor, as - {floor: 0, image: ground.png}")
        }
        guard items.count <= Self.mostFloors else {
            throw list.failure("there are \(items.count) floors, and at most \(Self.mostFloors) are read")
        }
        var floors = FloorList(isSingle: items.count == 1)
        for item in items { try floors.add(Floor(item, of: file, settings, draft)) }
        return floors.requests
    }
}

/// The floors of a building, so far.
private struct FloorList {
    /// Whether there will be no other.
    let isSingle: Bool
    private(set) var requests: [FloorRequest] = []
    private var lines: [String: Int] = [:]
    private var lineOfDefault: Int?

    init(isSingle: Bool) { self.isSingle = isSingle }

    mutating func add(_ floor: Floor) throws {
        let name = floor.draft.floor
        if let line = lines.updateValue(floor.line, forKey: name) {
            throw floor.failure(
                "the floor '\(name.excerpt())' stands on line \(line) already", at: "floor",
                remedy: "several images of one floor are a list: image: [EAST, WEST]")
        }
        if floor.draft.isDefault {
            if let line = lineOfDefault {
                throw floor.failure("the floor on line \(line) is the default already", at: "default")
            }
            lineOfDefault = floor.line
        }
        if !isSingle, !floor.draft.separatesFloors {
            throw floor.failure(
                "the template has no {floor}, so that floors would share the names of tiles",
                at: "template", remedy: "write {floor} into it, or leave 'template' out")
        }
        requests.append(try floor.request())
    }
}

/// A floor of a manifest.
private struct Floor {
    private let file: ManifestFile
    private let mark: YAMLMark
    /// What stands at the top.
    private let common: [ManifestSetting]
    /// What stands at the floor.
    private let own: [ManifestSetting]
    let draft: FloorDraft

    init(
        _ node: YAMLNode, of file: ManifestFile, _ common: [ManifestSetting], _ draft: FloorDraft
    ) throws {
        self.file = file
        self.common = common
        mark = node.mark
        own = try file.settings(of: node, as: "a floor", at: .floor)
        for key in ["floor", "image"] where own[key] == nil {
            throw file.failure(
                "the floor has no '\(key)'", at: mark,
                remedy: "a floor is at least {floor: NAME, image: FILE}")
        }
        var draft = draft
        draft.take(own)
        self.draft = draft
    }

    /// Where its name stands.
    var line: Int { own["floor"]?.node.mark.line ?? mark.line }

    /// The failure of a key of the floor, or else of the top.
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
            remedy: "write ordinal: N, its place among the floors: 0 is the ground floor, -1 the one below")
    }

    private func build() throws -> BuildRequest {
        do { return try draft.request() } catch let reason as Failure {
            throw culprit?.failure(reason)
                ?? file.failure(reason.message.excerpt(240, ending: 100), at: mark, remedy: reason.remedy)
        }
    }

    /// The last of the values without which the floor would make sense.
    private var culprit: ManifestValue? {
        let trials =
            common.map { setting in (setting, common.without(setting), own) }
            + own.map { setting in (setting, common, own.without(setting)) }
        return trials.last { _, common, own in
            var draft = FloorDraft()
            draft.take(common)
            draft.take(own)
            return (try? draft.request()) != nil
        }?.0.value
    }
}

extension [ManifestSetting] {
    /// All but one.
    fileprivate func without(_ setting: ManifestSetting) -> [ManifestSetting] {
        filter { $0.key.name != setting.key.name }
    }
}

extension YAMLNode {
    fileprivate var isEmptyList: Bool {
        if case .sequence(let items) = content { items.isEmpty } else { false }
    }
}

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
        var folders: Set<[Substring]> = []
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
