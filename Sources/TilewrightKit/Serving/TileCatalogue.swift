import Diagnostics
import Publishing
import Synchronization
import Tilesets
import Tiling

/// All that a server serves, by name; what files and manifests say now.
public final class TileCatalogue: Sendable {
    /// A line for people, about something that went wrong on the way.
    public typealias Report = @Sendable (String) -> Void

    private struct State {
        var things: [ThingContents]
        var byName: [String: ServedTileset]
    }

    /// Bytes of rendered tiles that are kept: some thousand tiles of a plan.
    private static let keptBytes = 32 << 20

    /// What may be laid on the map in a page; empty unless that is allowed.
    package let placing: [PlacingPlace]

    private let loaders: [ThingLoader]
    private let log: FaultLog
    private let state: Mutex<State>

    /// Opens everything once.
    ///
    /// - Parameter report: takes warnings, now and later.
    /// - Throws: a `Failure`: `usage` if two things have the same name, and what is wrong with a thing.
    public init(_ request: ServingRequest, report: @escaping Report = { _ in }) throws {
        if request.things.isEmpty {
            throw Failure(.usage, "there is nothing to serve", remedy: "name a folder of tiles, or an image")
        }
        for thing in request.things { try thing.checkName() }
        try request.pyramid.check()
        try request.pyramid.encoding.checkSingleTiles()
        try request.resources.check()
        let queue = RenderQueue(turns: request.resources.effectiveJobs, bytes: Self.keptBytes)
        loaders = request.things.map { ThingLoader($0, of: request, queue: queue) }
        placing =
            request.allowsPlacing ? request.things.compactMap { PlacingPlace($0, image: request.image) } : []
        log = FaultLog(say: report)
        let things = try loaders.map { try $0.load() }
        state = Mutex(State(things: things, byName: try Self.table(things)))
        for (thing, served) in zip(request.things, things) {
            for failure in try Self.failures(
                of: served, mayWait: request.allowsPlacing && thing.kind != .tileset)
            {
                report(failure.message)
            }
        }
    }

    /// All tilesets, in the order of the things, the uppermost floors first.
    public var tilesets: [ServedTileset] { groups.flatMap(\.tilesets) }

    /// A tileset; nil if there is none of the name.
    public func tileset(_ name: String) -> ServedTileset? {
        if let tileset = state.withLock({ $0.byName[name] }) { return tileset }
        refresh()
        return state.withLock { $0.byName[name] }
    }

    var groups: [ServedGroup] { state.withLock { $0.things.flatMap(\.groups) } }

    var campuses: [(name: String, path: String, groups: [ServedGroup])] {
        state.withLock { state in
            state.things.compactMap { things in things.campus.map { ($0.name, $0.path, things.groups) } }
        }
    }

    /// Tells people what went wrong on the way.
    package func note(_ error: any Error) { log.note(error) }

    /// Looks whether things have other floors now. What cannot be read stays as it was.
    package func refresh() {
        var things = state.withLock { $0.things }
        var hasChanged = false
        for (index, loader) in loaders.enumerated() where !things[index].watch.isCurrent {
            do {
                things[index] = try loader.load()
                hasChanged = true
            } catch { note(error) }
        }
        guard hasChanged else { return }
        do {
            let table = try Self.table(things)
            state.withLock { $0 = State(things: things, byName: table) }
        } catch { note(error) }
    }

    private static func table(_ things: [ThingContents]) throws(Failure) -> [String: ServedTileset] {
        var table: [String: ServedTileset] = [:]
        for tileset in things.flatMap(\.groups).flatMap(\.tilesets) {
            if let other = table.updateValue(tileset, forKey: tileset.name) {
                throw .sameName(tileset.name, "\(other.origin), and \(tileset.origin)")
            }
        }
        var indexes: Set<String> = []
        let paths = things.compactMap(\.campus?.path) + things.flatMap(\.groups).compactMap(\.indexPath)
        for path in paths {
            if let other = table[String(path.dropLast(".json".count))] {
                throw .sameName(path, "an index, and that of \(other.origin)")
            }
            if !indexes.insert(path).inserted { throw .sameName(path, "the indexes of two buildings") }
        }
        return table
    }

    /// Opens what there is, and finds what does not keep the others from being served: a floor of a building
    /// that cannot be read, or what has no position yet.
    ///
    /// - Parameter mayWait: whether an image may get its position later.
    /// - Throws: what is wrong if there is nothing to serve.
    private static func failures(of things: ThingContents, mayWait: Bool) throws -> [Failure] {
        let tilesets = things.groups.flatMap(\.tilesets)
        let failures = tilesets.compactMap { tileset -> Failure? in
            do { _ = try tileset.current() } catch let failure as Failure { return failure } catch {}
            return nil
        }
        if let first = failures.first, failures.count == tilesets.count,
            !mayWait || first.kind == .missingInput
        {
            throw first
        }
        return failures
    }
}

extension Failure {
    fileprivate static func sameName(_ name: String, _ both: String) -> Failure {
        Failure(
            .usage, "two things would be called '\(name)': \(both)",
            remedy: "give one of them a name of its own: NAME=THING; floors are NAME/FLOOR then")
    }
}
