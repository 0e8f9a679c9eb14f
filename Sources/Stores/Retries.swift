import Platform

/// Attempts of one operation, with growing pauses between them.
struct Retries {
    /// Attempts after the first one.
    static let most = 5

    private(set) var count = 0
    /// Makes the pauses shorter, for tests.
    private let scale: Double

    /// - Parameter scale: of the pauses; 1, except in tests.
    init(scale: Double = 1) { self.scale = scale }

    /// Calls `body` until it succeeds, as often as troubles are temporary.
    ///
    /// - Parameters:
    ///   - attempt: what is tried, such as `read 's3://plans/a.tif'`.
    ///   - scale: of the pauses.
    ///   - progress: a count that grows when something has come: after each MiB, repeats count from 0.
    static func repeating<Result>(
        _ attempt: @autoclosure () -> String, scale: Double = 1, progress: () -> Int = { 0 },
        _ body: () throws -> Result
    ) throws -> Result {
        var retries = Retries(scale: scale)
        var last = progress()
        while true {
            do { return try body() } catch let trouble as Trouble {
                if progress() - last >= 1 << 20 { retries.reset() }
                last = progress()
                do { try retries.wait(after: trouble) } catch let trouble as Trouble {
                    throw trouble.failure(attempt(), repeats: retries.count)
                }
            }
        }
    }

    /// Waits before the next attempt.
    ///
    /// - Throws: the trouble again if it is lasting, or there were enough attempts; `CancellationError`.
    mutating func wait(after trouble: Trouble) throws {
        if !trouble.isTemporary || count == Self.most { throw trouble }
        let pause = Self.pause(before: count, jitter: .random(in: 0.75...1.25))
        count += 1
        try Self.sleep(max(pause, trouble.pause ?? 0) * scale)
    }

    /// Starts to count again, after a long part has come.
    mutating func reset() { count = 0 }

    /// The pause before a repeat, in seconds: 0.2, 0.4, 0.8, 1.6, 3.2. The jitter keeps jobs that failed together from
    /// returning together.
    static func pause(before index: Int, jitter: Double) -> Double {
        0.2 * Double(1 << min(index, 6)) * jitter
    }

    private static func sleep(_ seconds: Double) throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            try Task.checkCancellation()
            let rest = (end - ContinuousClock.now).seconds
            if rest <= 0 { return }
            usleep(UInt32(min(rest, 0.05) * 1e6))
        }
    }
}
