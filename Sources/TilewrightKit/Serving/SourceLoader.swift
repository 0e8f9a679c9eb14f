import Platform
import Publishing
import Tilesets

/// Lists the tilesets of a source.
struct SourceLoader: Sendable {
    private let input: ServedInput
    private let request: ServingRequest
    private let queue: RenderQueue
    /// The threads that read the source. If it hangs, other sources still work.
    let threads = BlockingThreads()
    /// The prefix of floors' names: the name that the user gave to the source.
    private let prefix: String

    /// Prepares to load a source of a request.
    init(_ input: ServedInput, of request: ServingRequest, queue: RenderQueue) {
        (self.input, self.request, self.queue) = (input, request, queue)
        prefix = input.name.map { "\($0)/" } ?? ""
    }

    /// The current contents.
    ///
    /// - Throws: a `Failure` if it cannot be read.
    func load() throws -> SourceContents {
        switch input.kind {
        case .manifest: try manifest()
        case .image: try alone(image)
        case .tileset:
            TilesetContainer(existing: input.path).isArchive
                ? try alone(stored(input.path)) : try folder(input.path)
        }
    }

    private func stored(_ path: String, floor: String? = nil) -> StoredSource {
        StoredSource(path, floor: floor, maxTiles: request.resources.maxTiles)
    }

    private func alone(_ source: some TileSource) throws -> SourceContents {
        let tileset = ServedTileset(input.effectiveName, label: input.name, source: source, on: threads)
        return SourceContents(
            groups: [ServedGroup(building: nil, prefix: "", tilesets: [tileset])], watch: FileWatch([]))
    }

    private var image: ImageSource {
        var image = request.image
        image.path = input.path
        return ImageSource(
            image: image, request: request.pyramid, resources: resources, queue: queue.share(on: threads))
    }

    /// The resources for each tile: those of the request, shared by the tiles rendered at the same time.
    private var resources: BuildResources {
        var resources = request.resources
        resources.sharers = RenderQueue.turns(jobs: resources.effectiveJobs)
        return resources
    }

    // Folders

    private func folder(_ path: String) throws -> SourceContents {
        let indexes = [CampusIndex.fileName, BuildingIndex.fileName].map { path.path(of: $0) }
        let watch = FileWatch(indexes, folders: [path])
        if let campus = try CampusIndex.summary(in: path) {
            let groups = try campus.indexes.compactMap { index in
                try building(
                    in: path.path(of: index).parentDirectory, prefix: Self.prefix(prefix, index.text))
            }
            return SourceContents(
                groups: groups, campus: (campus.name, prefix + CampusIndex.fileName), watch: watch)
        }
        if let building = try building(in: path, prefix: prefix) {
            return SourceContents(groups: [building], watch: watch)
        }
        let floors = try TreeReader.floors(of: path)
        if floors.count < 2 {
            var contents = try alone(stored(path))
            contents.watch = watch
            return contents
        }
        let tilesets = floors.sorted(by: PageContents.isAbove).map { floor in
            ServedTileset(
                floor.map { prefix + $0 } ?? input.effectiveName, source: stored(path, floor: floor),
                on: threads)
        }
        return SourceContents(
            groups: tilesets.map { ServedGroup(building: nil, prefix: "", tilesets: [$0]) }, watch: watch)
    }

    /// The prefix of addresses of a building, by the path of its index in a campus.
    private static func prefix(_ prefix: String, _ index: String) -> String {
        let folder = index.splitAtLastSlash.parent.map { $0.split(separator: "/") } ?? []
        return ([prefix] + folder.filter { $0 != ".." && $0 != "." }.map { "\($0)/" }).joined()
    }

