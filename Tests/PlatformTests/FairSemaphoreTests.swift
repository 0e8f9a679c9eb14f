import Platform
import Synchronization
import Testing

/// What builds that run side by side share.
struct FairSemaphoreTests {
    /// What is in use, and what was.
    private final class Use: Sendable {
        let counts = Mutex((now: 0, most: 0, turns: 0))
    }

    @Test("at most the limit is in use at a time, and every request gets its turn", arguments: [1, 3, 10])
    func sharing(total: Int) async throws {
        let semaphore = FairSemaphore(total)
        let use = Use()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for turn in 0..<200 {
                group.addTask {
                    // Some want more than there is, and get all of it.
                    let amount = turn % 13
                    try await semaphore.with(amount) {
                        let taken = min(amount, total)
                        use.counts.withLock { counts in
                            counts.now += taken
                            counts.most = max(counts.most, counts.now)
                            counts.turns += 1
                        }
                        await Task.yield()
                        use.counts.withLock { $0.now -= taken }
                    }
                }
            }
            try await group.waitForAll()
        }
        let end = use.counts.withLock { $0 }
        #expect(end.now == 0 && end.turns == 200 && end.most <= total)
    }

    @Test("permits are returned after an error")
    func errors() async throws {
        let semaphore = FairSemaphore(1)
        struct Problem: Error {}
        for _ in 0..<3 {
            await #expect(throws: Problem.self) { try await semaphore.with { throw Problem() } }
        }
        #expect(try await semaphore.with { 42 } == 42)
    }

    @Test("a cancelled task stops waiting, and the tasks behind it get their turn")
    func cancelled() async throws {
        let semaphore = FairSemaphore(2)
        let (end, isHeld) = (Flag(), Flag())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await semaphore.with {
                    isHeld.raise()
                    while !end.isRaised { try await Task.sleep(for: .milliseconds(1)) }
                }
            }
            while !isHeld.isRaised { try await Task.sleep(for: .milliseconds(1)) }
            // It wants both, and keeps those behind it back.
            let large = Task { try await semaphore.with(2) {} }
            try await Task.sleep(for: .milliseconds(20))
            let small = Task { try await semaphore.with { 1 } }
            try await Task.sleep(for: .milliseconds(20))
            large.cancel()
            await #expect(throws: CancellationError.self) { try await large.value }
            #expect(try await small.value == 1)
            end.raise()
            try await group.waitForAll()
        }
        #expect(try await semaphore.with(2) { 2 } == 2)
    }
}

private final class Flag: Sendable {
    private let state = Atomic(false)

    var isRaised: Bool { state.load(ordering: .relaxed) }

    func raise() { state.store(true, ordering: .relaxed) }
}
