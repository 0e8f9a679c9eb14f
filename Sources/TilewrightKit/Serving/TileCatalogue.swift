import Platform
import Publishing
import Synchronization
import Tilesets
import Tiling

/// All tilesets of a server, by name, in their current state.
///
/// Each source is read on its own threads. A source that cannot be read in time is shown in its last state,
/// or left out of lists.
public final class TileCatalogue: Sendable {
    /// A message for people about a fault.
    public typealias Report = @Sendable (String) -> Void

    private struct State {
        var contents: [SourceContents]
        var byName: [String: ServedTileset]
    }

    /// The maximum number of bytes of cached tiles: some thousand tiles of a plan.
    private static let keptBytes = 32 << 20

    /// The images that can be placed in a page; empty unless placing is allowed.
    package let placing: [PlacingPlace]

    /// The threads for requests about all sources, which read no files.
    package let threads = BlockingThreads()

    private let loaders: [SourceLoader]
    private let log: FaultLog
    private let state: Mutex<State>

    /// The time that a server waits for a source at the start.
    private static let startPatience = Duration.seconds(10)
    /// The time that a list of all sources waits for each of them.
    private static let patience = Duration.seconds(2)

    /// Opens all sources once, without waiting for slow ones.
    ///
    /// - Parameters:
    ///   - request: what to serve.
    ///   - report: receives warnings, now and later.
    /// - Throws: a `Failure`: `usage` if two sources have the same name, or the fault of a source.
    public init(_ request: ServingRequest, report: @escaping Report = { _ in }) async throws {
        if request.inputs.isEmpty {
            throw Failure(.usage, "there is nothing to serve", remedy: "name a folder of tiles, or an image")
        }
        for input in request.inputs { try input.checkName() }
        try request.pyramid.check()
        try request.pyramid.encoding.checkSingleTiles()
        try request.resources.check()
        let queue = RenderQueue(jobs: request.resources.effectiveJobs, bytes: Self.keptBytes)
        loaders = request.inputs.map { SourceLoader($0, of: request, queue: queue) }
        placing =
            request.allowsPlacing ? request.inputs.compactMap { PlacingPlace($0, image: request.image) } : []
        log = FaultLog(say: report)
        let loaded = await loaders.concurrentMap { loader in
            try await loader.threads.result(within: Self.startPatience) { try loader.load() }
        }
        let contents = try loaded.map { try $0.get() ?? SourceContents(groups: [], watch: nil) }
        state = Mutex(State(contents: contents, byName: try Self.table(contents)))
        for (input, served) in zip(request.inputs, contents) {
            let opened = await Self.contents(of: served.tilesets, within: Self.startPatience)
            let mayWait = request.allowsPlacing && input.kind != .tileset
            for failure in try Self.failures(of: opened, mayWait: mayWait) { report(failure.message) }
            let isLate = opened.contains { if case .success(nil) = $0 { true } else { false } }
            if served.watch == nil || isLate {
                report("'\(input.path)' is slow to read: the server starts, and serves it once it is read")
            }
        }
    }

    /// All tilesets, in the order of the sources, the uppermost floors first.
    public var tilesets: [ServedTileset] { groups.flatMap(\.tilesets) }

    /// A tileset; nil if there is no such name.
    public func tileset(_ name: String) async -> ServedTileset? {
        if let known = knownTileset(name) { return known }
        await refresh()
        return knownTileset(name)
    }

    /// A tileset whose name is known already; reads nothing.
    package func knownTileset(_ name: String) -> ServedTileset? { state.withLock { $0.byName[name] } }

    var groups: [ServedGroup] { state.withLock { $0.contents.flatMap(\.groups) } }

    var campuses: [(name: String, path: String, groups: [ServedGroup])] {
        state.withLock { state in
            state.contents.compactMap { contents in
                contents.campus.map { ($0.name, $0.path, contents.groups) }
            }
        }
    }

    /// Reports a fault.
    package func note(_ error: any Error) { log.note(error) }

