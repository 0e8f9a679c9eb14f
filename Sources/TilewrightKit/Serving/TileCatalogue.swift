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
        var things: [ServedThings]
        var byName: [String: ServedTileset]
    }

    /// Bytes of rendered tiles that are kept: some thousand tiles of a plan.
    private static let keptBytes = 32 << 20

    /// What may be laid on the map in a page; empty unless that is allowed.
    package let placing: [PlacingPlace]

    private let loaders: [ThingLoader]
    private let report: Report
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
        _ = try request.image.repeated(for: request.images.map(\.path))
        let queue = RenderQueue(turns: request.resources.effectiveJobs, bytes: Self.keptBytes)
        loaders = request.things.map { ThingLoader($0, of: request, queue: queue) }
        placing = request.allowsPlacing ? request.things.compactMap(PlacingPlace.init) : []
        self.report = report
        let things = try loaders.map { try $0.load() }
        state = Mutex(State(things: things, byName: try Self.table(things)))
        for thing in things { try Self.check(thing, isLenient: request.allowsPlacing, report) }
    }

    /// All tilesets, in the order of the things, the uppermost floors first.
    public var tilesets: [ServedTileset] { groups.flatMap(\.tilesets) }

    /// A tileset; nil if there is none of the name.
    package func tileset(_ name: String) -> ServedTileset? {
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

    /// Tells people of something that does not end a request.
    package func warn(_ line: String) { report(line) }

    /// Looks whether things have other floors now. What cannot be read stays as it was.
    package func refresh() {
        var things = state.withLock { $0.things }
        var hasChanged = false
        for (index, loader) in loaders.enumerated() where !things[index].watch.isCurrent {
            do {
                things[index] = try loader.load()
                hasChanged = true
            } catch { report("\(error)") }
        }
        guard hasChanged else { return }
        do {
            let table = try Self.table(things)
            state.withLock { $0 = State(things: things, byName: table) }
        } catch { report("\(error)") }
    }

    private static func table(_ things: [ServedThings]) throws -> [String: ServedTileset] {
        var table: [String: ServedTileset] = [:]
        var indexes: Set<String> = []
        func refuse(_ name: String) -> Failure {
            Failure(
                .usage, "two things would be called '\(name)'",
                remedy: "give one of them another name: NAME=THING")
        }
        for tileset in things.flatMap(\.groups).flatMap(\.tilesets) {
            guard table.updateValue(tileset, forKey: tileset.name) == nil else { throw refuse(tileset.name) }
        }
        let paths = things.compactMap(\.campus?.path) + things.flatMap(\.groups).compactMap(\.indexPath)
        for path in paths {
            let isTaken = table[String(path.dropLast(".json".count))] != nil
            if isTaken || !indexes.insert(path).inserted { throw refuse(path) }
        }
        return table
    }

    /// Opens what there is: a floor of a building that cannot be read does not keep the others from being
    /// served.
    ///
    /// - Parameter isLenient: whether what cannot be read is told, and nothing else; it may get its position
    ///   later.
    private static func check(_ things: ServedThings, isLenient: Bool, _ report: Report) throws {
        var failures: [Failure] = []
        let tilesets = things.groups.flatMap(\.tilesets)
        for tileset in tilesets {
            do { _ = try tileset.current() } catch let failure as Failure {
                if things.groups.count == 1, tilesets.count == 1, !isLenient { throw failure }
                failures.append(failure)
            }
        }
        if let first = failures.first, failures.count == tilesets.count, !isLenient { throw first }
        for failure in failures { report(failure.message) }
    }
}
