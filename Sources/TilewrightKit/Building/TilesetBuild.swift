import Georeferencing
import Platform
import Publishing
import Rendering
public import Tilesets
import Tiling

/// The build of a tileset, which is checked before anything is written.
///
/// ```swift
/// let image = ImageRequest("ground.png", at: PositionRequest(.corners(corners)))
/// let build = try TilesetBuild(BuildRequest(image, output: OutputRequest("tiles")))
/// let summary = try await build.run()
/// ```
public struct TilesetBuild: Sendable {
    /// The request.
    public let request: BuildRequest
    /// Zooms, tiles and memory.
    public let plan: TilesetPlan
    /// Warnings for the user, a line each.
    public let warnings: [Warning]

    /// The jobs that it shares with other builds; nil if it is alone.
    var semaphore: FairSemaphore?
    /// The memory that it shares with other builds, in bytes; nil if it is alone.
    var memory: FairSemaphore?
    /// Whether the tileset may replace one that was made of other images: a manifest says which images a
    /// floor has now.
    var replacesOthers = false
    /// Receives the run's changes before they are published, for a list of several builds.
    var announce: (@Sendable (TilesetNews) throws -> Void)?

    /// Parts that other machines have rendered; nil if all is rendered here.
    var shards: ShardSet?

    let inputs: BuildInputs
    /// Hashes of files that are read ahead of the run; nil if the run reads them.
    private let hashes: BackgroundHashing?
    let names: TileNames

    /// Prepares a build: looks at the images, finds their places, plans, and checks the output's name.
    ///
    /// - Parameters:
    ///   - request: what to build.
    ///   - hashesAhead: whether a separate task hashes the images meanwhile. That saves time if the build is
    ///     run at once, but wastes some if it is never run. A single job has no such task, nor have the jobs
    ///     of a job server: it would take one that another process may need.
    /// - Throws: a `Failure` that says what is wrong with the request or with an input.
    public init(_ request: BuildRequest, hashesAhead: Bool = false) throws {
        try self.init(request, hashesAhead: hashesAhead) {
            try PlacedImages($0.images, resources: $0.resources)
        }
    }

    /// Prepares a build.
    ///
    /// - Parameters:
    ///   - hashesAhead: whether a separate task hashes the images meanwhile.
    ///   - deferringRows: whether to plan how tiles are rendered only when the first one is rendered.
    ///   - place: finds the places of the images.
    init(
        _ request: BuildRequest, hashesAhead: Bool = false, deferringRows: Bool = false,
        placing place: (BuildRequest) throws -> PlacedImages
    ) throws {
        self.request = request
        let output = request.output
        var resources = request.resources
        resources.scratchDirectory = resources.scratchDirectory ?? output.path.parentDirectory
        // The folder of the output may not exist yet, and a run that only looks makes none.
        FarSources.useScratch(in: request.resources.scratchDirectory ?? output.path.existingParent)
        inputs = try BuildInputs(request.images, others: request.lists + request.pyramid.files)
        hashes =
            hashesAhead && request.resources.effectiveJobs > 1 && JobServer.current == nil
            ? BackgroundHashing(of: inputs.pixelFiles) : nil
        try Self.checkSources(inputs, output)
        try output.check()
        try output.checkIsFolder()
        try output.container.check(output, request.pyramid.encoding.format)
        try output.lists.check(inputs: inputs.paths, outputs: [output.path], target: output.target)
        names = try TileNames(
            writing: request.pyramid.encoding.format, as: output.template, floor: output.floor,
            scheme: output.scheme)
        let placed = try place(request)
        for image in placed.all { try image.check(maxResidual: request.maxResidual) }
        plan = try TilesetPlan(
            deferringRowsOf: placed.all, request: request.pyramid, resources: resources)
        if !deferringRows { _ = try plan.builder }
        try output.check(tileCount: plan.tileCount)
        warnings = placed.warnings + plan.warnings + Self.warnings(of: output, names)
        try check(sparing: ReadFiles(inputs.paths))
    }

    /// Warns early of floors in one folder whose tiles have the same names: a tile of another floor would be
    /// found, and refused, only when tiles are published.
    private static func warnings(of output: OutputRequest, _ names: TileNames) -> [Warning] {
        if output.container.isArchive || output.template.contains("{floor}") || output.force { return [] }
        // Errors of the output are thrown when it is opened.
        let others = (try? TreeReader.tilesets(of: output.path, namedAs: names)) ?? []
        if others.isEmpty { return [] }
        return [
            Warning(
                "same-names",
                "'\(output.path)' holds \(others.listed("and")), whose tiles have the same names: give each floor "
                    + "--floor, and {floor} in --template")
        ]
    }

