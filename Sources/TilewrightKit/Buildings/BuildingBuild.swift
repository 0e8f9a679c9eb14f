import Diagnostics
import Files
import Publishing
import Pyramid
import Synchronization
import Tilesets

/// The build of a building: all floors as one job, under one budget of cores and memory.
///
/// ```swift
/// var ground = BuildRequest(ImageRequest("ground.png"), output: OutputRequest("tiles"))
/// ground.output.floor = "0"
/// ground.output.template = "L{floor}_{z}_{x}_{y}.{ext}"
/// let building = BuildingRequest([FloorRequest(ordinal: 0, build: ground)], in: "tiles")
/// let summary = try await BuildingBuild(building).run()
/// ```
///
/// Each floor has the bytes of a build by itself. It is published whole or not at all, and what fails on one
/// floor does not keep the others from being built.
public struct BuildingBuild: Sendable {
    /// What was asked for.
    public let request: BuildingRequest
    /// What is not an error, and what the user should know: a line each.
    public let warnings: [String]

    let floors: [FloorBuild]

    /// Prepares a build: looks at all images, finds their places, and plans. A floor with which something is
    /// wrong fails when it is built, and not now.
    ///
    /// - Throws: a `Failure` that says what is wrong with the request.
    public init(_ request: BuildingRequest) throws {
        try request.check()
        self.request = request
        let earlier = (try? WholeFile.read(request.indexPath))
            .flatMap { $0 }.flatMap(BuildingIndex.init(parsing:))
        let placed = request.floors.map { PlacedFloor($0, resources: request.resources) }
        let zooms = BuildingZooms(placed, earlier: earlier)
        floors = zip(placed, zooms.requests).filter { placed, _ in
            request.only?.contains(placed.request.floor) ?? true
        }.map { placed, zoom in FloorBuild(placed, zoom: zoom, of: request) }
        warnings = zooms.warnings + floors.flatMap(\.warnings)
    }

    /// Builds the floors, removes those that nobody asks for any more, and writes the index.
    ///
    /// - Parameter report: takes progress and warnings.
    /// - Throws: a `Failure`: `outputRefused` if the index there is not ours, `busy` if another run builds the
    ///   building, `inputOutput` if the index cannot be written; `CancellationError` if the task was cancelled.
    ///   What keeps a floor from being built is in the summary.
    public func run(report: @escaping BuildingEventHandler = { _ in }) async throws -> BuildingSummary {
        let index = try IndexFile(request.indexPath, force: request.force, isOurs: BuildingIndex.isOurs)
        do {
            let earlier = index.earlier.flatMap(BuildingIndex.init(parsing:))
            try request.checkReplaces(earlier)
            let outcomes = try await FloorQueue(floors, resources: request.resources).run(report: report)
            let news = self.index(outcomes, earlier: earlier)
            let changed = try index.finish(news.bytes, fsync: request.fsync)
            return BuildingSummary(
                floors: zip(floors, outcomes).map { .init(name: $0.name, outcome: $1) }, removed: [],
                indexChanged: changed)
        } catch {
            try? index.discard()
            throw error
        }
    }

    /// The index: floors that were built as they are now, others as they were.
    private func index(
        _ outcomes: [Result<BuildSummary, Failure>], earlier: BuildingIndex?
    ) -> BuildingIndex {
        var entries = Dictionary(
            (earlier?.floors ?? []).map { ($0.floor, $0) }, uniquingKeysWith: { first, _ in first })
        for (floor, outcome) in zip(floors, outcomes) {
            guard case .success(let summary) = outcome else { continue }
            entries[floor.name] = request.entry(of: floor.request, summary.metadata)
        }
        return BuildingIndex(
            name: request.effectiveName, manifest: request.manifests.first?.fileName,
            floors: request.floors.compactMap { entries[$0.floor] })
    }
}

extension BuildingRequest {
    /// The path of the index.
    var indexPath: String { Self.path(of: BuildingIndex.fileName, in: folder) }

    /// A name for people.
    var effectiveName: String { name ?? folder.fileName }

    /// The path of a file in a folder.
    static func path(of name: String, in folder: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    /// What the index says of a floor.
    fileprivate func entry(of floor: FloorRequest, _ metadata: TilesetMetadata) -> BuildingIndex.Floor? {
        let output = floor.build.output
        return BuildingIndex.Floor(
            metadata, archive: output.container.isArchive ? output.path.fileName : nil, label: floor.label,
            shortName: floor.shortName, ordinal: floor.ordinal, isDefault: floor.isDefault)
    }

    /// Refuses what contradicts itself.
    ///
    /// - Throws: `.usage`.
    func check() throws(Failure) {
        try resources.check()
        let names = floors.map(\.floor)
        if names.isEmpty { throw Failure(.usage, "a building needs at least one floor") }
        if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw Failure(.usage, "two floors have the name '\(name)'", remedy: "give each a name of its own")
        }
        if let name = only?.first(where: { !names.contains($0) }) {
            throw Failure(
                .usage, "--only names a floor '\(name)', and there is none",
                remedy: "the floors are \(names.map { "'\($0)'" }.joined(separator: ", "))")
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

    /// Refuses to take the place of another building.
    ///
    /// - Throws: `.outputRefused`.
    func checkReplaces(_ earlier: BuildingIndex?) throws(Failure) {
        guard let earlier, !force, let manifest = earlier.manifest, let own = manifests.first?.fileName,
            manifest != own, Set(earlier.floors.map(\.floor)).isDisjoint(with: floors.map(\.floor))
        else { return }
        throw Failure(
            .outputRefused, "'\(folder)' was made from '\(manifest)'",
            remedy: "give the building another output, or --force")
    }
}
