import Platform
import Publishing
import Synchronization
import Tilesets
import Tiling

/// The source of a served tileset: a finished tileset, or images.
protocol TileSource: Sendable {
    /// Its description when a server starts.
    var title: String { get }

    /// Opens the current state.
    ///
    /// - Parameter last: the content before; nil at first.
    /// - Throws: a `Failure` if it cannot be read.
    func open(after last: ServedContent?) throws -> ServedContent
}

/// A finished tileset, in a folder or an archive.
struct StoredSource: TileSource {
    private let path: String
    private let floor: String?
    private let maxTiles: Int
    /// The file that changes last when the tileset does.
    private let mark: String

    /// Names a tileset.
    ///
    /// - Parameters:
    ///   - floor: the floor to read, of a folder that has several.
    ///   - maxTiles: the maximum number of tiles that the tileset may have.
    init(_ path: String, floor: String? = nil, maxTiles: Int) {
        (self.path, self.floor, self.maxTiles) = (path, floor, maxTiles)
        let isArchive = TilesetContainer(existing: path).isArchive
        mark = isArchive ? path : path.path(of: SideFile.name("tilejson", floor: floor))
    }

    var title: String { "'\(path)'" + (floor.map { ", floor '\($0)'" } ?? "") }

    func open(after last: ServedContent?) throws -> ServedContent {
        var watch = FileWatch([mark])
        // The zooms of a folder without a TileJSON are its folders.
        if !watch.isThere { watch = FileWatch([mark], folders: [path]) }
        do {
            return ServedContent(try StoredTileset(path, floor: floor, maxTiles: maxTiles), watch: watch)
        } catch {
            // While a run publishes tiles in a folder, they are found by the last metadata.
            if case .stored(let tileset)? = last?.tiles, tileset.tree != nil, watch.isThere, let last {
                return last
            }
            throw error
        }
    }
}

/// An image with a position, whose tiles are rendered on request.
struct ImageSource: TileSource {
    /// The image.
    let image: ImageRequest
    /// The tiles to make of it.
    let request: PyramidRequest
    /// The resources of each tile.
    let resources: BuildResources
    /// The queue that renders tiles.
    let queue: RenderQueue.Share

    var title: String { "\(image.title), rendered on demand" }

    func open(after last: ServedContent?) throws -> ServedContent {
        let inputs = try BuildInputs([image], others: request.files)
        // A file with a position may be added next to the image.
        let watch = FileWatch(inputs.paths, folders: [image.path.parentDirectory])
        let placed = try PlacedImages([image], resources: resources)
        let source = try TilesOnDemand(images: placed.all, request: request, resources: resources)
        return ServedContent(
            RenderedTiles(source, queue: queue),
            metadata: TilesetMetadata(of: source, name: image.stem(", page ")), watch: watch)
    }
}

extension TilesetMetadata {
    /// The metadata of a tileset that is not built.
    init(
        of source: TilesOnDemand, name: String, labels: TilesetLabels = TilesetLabels(), floor: String? = nil
    ) {
        self.init(
            name: labels.name ?? name, description: labels.description ?? "",
            attribution: labels.attribution ?? "", floor: floor, format: source.request.encoding.format,
            tileSize: source.request.tileSize.rawValue, scheme: .xyz, template: "", baseURL: nil,
            bounds: source.bounds, limits: source.limits, contents: nil)
        fitBounds()
    }
}

/// A floor of a manifest: the built tileset if it is up to date, else rendered from its images.
struct FloorSource: TileSource {
    /// The floor.
    let floor: Manifest.Floor
    /// The plans of its manifest.
    let plans: ManifestPlans
    /// The queue that renders tiles.
    let queue: RenderQueue.Share

    var title: String { "\(floor.name) of '\(plans.path)'" }

    func open(after last: ServedContent?) throws -> ServedContent {
        let request = floor.request
        let output = request.build.output
        let mark = FileWatch([output.target])
        let (planned, inputs): (FloorPlan, FileWatch)
        do { (planned, inputs) = try plans.plan(of: floor.name) } catch {
            // The manifest may be half written: its last state is served until it is valid again.
            if let last { return last }
            throw error
        }
        let watch = inputs + mark
        let stored = try? StoredTileset(
            output.path, floor: output.storedFloor, maxTiles: plans.resources.maxTiles)
        let plan: TilesetPlan
        do { plan = try planned.required() } catch {
            // A floor that cannot be built keeps its last state.
            if let stored { return ServedContent(stored, watch: watch) }
            throw error
        }
        let job = try JobFingerprint(plan).hash
        if let stored, stored.reader.origin.job == job { return ServedContent(stored, watch: watch) }
        var metadata = TilesetMetadata(
            of: plan.onDemand, name: request.effectiveLabel, labels: output.labels, floor: request.floor)
        metadata.contents = TilesetContents(tileCount: plan.tileCount, digest: job.hex)
        return ServedContent(
            RenderedTiles(plan.onDemand, queue: queue), metadata: metadata, watch: watch)
    }
}

/// The plans of all floors of a manifest, which share zooms. They are made again if one of their files
/// changed.
final class ManifestPlans: Sendable {
    private typealias Made = (watch: FileWatch, plans: [FloorPlan])

    /// The manifest.
    let path: String

    /// The resources for rendering, and the most tiles of a tileset.
    let resources: BuildResources
    private let made = Mutex<Made?>(nil)

    /// Names a manifest. Reads nothing yet.
    init(_ path: String, resources: BuildResources) { (self.path, self.resources) = (path, resources) }

    /// The plan of a floor, and the state of all files that it depends on, as it was before planning.
    ///
    /// - Throws: a `Failure` if the manifest is faulty, or does not name the floor.
    func plan(of name: FloorName) throws -> (FloorPlan, FileWatch) {
        let made = try current()
        guard let floor = made.plans.first(where: { $0.name == name }) else {
            throw Failure(.missingInput, cannot: "serve the \(name)", "'\(path)' no longer names it")
        }
        return (floor, made.watch)
    }

    private func current() throws -> Made {
        try made.withLock { made in
            if let made, made.watch.isCurrent { return made }
            let manifest = try Manifest(contentsOf: path)
            let floors = manifest.floors.map(\.request.build)
            let files = try floors.flatMap { build in
                try BuildInputs(build.images, others: build.lists + build.pyramid.files).paths
            }
            let inputs = (manifest.buildings.flatMap(\.manifests) + [path] + files).uniqued
            // A file with a position may be added.
            let folders = Set(floors.flatMap(\.images).map(\.path.parentDirectory))
            let watch = FileWatch(inputs, folders: folders.sorted())
            let new = (watch: watch, plans: try FloorPlans(manifest, resources: resources).all)
            made = new
            return new
        }
    }
}
