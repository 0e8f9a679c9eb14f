#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What statements over a file of unknown origin may still cost. SQLite asks it while it runs one.
///
/// Steps of its virtual machine are counted, whose number is the same in each run. One of them can copy or compare
/// values of megabytes: the processor's time counts, too, but not what happens between two rows.
final class SQLiteMeter {
    /// What is allowed.
    struct Allowance: Hashable, Sendable {
        /// Steps of the virtual machine.
        var steps: Int
        /// Time of the processor, besides that of the steps.
        var nanoseconds: Int
    }

    /// How often SQLite asks, in steps: few of those that copy megabytes.
    static let stepsPerCall = 64
    /// The time of a step, which is ten times what most take.
    private static let nanosecondsPerStep = 100

    private var left: Allowance
    private var start = 0

    /// Starts with all of it.
    init(_ allowance: Allowance) { left = allowance }

    /// Starts again.
    func refill(_ allowance: Allowance) { left = allowance }

    /// Whether anything is left.
    var isRunning: Bool { left.steps >= 0 && left.nanoseconds >= 0 }

    /// A statement begins, or goes on.
    func begin() { start = Self.time }

    /// Counts steps of a statement that goes on.
    func count() {
        left.steps -= Self.stepsPerCall
        left.nanoseconds += Self.stepsPerCall * Self.nanosecondsPerStep
        end()
    }

    /// A statement ends, or lends a row.
    func end() {
        let now = Self.time
        left.nanoseconds -= now - start
        start = now
    }

    /// The time that this thread had of the processor, in nanoseconds.
    static var time: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