    /// Refuses an output that is one of the inputs, even if it may be replaced.
    private static func checkSources(_ inputs: BuildInputs, _ output: OutputRequest) throws {
        for path in inputs.paths where OutputFile.areSame(path, output.path) {
            throw Failure(
                .usage, cannot: "write '\(output.path)'",
                inputs.images.contains(path) ? "that is the image itself" : "'\(path)' is an input",
                remedy: "give another OUTPUT")
        }
    }

    /// All files that decide the tiles: also those that a CAD drawing refers to, which are known only now that it
    /// has been read.
    var dependencies: [String] {
        (inputs.paths + plan.images.flatMap { $0.drawn?.otherFiles ?? [] }).uniqued
    }

    /// The failure if a file that decides the tiles has changed since it was read.
    func change() -> Failure? {
        inputs.change()
            ?? plan.images.lazy.compactMap { $0.drawn?.cad?.changedFile }.first.map { .changed($0) }
    }

    /// Builds the tileset, unless it is there already.
    ///
    /// Tiles are published when all are made. If the run fails on its input, the output is as it was; if
    /// it is cancelled or killed, the next run goes on from the tiles that are finished.
    ///
    /// Reads each image once to hash it, and again to render it unless nothing changed since the last run. It
    /// runs on the caller's actor, and renders on as many threads as the plan's resources say: call it from a
    /// task that is not bound to the main actor.
    ///
    /// - Parameter report: takes progress and warnings.
    /// - Throws: a `Failure`: `outputRefused` if the output cannot be made or was not made by tilewright,
    ///   `busy` if another run writes it, `badInput` if an image is damaged, `inputOutput` and `systemLimit`
    ///   for what the system refuses; `CancellationError` if the task was cancelled.
    public func run(report: BuildEventHandler = { _ in }) async throws -> BuildSummary {
        if memory == nil, shards == nil { try plan.builder.checkMemory() }
        try request.output.lists.writeDependencies(of: request.output.target, on: dependencies)
        let job = try await fingerprint()
        let images = plan.images.map { SourceImage(path: $0.path, page: $0.request.pageNumber) }
        let output = request.output
        var place = TilesetOptions(
            path: output.path, force: output.force, origin: TilesetOrigin(job: job, images: images),
            fsync: output.fsync)
        place.replacesOthers = replacesOthers
        place.budget = ReadingBudget(tiles: request.resources.maxTiles)
        func open() throws -> any TilesetWriter {
            try place.open(
                names: names, job: job, scratchDirectory: plan.scratchDirectory,
                jobs: request.resources.effectiveJobs)
        }
        do {
            let tileset = try open()
            return try await publish(tileset.isComplete ? tileset : render(into: tileset, report), report)
        } catch is DamagedArchive {
            place.reusesTiles = false
            return try await publish(render(into: open(), report), report)
        }
    }

    private func fingerprint() async throws -> ContentHash {
        if let shards { return shards.fingerprint }
        let known = await hashes?.hashes ?? [:]
        // Files that changed since they were hashed are hashed again; the run fails on them later.
        return try await JobServer.current.with {
            try JobFingerprint(plan, known: inputs.change() == nil ? known : [:]).hash
        }
    }

    /// Publishes a tileset whose tiles are all made, with its documents.
    private func publish(
        _ finished: any TilesetWriter, _ report: BuildEventHandler
    ) async throws -> BuildSummary {
        let contents = finished.contents
        let metadata = metadata(limits: plan.pyramid.limits(of: finished.tiles), contents: contents)
        var documents = TilesetDocuments(metadata)
        do {
            documents.sideFiles =
                try await earthFiles(finished, metadata, report) + documents.sideFiles
        } catch { try end(finished, after: error) }
        // The reader of a pipe acts at once, but an archive changes only when it is finished: a pipe gets the
        // list afterwards. A file gets it before: if the run then fails, the next one lists them again.
        let isArchive = request.output.container.isArchive
        let isRead = isArchive && request.output.changes.map(WholeFile.isStream) == true
        let tiles = announce == nil ? [] : finished.tiles
        var pending = request.output.pending.map { PendingFile($0, fsync: request.output.fsync) }
        let changes: TilesetSummary
        do {
            // Other floors may be rendered meanwhile, so this is a unit of work, too.
            changes = try await JobServer.current.with {
                try finished.finish(documents) { changes in
                    if !isRead { try writeChanges(changes, metadata) }
                    // The tiles of a folder are in place by now.
                    let listed = pending == nil ? [] : addresses(changes, metadata)
                    if isArchive { try pending?.expect(listed) } else { try pending?.add(listed) }
                    try announce?(
                        TilesetNews(
                            metadata: metadata, changes: changes, tiles: tiles,
                            documents: documents.sideFiles.map(\.name)))
                }
            }
        } catch let error as CancellationError {
            // It waited for its turn.
            try end(finished, after: error)
            throw error
        }
        if isRead { try writeChanges(changes, metadata) }
        if isArchive, pending != nil { try pending?.add(addresses(changes, metadata)) }
        return BuildSummary(
            metadata: metadata, changes: changes, tileCount: contents.tileCount,
            skippedCount: max(0, plan.tileCount - contents.tileCount))
    }
}