    /// Updates the tilesets of all sources. A source that cannot be read stays in its last state.
    package func refresh() async {
        let known = Array(zip(loaders, state.withLock { $0.contents }))
        let changed = await known.concurrentMap { loader, contents in
            try await loader.threads.result(within: Self.patience) {
                contents.watch?.isCurrent == true ? nil : try loader.load()
            }
        }
        do {
            try state.withLock { state in
                var contents = state.contents
                for (index, result) in changed.enumerated() {
                    do { contents[index] = try result.get().flatMap(\.self) ?? contents[index] } catch {
                        note(error)
                    }
                }
                state = State(contents: contents, byName: try Self.table(contents))
            }
        } catch { note(error) }
    }

    /// The current contents of tilesets by name. Tilesets that cannot be read are reported and left out;
    /// those that cannot be read in time are in their last state.
    func contents(of tilesets: [ServedTileset]) async -> [String: ServedContent] {
        var contents: [String: ServedContent] = [:]
        for (tileset, result) in zip(tilesets, await Self.contents(of: tilesets, within: Self.patience)) {
            do { contents[tileset.name] = try result.get() ?? tileset.last } catch { note(error) }
        }
        return contents
    }

    /// The current contents of tilesets; nil for those that cannot be read in time.
    private static func contents(
        of tilesets: [ServedTileset], within time: Duration
    ) async -> [Result<ServedContent?, any Error>] {
        await tilesets.concurrentMap { tileset in
            try await tileset.threads.result(within: time) { try tileset.current() }
        }
    }

    private static func table(_ contents: [SourceContents]) throws(Failure) -> [String: ServedTileset] {
        var table: [String: ServedTileset] = [:]
        for tileset in contents.flatMap(\.tilesets) {
            if let other = table.updateValue(tileset, forKey: tileset.name) {
                let both = "\(other.origin) and \(tileset.origin)"
                throw .sameName("two inputs have the name '\(tileset.name)': \(both)")
            }
        }
        var indexes: Set<String> = []
        let paths = contents.compactMap(\.campus?.path) + contents.flatMap(\.groups).compactMap(\.indexPath)
        for path in paths {
            if let other = table[String(path.dropLast(".json".count))] {
                throw .sameName("'\(path)' would be both an index and the TileJSON of \(other.origin)")
            }
            if !indexes.insert(path).inserted { throw .sameName("'\(path)' would index two buildings") }
        }
        return table
    }

    /// The faults that do not stop the server: a floor that cannot be read, or an image without a position.
    ///
    /// - Parameters:
    ///   - opened: the tilesets of a source.
    ///   - mayWait: whether an image may get its position later.
    /// - Throws: the first fault, if no tileset can be served.
    private static func failures(
        of opened: [Result<ServedContent?, any Error>], mayWait: Bool
    ) throws -> [Failure] {
        let failures = opened.compactMap { result -> Failure? in
            if case .failure(let failure as Failure) = result { failure } else { nil }
        }
        if let first = failures.first, failures.count == opened.count,
            !mayWait || first.kind == .missingInput
        {
            throw first
        }
        return failures
    }
}

extension Failure {
    fileprivate static func sameName(_ message: String) -> Failure {
        Failure(
            .usage, message, remedy: "name one of them with NAME=INPUT; floors are then NAME/FLOOR")
    }
}

/// Reports faults while a server runs: each only once in a while, and a limited number in all. Otherwise,
/// requests for tiles of a damaged archive could fill a disk with messages.
final class FaultLog: Sendable {
    private struct State {
        var begin = ContinuousClock.now
        var lines: Set<String> = []
    }

    /// The time for which a fault is not repeated.
    private static let pause = Duration.seconds(10)
    /// The maximum number of faults that are reported in that time.
    private static let most = 10

    private let state = Mutex(State())
    private let say: TileCatalogue.Report

    init(say: @escaping TileCatalogue.Report) { self.say = say }

    /// Reports a fault, unless it or too many others were just reported.
    func note(_ error: any Error) {
        let line = (error as? Failure)?.message ?? "internal error, please report it: \(error)"
        let now = ContinuousClock.now
        let told = state.withLock { state -> String? in
            if now - state.begin > Self.pause { state = State(begin: now) }
            guard state.lines.count <= Self.most, state.lines.insert(line).inserted else { return nil }
            return state.lines.count <= Self.most
                ? line : "further messages are omitted for a while"
        }
        if let told { say(told) }
    }
}
