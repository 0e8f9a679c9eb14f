import Platform
import Publishing
import Rendering
import Synchronization

/// A run that builds buildings: their indexes are locked from its beginning to its end.
struct BuildingRun {
    private let buildings: [OpenBuilding]
    private let options: BuildingOptions
    /// The manifests, as they are when the run begins.
    private let manifests: [(path: String, stamp: FileStamp?)]
    private let changes: BuildingChanges

    /// Locks the indexes.
    ///
    /// - Parameter index: the path of the index that depends on all inputs.
    /// - Throws: a `Failure`: `outputRefused` if an index was not made by tilewright or a list cannot be
    ///   written, `busy` if another run builds one of the buildings.
    init(_ builds: [BuildingBuild], options: BuildingOptions, index: String) throws {
        self.options = options
        manifests = builds.flatMap(\.request.manifests).uniqued.map { ($0, FileStamp($0)) }
        let inputs = (manifests.map(\.path) + builds.flatMap(\.floors).flatMap(\.inputs)).uniqued
        let lists = OutputLists(
            changes: options.changes, pending: options.pending, depfile: options.depfile)
        try lists.check(
            inputs: inputs, outputs: builds.flatMap(\.request.outputs) + [index], target: index)
        try Self.check(builds, index: index, sparing: ReadFiles(inputs))
        try lists.writeDependencies(of: index, on: inputs)
        changes = BuildingChanges(options)
        var buildings: [OpenBuilding] = []
        var start = 0
        do {
            for build in builds {
                buildings.append(
                    try OpenBuilding(
                        build, tellingTo: changes, from: start,
                        below: Self.folder(of: build.request, from: index.parentDirectory)))
                start += build.floors.count
            }
        } catch {
            buildings.forEach { $0.discard() }
            throw error
        }
        self.buildings = buildings
    }

    /// Refuses to overwrite or remove an input of any floor.
    private static func check(_ builds: [BuildingBuild], index: String, sparing files: ReadFiles) throws {
        for path in builds.map(\.request.indexPath) + [index] { try files.check(file: path) }
        for floor in builds.flatMap(\.floors) {
            if case .success(let build) = floor.build { try build.check(sparing: files) }
        }
    }

    /// The prefix of a building's relative addresses in the list of changes; nil for none.
    private static func folder(of building: BuildingRequest, from folder: String) -> String? {
        let way = RelativePath.components(from: folder, to: building.folder)
        return way.isEmpty ? nil : way.map { TilesetMetadata.escaped($0) }.joined(separator: "/")
    }

    /// Builds all floors, and finishes each building.
    ///
    /// - Parameters:
    ///   - report: takes progress and warnings.
    ///   - end: runs when all buildings are finished, before the list of changes is finished.
    /// - Returns: the result of each building.
    /// - Throws: `CancellationError`, or a `Failure` if an index cannot be written.
    func run(
        report: @escaping BuildingEventHandler,
        atEnd end: (BuildingChanges, [BuildingSummary]) throws -> Void = { _, _ in }
    ) async throws -> [BuildingSummary] {
        do {
            var outcomes = try await build(buildings.flatMap(\.floors), report)[...]
            // The index would be newer than the changed manifest, but without its changes.
            for (path, stamp) in manifests where FileStamp(path) != stamp { throw Failure.changed(path) }
            let summaries = try buildings.map { building in
                let own = outcomes.prefix(building.build.floors.count)
                outcomes = outcomes.dropFirst(own.count)
                return try building.finish(Array(own), report: report)
            }
            try end(changes, summaries)
            try changes.finish()
            return summaries
        } catch {
            // Buildings that are finished stay so.
            buildings.forEach { $0.discard() }
            throw error
        }
    }

    /// Builds as many floors at a time as there are jobs, if memory suffices for them.
    ///
    /// All floors share the jobs: while one core hashes or publishes a floor, the others render.
    ///
    /// - Returns: the result of each floor.
    /// - Throws: `CancellationError` if the task was cancelled; a later run continues the floors that are not
    ///   finished.
    private func build(
        _ floors: [FloorBuild], _ report: @escaping BuildingEventHandler
    ) async throws -> [Result<BuildSummary, Failure>] {
        let resources = options.resources
        let images = floors.flatMap { (try? $0.build.get().plan.images) ?? [] }
        let (jobs, memory) = (
            FairSemaphore(resources.effectiveJobs), FairSemaphore(resources.pixelMemory(of: images))
        )
        let lock = Mutex(())
        let tell: BuildingEventHandler = { event in lock.withLock { _ in report(event) } }
        return try await floors.concurrentMap(atMost: resources.effectiveJobs) { floor in
            try Task.checkCancellation()
            return try await floor.run(jobs: jobs, memory: memory, report: tell)
        }.map { try $0.get() }
    }
}

extension Array where Element: Sendable {
    /// Transforms all elements concurrently, at most `width` at a time; the results are in their order.
    func concurrentMap<Value: Sendable>(
        atMost width: Int = .max, _ make: @escaping @Sendable (Element) async throws -> Value
    ) async -> [Result<Value, any Error>] {
        await withTaskGroup(of: (Int, Result<Value, any Error>).self) { group in
            var results = [Result<Value, any Error>?](repeating: nil, count: count)
            for (index, element) in enumerated() {
                if index >= width, let (done, result) = await group.next() { results[done] = result }
                group.addTask { (index, await Result { try await make(element) }) }
            }
            for await (index, result) in group { results[index] = result }
            return results.compactMap(\.self)
        }
    }
}

extension Result where Failure == any Error {
    /// The result of an asynchronous function.
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

extension FloorBuild {
    /// Builds the floor.
    ///
    /// - Parameters:
    ///   - jobs: the jobs that all floors share.
    ///   - memory: the bytes that all floors share.
    fileprivate func run(
        jobs: FairSemaphore, memory: FairSemaphore, report: @escaping BuildingEventHandler
    ) async throws -> Result<BuildSummary, Failure> {
        do {
            var build = try build.get()
            (build.semaphore, build.memory, build.announce) = (jobs, memory, announce)
            let summary = try await build.run { report(.floor(name, $0)) }
            report(.built(name, summary))
            return .success(summary)
        } catch let failure as Failure {
            report(.failed(name, failure))
            return .failure(failure)
        }
    }
}