    private func building(in folder: String, prefix: String) throws -> ServedGroup? {
        guard let index = try BuildingIndex(in: folder) else { return nil }
        let tilesets = try index.floors.reversed().map { floor in
            let archive = try floor.archive(in: folder)
            let source = archive.map { stored($0) } ?? stored(folder, floor: floor.floor)
            return ServedTileset(
                prefix + floor.floor,
                floor: ServedFloor(floor), source: source, on: threads)
        }
        return ServedGroup(building: index.name, prefix: prefix, tilesets: tilesets)
    }

    // Manifests

    private func manifest() throws -> SourceContents {
        let manifest = try Manifest(contentsOf: input.path)
        let watch = FileWatch(manifest.buildings.flatMap(\.manifests) + [input.path])
        let plans = ManifestPlans(input.path, resources: resources)
        let groups = manifest.buildings.map { building in
            group(building, of: manifest, plans: plans)
        }
        guard case .campus(let campus) = manifest else { return SourceContents(groups: groups, watch: watch) }
        return SourceContents(
            groups: groups, campus: (campus.effectiveName, prefix + CampusIndex.fileName), watch: watch)
    }

    private func group(
        _ building: BuildingRequest, of manifest: Manifest, plans: ManifestPlans
    ) -> ServedGroup {
        var prefix = prefix
        if case .campus(let campus) = manifest {
            let way = RelativePath.components(from: campus.folder, to: building.folder)
            prefix = Self.prefix(prefix, (way + [""]).joined(separator: "/"))
        }
        let floors = manifest.floors(of: building).sorted {
            ($0.request.ordinal, $0.request.floor) > ($1.request.ordinal, $1.request.floor)
        }
        let tilesets = floors.map { floor in
            ServedTileset(
                prefix + floor.request.floor, floor: ServedFloor(floor.request),
                source: FloorSource(floor: floor, plans: plans, queue: queue.share(on: threads)), on: threads)
        }
        return ServedGroup(building: building.effectiveName, prefix: prefix, tilesets: tilesets)
    }
}

/// The entry of a tileset in a floor switch.
struct ServedFloor: Sendable {
    /// The floor's name.
    let floor: String
    /// The label for people.
    let label: String
    /// The label of a button.
    let shortName: String
    /// The order of the floor.
    let ordinal: Int
    /// Whether it is shown first.
    let isDefault: Bool

    /// The entry of a floor in a building's index.
    init(_ floor: BuildingIndex.Floor) {
        (self.floor, label, shortName) = (floor.floor, floor.label, floor.shortName)
        (ordinal, isDefault) = (floor.ordinal, floor.isDefault)
    }

    /// The entry of a floor that is not built.
    init(_ request: FloorRequest) {
        (floor, label, shortName) = (request.floor, request.effectiveLabel, request.effectiveShortName)
        (ordinal, isDefault) = (request.ordinal, request.isDefault)
    }
}

extension ViewerPage.Tileset {
    /// The tileset under its name in a floor switch.
    func named(_ floor: ServedFloor) -> Self {
        var named = self
        (named.label, named.shortName) = (floor.label, floor.shortName)
        (named.ordinal, named.isDefault) = (floor.ordinal, floor.isDefault)
        return named
    }
}

/// Tilesets that belong together: the floors of a building, or a single tileset.
struct ServedGroup: Sendable {
    /// The building's name; nil for a single tileset.
    let building: String?
    /// The prefix of the floors' names, with its slash; may be empty.
    let prefix: String
    /// The tilesets, the uppermost first.
    let tilesets: [ServedTileset]

    /// The path of the building's index; nil for a single tileset.
    var indexPath: String? { building.map { _ in prefix + IndexFile.buildingName } }
}

/// The contents of a source at a moment.
struct SourceContents: Sendable {
    /// The buildings and tilesets.
    var groups: [ServedGroup]
    /// The tilesets of all groups.
    var tilesets: [ServedTileset] { groups.flatMap(\.tilesets) }
    /// The name of the campus, and the path of its index; nil if the source is not a campus.
    var campus: (name: String, path: String)?
    /// The files that define the contents; nil if none was read yet.
    var watch: FileWatch?
}
