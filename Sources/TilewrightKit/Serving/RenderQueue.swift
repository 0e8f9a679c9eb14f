import Pyramid
import Synchronization
import Tiling

/// Renders tiles: each once at a time, however many ask for it; some at a time; and keeps the last ones.
///
/// A tile for which nobody waits any more is given up.
final class RenderQueue: Sendable {
    /// A tile of a source.
    struct Key: Hashable, Sendable {
        let source: Int
        let tile: TileCoordinate
    }

    /// A tile that is being made.
    private struct Work {
        let task: Task<[UInt8]?, any Error>
        /// Tells it from later work on the same tile.
        let number: Int
        var waiting: Int
    }

    private struct State {
        var kept: TileCache
        var running: [Key: Work] = [:]
        var lastNumber = 0
    }

    private let state: Mutex<State>
    private let turns: Permits

    /// Makes a queue.
    ///
    /// - Parameters:
    ///   - turns: how many tiles are rendered at a time.
    ///   - bytes: of tiles that are kept.
    init(turns: Int, bytes: Int) {
        self.turns = Permits(turns)
        state = Mutex(State(kept: TileCache(bytes: bytes)))
    }

    /// A tile: one that is kept, or that somebody waits for, or a new one.
    ///
    /// - Throws: what `render` throws; `CancellationError` if the caller was the last who waited, and was
    ///   cancelled.
    func tile(
        _ key: Key, render: @escaping @Sendable () async throws -> [UInt8]?
    ) async throws -> [UInt8]? {
        try Task.checkCancellation()
        let joined: Joined = state.withLock { state in
            if let kept = state.kept.tile(key) { return .kept(kept) }
            if state.running[key] == nil {
                state.lastNumber += 1
                let number = state.lastNumber
                let task = Task.detached { [self] in
                    let result = await Result { try await turns.with { try await rendered(render) } }
                    finish(key, number, result)
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

    /// Nobody may wait any more when the turn comes.
    private func rendered(_ render: () async throws -> [UInt8]?) async throws -> [UInt8]? {
        try Task.checkCancellation()
        return try await render()
    }

    private func finish(_ key: Key, _ number: Int, _ result: Result<[UInt8]?, any Error>) {
        state.withLock { state in
            if state.running[key]?.number == number { state.running[key] = nil }
            if case .success(let tile) = result { state.kept.keep(tile, key) }
        }
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

extension Result where Failure == any Error {
    /// What comes of something that takes a while.
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
