import Foundation
import Synchronization
import Testing
@testable import TilewrightKit
import Tiling

/// Tiles with many callers.
struct RenderQueueTests {
    private static func key(_ number: Int) -> RenderQueue.Key {
        RenderQueue.Key(source: 0, tile: TileCoordinate(zoom: 20, column: number, row: 0))
    }

    /// A queue of one tileset.
    private struct Queue: Sendable {
        private let share: RenderQueue.Share

        init(jobs: Int) { share = RenderQueue(jobs: jobs, bytes: 1 << 20).share(on: BlockingThreads()) }

        func tile(
            _ key: RenderQueue.Key, render: @escaping @Sendable () async throws -> [UInt8]?
        ) async throws -> [UInt8]? {
            try await share.tile(key, render: render)
        }
    }

    /// Lets the waiting callers continue.
    private final class Gate: Sendable {
        private let isOpen = Atomic(false)

        func open() { isOpen.store(true, ordering: .relaxed) }

        var wasOpened: Bool { isOpen.load(ordering: .relaxed) }

        /// Waits, until the gate is open or the task is cancelled.
        func pass() async throws {
            while !isOpen.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    /// Counts the callers inside, and their maximum.
    private final class Counter: Sendable {
        private let counts = Mutex((now: 0, most: 0, all: 0))

        func enter() {
            counts.withLock { counts in
                counts.now += 1
                counts.all += 1
                counts.most = max(counts.most, counts.now)
            }
        }

        func leave() { counts.withLock { $0.now -= 1 } }

        var most: Int { counts.withLock { $0.most } }
        var all: Int { counts.withLock { $0.all } }
    }

    @Test("a tile with many callers at the same time is rendered once, and cached")
    func once() async throws {
        let queue = Queue(jobs: 4)
        let (counter, gate) = (Counter(), Gate())
        try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await queue.tile(Self.key(1)) {
                        counter.enter()
                        try await gate.pass()
                        return [1, 2, 3]
                    }
                }
            }
            gate.open()
            for try await tile in group { #expect(tile == [1, 2, 3]) }
        }
        #expect(try await queue.tile(Self.key(1)) { [9] } == [1, 2, 3])
        #expect(counter.all == 1)
    }

    @Test("it is cached that a tile does not exist")
    func nothing() async throws {
        let queue = Queue(jobs: 1)
        #expect(try await queue.tile(Self.key(1)) { nil } == nil)
        #expect(try await queue.tile(Self.key(1)) { [1] } == nil)
        #expect(try await queue.tile(Self.key(2)) { [2] } == [2])
    }

    @Test("all waiting callers get a failure, which is not cached")
    func failure() async throws {
        struct Broken: Error {}
        let queue = Queue(jobs: 1)
        await #expect(throws: Broken.self) { try await queue.tile(Self.key(1)) { throw Broken() } }
        #expect(try await queue.tile(Self.key(1)) { [1] } == [1])
    }

    @Test("rendering stops when the last caller is cancelled, not before")
    func cancelled() async throws {
        let queue = Queue(jobs: 1)
        let (gate, cancelled, hasBegun) = (Gate(), Gate(), Gate())
        let wait = { @Sendable in
            try await queue.tile(Self.key(1)) {
                hasBegun.open()
                do { try await gate.pass() } catch {
                    cancelled.open()
                    throw error
                }
                return [1]
            }
        }
        let tasks = [Task { try await wait() }, Task { try await wait() }]
        try await hasBegun.pass()
        try await Task.sleep(for: .milliseconds(20))
        tasks[0].cancel()
        try await Task.sleep(for: .milliseconds(20))
        #expect(!cancelled.wasOpened)
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        #expect(cancelled.wasOpened)
        // A new caller does not see the cancellation.
        #expect(try await queue.tile(Self.key(1)) { [2] } == [2])
    }

    @Test("no more tiles are rendered at a time than there are turns")
    func turns() async throws {
        let queue = Queue(jobs: 2)
        let counter = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    _ = try await queue.tile(Self.key(number)) {
                        counter.enter()
                        try await Task.sleep(for: .milliseconds(1))
                        counter.leave()
                        return []
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(counter.most == 2)
    }

    @Test("a tileset that hangs leaves a turn, and threads, to the others")
    func turnsOfOthers() async throws {
        let queue = RenderQueue(jobs: 2, bytes: 1 << 20)
        let gate = Gate()
        let (bad, good) = (queue.share(on: BlockingThreads()), queue.share(on: BlockingThreads()))
        for number in 0..<100 {
            Task {
                _ = try await bad.tile(Self.key(number)) {
                    while !gate.wasOpened { usleep(1000) }
                    return nil
                }
            }
        }
        try await Task.sleep(for: .milliseconds(50))
        for number in 100..<120 {
            #expect(try await good.tile(Self.key(number)) { [1] } == [1])
        }
        gate.open()
    }

    @Test("threads that hang leave threads for reading, and for other tilesets")
    func threads() async throws {
        let gate = Gate()
        let threads = BlockingThreads()
        for _ in 0..<3 { Task(executorPreference: threads) { while !gate.wasOpened { usleep(1000) } } }
        #expect(await Task(executorPreference: threads) { 1 }.value == 1)
        for _ in 0..<2000 { Task(executorPreference: threads) { while !gate.wasOpened { usleep(1000) } } }
        try await Task.sleep(for: .milliseconds(20))
        #expect(threads.isOverloaded)
        #expect(await Task(executorPreference: BlockingThreads()) { 1 }.value == 1)
        #expect(try await threads.result(within: .seconds(9)) { 1 } == nil)
        gate.open()
        #expect(await Task(executorPreference: threads) { 2 }.value == 2)
        #expect(!threads.isOverloaded)
        #expect(try await threads.result(within: .seconds(9)) { 3 } == 3)
    }

    @Test("work that is not done in time is no longer waited for")
    func late() async throws {
        let gate = Gate()
        let late = try await BlockingThreads().result(within: .milliseconds(5)) {
            while !gate.wasOpened { usleep(1000) }
            return 1
        }
        #expect(late == nil)
        gate.open()
    }

    @Test("the cache is limited, and keeps the tiles that were requested last")
    func bounded() {
        var cache = TileCache(bytes: 100_000)
        cache.keep([1], Self.key(0))
        for number in 1..<1000 {
            cache.keep([UInt8](repeating: 0, count: 1000), Self.key(number))
            #expect(cache.tile(Self.key(0)) == .some([1]))
            #expect(cache.bytes <= 100_000)
        }
        #expect(cache.tile(Self.key(1)) == .none)
        #expect(cache.tile(Self.key(999)) != .none)
        #expect(cache.bytes > 40_000)
        cache.keep([UInt8](repeating: 0, count: 200_000), Self.key(2000))
        #expect(cache.tile(Self.key(2000)) == .none)
    }
}
