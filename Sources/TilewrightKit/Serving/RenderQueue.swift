import Rendering
import Synchronization
import Tiling

/// Renders tiles, a limited number at a time and each once for all its callers, and caches the last ones.
///
/// A tile without callers is cancelled.
final class RenderQueue: Sendable {
    /// A tile of a source.
    struct Key: Hashable, Sendable {
        let source: Int
        let tile: TileCoordinate
    }

    /// The part of a queue that renders for one tileset.
    struct Share: Sendable {
        fileprivate let queue: RenderQueue
        fileprivate let turns: FairSemaphore
        fileprivate let threads: BlockingThreads

        /// A tile: cached, being rendered, or new.
        ///
        /// - Throws: the error of `render`; `CancellationError` if the caller was the last one and was
        ///   cancelled.
        func tile(
            _ key: Key, render: @escaping @Sendable () async throws -> [UInt8]?
        ) async throws -> [UInt8]? {
            try await queue.tile(key, on: threads) { [queue, turns] in
                try await turns.with { try await queue.turns.with { try await render() } }
            }
        }
    }

    /// A tile that is being made.
    private struct Work {
        let task: Task<[UInt8]?, any Error>
        /// The number that distinguishes this work from later work on the same tile.
        let number: Int
        var waiting: Int
    }

    private struct State {
        var kept: TileCache
        var running: [Key: Work] = [:]
        var lastNumber = 0
    }

    private let state: Mutex<State>
    private let jobs: Int
    private let turns: FairSemaphore

    /// The number of tiles that are rendered at a time: one more than the limit for a single tileset, so that
    /// slow tiles of one tileset cannot block the others.
    ///
    /// - Parameter jobs: the number of tiles of one tileset that are rendered at a time.
    static func turns(jobs: Int) -> Int { jobs + 1 }

    /// Makes a queue.
    ///
    /// - Parameters:
    ///   - jobs: the number of tiles of one tileset that are rendered at a time.
    ///   - bytes: the maximum number of bytes of cached tiles.
    init(jobs: Int, bytes: Int) {
        self.jobs = jobs
        turns = FairSemaphore(Self.turns(jobs: jobs))
        state = Mutex(State(kept: TileCache(bytes: bytes)))
    }

    /// The share of one more tileset.
    ///
    /// - Parameter threads: the threads that render its tiles.
    func share(on threads: BlockingThreads) -> Share {
        Share(queue: self, turns: FairSemaphore(jobs), threads: threads)
    }

    private func tile(
        _ key: Key, on threads: BlockingThreads, render: @escaping @Sendable () async throws -> [UInt8]?
    ) async throws -> [UInt8]? {
        try Task.checkCancellation()
        let joined: Joined = state.withLock { state in
            if let kept = state.kept.tile(key) { return .kept(kept) }
            if state.running[key] == nil {
                state.lastNumber += 1
                let number = state.lastNumber
                let task = Task.detached(executorPreference: threads) { [self] in
                    let result = await Result { try await render() }
                    self.state.withLock { state in
                        if state.running[key]?.number == number { state.running[key] = nil }
                        if case .success(let tile) = result { state.kept.keep(tile, key) }
                    }
                    return try result.get()
                }
                state.running[key] = Work(task: task, number: number, waiting: 0)
            }
            state.running[key]?.waiting += 1
            return state.running[key].map { .waiting($0.task, number: $0.number) } ?? .kept(nil)
        }
        switch joined {
        case .kept(let tile): return tile
        case .waiting(let task, let number):
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                leave(key, number)
            }
        }
    }

    private enum Joined {
        case kept([UInt8]?)
        case waiting(Task<[UInt8]?, any Error>, number: Int)
    }

    private func leave(_ key: Key, _ number: Int) {
        let task = state.withLock { state -> Task<[UInt8]?, any Error>? in
            guard var work = state.running[key], work.number == number else { return nil }
            work.waiting -= 1
            state.running[key] = work.waiting > 0 ? work : nil
            return work.waiting > 0 ? nil : work.task
        }
        task?.cancel()
    }
}

/// The last tiles, as many as fit, including those that do not exist.
struct TileCache {
    private struct Entry {
        let tile: [UInt8]?
        /// The number of its last use.
        var use: Int
    }

    /// The approximate bytes of an entry without its tile: its key and its place in the table.
    private static let entryBytes = 128

    private let limit: Int
    private var entries: [RenderQueue.Key: Entry] = [:]
    private var uses = 0
    /// Bytes of the entries.
    private(set) var bytes = 0

    /// Makes an empty cache.
    ///
    /// - Parameter bytes: the maximum number of bytes of all entries.
    init(bytes: Int) { limit = bytes }

    /// A cached tile; `.some(nil)` if it is known not to exist, nil if it is not cached.
    mutating func tile(_ key: RenderQueue.Key) -> [UInt8]?? {
        uses += 1
        entries[key]?.use = uses
        return entries[key].map { $0.tile }
    }

    /// Keeps a tile; nil for a tile that does not exist.
    mutating func keep(_ tile: [UInt8]?, _ key: RenderQueue.Key) {
        let size = Self.size(tile)
        guard size <= limit, entries[key] == nil else { return }
        if bytes + size > limit { dropHalf() }
        uses += 1
        entries[key] = Entry(tile: tile, use: uses)
        bytes += size
    }

    /// Drops the least recently used entries, until half of the cache is free, so that entries are seldom
    /// sorted.
    private mutating func dropHalf() {
        for (key, entry) in entries.sorted(by: { $0.value.use < $1.value.use }) where bytes > limit / 2 {
            entries[key] = nil
            bytes -= Self.size(entry.tile)
        }
    }

    private static func size(_ tile: [UInt8]?) -> Int { entryBytes + (tile?.count ?? 0) }
}

/// The tiles of images, rendered on request, through a queue that other images share.
struct RenderedTiles: Sendable {
    private static let lastNumber = Atomic<Int>(0)

    /// The number that distinguishes these tiles from those of other images, and of the same images before
    /// they changed.
    private let number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    private let source: TilesOnDemand
    /// The rectangles in which tiles may exist.
    private let limits: [TileRange]
    private let queue: RenderQueue.Share

    /// Renders the tiles of a source through a queue.
    init(_ source: TilesOnDemand, queue: RenderQueue.Share) {
        (self.source, self.queue) = (source, queue)
        limits = source.limits
    }

    /// The bytes of a tile; nil if it does not exist.
    ///
    /// - Throws: as `TilesOnDemand.tile(at:)`; `CancellationError` if no caller waits for the tile any more.
    func tile(at coordinate: TileCoordinate) async throws -> [UInt8]? {
        // A tile that cannot exist does not enter the queue.
        let mayExist = limits.contains { limits in
            limits.zoom == coordinate.zoom && limits.columns.contains(coordinate.column)
                && limits.rows.contains(coordinate.row)
        }
        guard coordinate.isInWorld, mayExist else { return nil }
        let source = source
        return try await queue.tile(RenderQueue.Key(source: number, tile: coordinate)) {
            try await source.tile(at: coordinate)
        }
    }
}
