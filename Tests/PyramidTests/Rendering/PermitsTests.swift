import Pyramid
import Synchronization
import Testing

/// What builds that run side by side share.
struct PermitsTests {
    /// What is in use, and what was.
    private final class Use: Sendable {
        let counts = Mutex((now: 0, most: 0, turns: 0))
    }

    @Test("no more is in use at a time than there is, and everybody has a turn", arguments: [1, 3, 10])
    func sharing(total: Int) async {
        let permits = Permits(total)
        let use = Use()
        await withTaskGroup(of: Void.self) { group in
            for turn in 0..<200 {
                group.addTask {
                    // Some want more than there is, and get all of it.
                    let amount = turn % 13
                    await permits.with(amount) {
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
        }
        let end = use.counts.withLock { $0 }
        #expect(end.now == 0 && end.turns == 200 && end.most <= total)
    }

    @Test("permits come back after an error")
    func errors() async throws {
        let permits = Permits(1)
        struct Problem: Error {}
        for _ in 0..<3 {
            await #expect(throws: Problem.self) { try await permits.with { throw Problem() } }
        }
        let answer = await permits.with { 42 }
        #expect(answer == 42)
    }
}
