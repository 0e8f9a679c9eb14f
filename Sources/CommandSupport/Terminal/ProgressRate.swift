/// How fast a run goes, by its last seconds.
package struct ProgressRate {
    private var samples: [(seconds: Double, done: Int)] = []

    /// Seconds that are looked at: the first tiles of a run may come from the last one, or be empty.
    private static let window = 10.0
    /// Seconds before anything is said.
    private static let patience = 1.0
    /// How much faster one half of the window may be than the other one if both are to say what follows.
    private static let steadiness = 2.0

    package init() {}

    /// Takes note of how many are done.
    ///
    /// - Parameter seconds: since the beginning.
    package mutating func note(_ done: Int, after seconds: Double) {
        samples.append((seconds, done))
        // One sample stands before the window, so that it covers all of it.
        while samples.count > 2, seconds - samples[1].seconds >= Self.window { samples.removeFirst() }
    }

    /// How many are done in a second; nil in the first second.
    package var perSecond: Double? {
        guard let first = samples.first, let last = samples.last,
            last.seconds - first.seconds >= Self.patience
        else { return nil }
        return Double(last.done - first.done) / (last.seconds - first.seconds)
    }

    /// Seconds until all are done; nil if the run is not steady enough to tell.
    package func left(of total: Int) -> Double? {
        guard let rate = perSecond, rate > 0, let first = samples.first, let last = samples.last else {
            return nil
        }
        let middle = (first.seconds + last.seconds) / 2
        let half = samples.last { $0.seconds <= middle } ?? first
        guard half.seconds > first.seconds else { return nil }
        let before = Double(half.done - first.done) / (half.seconds - first.seconds)
        let after = Double(last.done - half.done) / (last.seconds - half.seconds)
        guard max(before, after) <= Self.steadiness * min(before, after) else { return nil }
        return Double(max(0, total - last.done)) / rate
    }
}
