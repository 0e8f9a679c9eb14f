import Platform
import Pyramid
import Synchronization

/// A run that builds buildings: their indexes are locked from its beginning to its end.
struct BuildingRun {
    private let buildings: [OpenBuilding]
    private let options: BuildingOptions
    private let inputs: BuildingInputs
    /// The path of the index that depends on all inputs.
    private let index: String

    /// Locks the indexes.
    ///
    /// - Parameter index: what depends on all inputs.
    /// - Throws: a `Failure`: `outputRefused` if an index is not ours or a list cannot be written, `busy` if
    ///   another run builds one of the buildings.
    init(_ builds: [BuildingBuild], options: BuildingOptions, index: String) throws {
        inputs = BuildingInputs(builds)
        self.index = index
        try OutputLists(changes: options.changes, depfile: options.depfile).check(
            inputs: inputs.paths, outputs: builds.flatMap(\.request.outputs) + [index])
        try Self.check(builds, index: index, sparing: ReadFiles(inputs.paths))
        if let depfile = options.depfile {
            let dependencies = inputs.dependencies(of: index)
            try dependencies.check()
            try OutputFile.write(dependencies.text.utf8, to: depfile)
        }
        var buildings: [OpenBuilding] = []
        do {
            for build in builds { buildings.append(try OpenBuilding(build)) }
        } catch {
            buildings.forEach { $0.discard() }
            throw error
        }
        (self.buildings, self.options) = (buildings, options)
    }

    /// Refuses to write over what is read for any of the floors, or to remove it.
    private static func check(_ builds: [BuildingBuild], index: String, sparing files: ReadFiles) throws {
        for path in builds.map(\.request.indexPath) + [index] { try files.check(file: path) }
        for floor in builds.flatMap(\.floors) {
            if case .success(let build) = floor.build { try build.check(sparing: files) }
        }
    }

    /// Builds all floors, and ends each building.
    ///
    /// - Parameters:
    ///   - report: takes progress and warnings.
    ///   - end: what is done when all are ended, before the list of changes is.
    /// - Returns: what became of each building.
    /// - Throws: `CancellationError`, or a `Failure` if an index cannot be written.
    func run(
        report: @escaping BuildingEventHandler,
        atEnd end: (BuildingChanges, [BuildingSummary]) throws -> Void = { _, _ in }
    ) async throws -> [BuildingSummary] {
        let changes = try BuildingChanges(options.changes, maxTiles: options.resources.maxTiles)
        do {
            var floors: [FloorBuild] = []
            for building in buildings {
                floors += building.floors(
                    tellingTo: changes, from: floors.count, below: folder(of: building))
            }
            var outcomes = try await FloorQueue(floors, resources: options.resources).run(report: report)[...]
            if let change = inputs.change() { throw change }
            let summaries = try buildings.map { building in
                let own = outcomes.prefix(building.build.floors.count)
                outcomes = outcomes.dropFirst(own.count)
                return try building.finish(
                    Array(own), tellingTo: changes, from: own.startIndex, below: folder(of: building),
                    report: report)
            }
            try end(changes, summaries)
            try changes.finish()
            return summaries
        } catch {
            // Those that were finished stay so.
            buildings.forEach { $0.discard() }
            throw error
        }
    }

    /// What stands before the relative addresses of a building in the list; nil for nothing.
    private func folder(of building: OpenBuilding) -> String? {
        let way = RelativePath.components(from: index.parentDirectory, to: building.build.request.folder)
        return way.isEmpty ? nil : way.map { TilesetMetadata.escaped($0) }.joined(separator: "/")
    }
}

/// The files that a run reads of buildings, as the manifests are when it begins.
struct BuildingInputs: Sendable {
    /// All files, each once: the manifests, and what the floors are made of.
    let paths: [String]
    private let manifests: [String]
    private let stamps: [FileStamp?]

    /// Lists the files of buildings.
    init(_ builds: [BuildingBuild]) {
        var seen: Set<String> = []
        manifests = builds.flatMap(\.request.manifests).filter { seen.insert($0).inserted }
        stamps = manifests.map { FileStamp($0) }
        let floors = builds.flatMap(\.floors).flatMap(\.inputs)
        paths = manifests + floors.filter { seen.insert($0).inserted }
    }

    /// What is wrong if a manifest is no longer what it was: an index would be newer than both.
    func change() -> Failure? {
        let changed = zip(manifests, stamps).first { path, stamp in FileStamp(path) != stamp }
        return changed.map { path, _ in .changed(path) }
    }

    /// What make is to know of the files.
    ///
    /// - Parameter index: what depends on them.
    func dependencies(of index: String) -> DependencyFile {
        DependencyFile(target: index, dependencies: paths)
    }
}

/// Builds floors side by side: as many at a time as there are jobs, as far as the memory holds them.
///
/// All of them share the jobs: while one floor is hashed or published, which one core does, the others render.
struct FloorQueue {
    private let floors: [FloorBuild]
    private let resources: BuildResources

    /// Takes floors, which begin in their order.
    init(_ floors: [FloorBuild], resources: BuildResources) {
        (self.floors, self.resources) = (floors, resources)
    }

    /// Builds all floors.
    ///
    /// - Returns: what became of each.
    /// - Throws: `CancellationError` if the task was cancelled; floors that are not finished go on from there.
    func run(report: @escaping BuildingEventHandler) async throws -> [Result<BuildSummary, Failure>] {
        let images = floors.flatMap { (try? $0.build.get().plan.images) ?? [] }
        let (jobs, memory) = (
            FairSemaphore(resources.effectiveJobs), FairSemaphore(resources.pixelMemory(of: images))
        )
        let lock = Mutex(())
        let tell: BuildingEventHandler = { event in lock.withLock { _ in report(event) } }
        var outcomes: [Int: Result<BuildSummary, Failure>] = [:]
        try await withThrowingTaskGroup(of: (Int, Result<BuildSummary, Failure>).self) { group in
            var waiting = floors.indices[...]
            func start() {
                guard let next = waiting.popFirst() else { return }
                let floor = floors[next]
                group.addTask {
                    (next, try await Self.build(floor, jobs: jobs, memory: memory, report: tell))
                }
            }
            for _ in 0..<resources.effectiveJobs { start() }
            while let (index, outcome) = try await group.next() {
                outcomes[index] = outcome
                start()
            }
        }
        return floors.indices.map { outcomes[$0].unwrapped("each floor came to an end") }
    }

    private static func build(
        _ floor: FloorBuild, jobs: FairSemaphore, memory: FairSemaphore,
        report: @escaping BuildingEventHandler
    ) async throws -> Result<BuildSummary, Failure> {
        do {
            var build = try floor.build.get()
            (build.semaphore, build.memory) = (jobs, memory)
            build.announce = floor.announce
            let summary = try await build.run { report(.floor(floor.name, $0)) }
            report(.built(floor.name, summary))
            return .success(summary)
        } catch let failure as Failure {
            report(.failed(floor.name, failure))
            return .failure(failure)
        }
    }
}