/// The changes that a build is about to publish.
struct TilesetNews: Sendable {
    /// The tileset's metadata.
    var metadata: TilesetMetadata
    /// The tiles and documents that are new, changed or gone since the last run.
    var changes: TilesetSummary
    /// All tiles.
    let tiles: [TileCoordinate]
    /// The names of all files other than tiles.
    let documents: [String]
}

/// The result of a build.
public struct BuildSummary: Hashable, Sendable {
    /// The tileset's metadata.
    public let metadata: TilesetMetadata
    /// The tiles and documents that are new, changed or gone since the last run.
    public let changes: TilesetSummary
    /// The number of tiles of the tileset.
    public let tileCount: Int
    /// The number of tiles that were left out because they are wholly transparent; an estimate if the plan
    /// only estimates its number of tiles.
    public let skippedCount: Int
}

extension TilesetBuild {
    /// The files for Google Earth.
    private func earthFiles(
        _ tileset: any TilesetWriter, _ metadata: TilesetMetadata, _ report: BuildEventHandler
    ) async throws -> [SideFile] {
        switch request.output.docKML {
        case nil: return []
        case .superoverlay: return SuperOverlay(metadata, tiles: tileset.tiles).files
        case .overlay:
            let picture = try await OverlayPicture.render(plan)
            if let change = change() { throw change }
            if let shift = picture.visibleShift {
                report(
                    .warning(
                        Warning(
                            "doc-kml",
                            "rows of doc.kml's picture are up to \(shift.text(decimals: 1)) pixels off, "
                                + "since the image is so tall; --doc-kml superoverlay is exact")))
            }
            return metadata.overlay(picture.bytes, box: picture.box)
        }
    }

    /// The tileset's description, from the request and from what was built.
    func metadata(limits: [TileRange], contents: TilesetContents) -> TilesetMetadata {
        let output = request.output
        let name = plan.images.count == 1 ? plan.images[0].request.stem(", page ") : output.path.fileStem
        var metadata = TilesetMetadata(
            name: output.labels.name ?? name,
            description: output.labels.description ?? "",
            attribution: output.labels.attribution ?? "",
            floor: output.floor,
            format: plan.request.encoding.format,
            tileSize: plan.request.tileSize.rawValue,
            scheme: names.clientScheme,
            template: names.clientTemplate,
            baseURL: output.url,
            bounds: plan.bounds,
            limits: limits,
            contents: contents)
        metadata.fitBounds()
        return metadata
    }

    /// Writes the list of a run's changes.
    private func writeChanges(_ summary: TilesetSummary, _ metadata: TilesetMetadata) throws {
        guard let path = request.output.changes else { return }
        try OutputFile.write(addresses(summary, metadata).listed, to: path)
    }

    /// A run's changes, by their addresses.
    private func addresses(_ summary: TilesetSummary, _ metadata: TilesetMetadata) -> [AddressChange] {
        var metadata = metadata
        if request.output.container.isArchive { metadata.template = TilesetMetadata.archiveTemplate }
        return ChangeList.changes(summary, of: metadata)
    }
}

/// The events of a build while it runs.
public enum BuildEvent: Sendable {
    /// A pass over all tiles.
    public enum Phase: Sendable {
        /// Colours are counted, for a palette.
        case colors
        /// Tiles are written.
        case tiles
    }

    /// A phase begins; `tileCount` is the most tiles that it can have.
    case began(Phase, tileCount: Int)
    /// The number of the phase's tiles that are done.
    case progressed(tilesDone: Int)
    /// The phase has ended, successfully or not.
    case ended
    /// A warning for the user.
    case warning(Warning)
}

/// Receives the events of a build, on the task that runs it.
public typealias BuildEventHandler = (BuildEvent) -> Void
