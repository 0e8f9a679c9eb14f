import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Gives bugs of ours the status that scripts know, in place of a signal's.
enum BugStatus {
    private static let hasEnded = Atomic(false)

    /// From here on, a trap or a wild access says that the program is at fault and ends it with
    /// status 70; what the runtime knows of it stands before that. Where the thread was refused
    /// memory, that is the reason: Swift's runtime traps then, and the status is 71.
    static func install() {
        // So that nothing is made in the handler.
        _ = hasEnded.load(ordering: .relaxed)
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
            signal(number) { _ in
                // Only what is safe in a signal's handler: no allocation, no locks.
                let isShort = errno == ENOMEM
                while BugStatus.hasEnded.exchange(true, ordering: .relaxed) { pause() }
                BugStatus.end(isShort)
            }
        }
    }

    private static func end(_ isShortOfMemory: Bool) -> Never {
        let bug: StaticString = "error: the program is at fault: please report this\n"
        let memory: StaticString = """
            error: out of memory
                   allow it more (ulimit -v, the container's limit), or give it fewer --jobs

            """
        let text = isShortOfMemory ? memory : bug
        _ = write(2, text.utf8Start, text.utf8CodeUnitCount)
        _exit(isShortOfMemory ? 71 : 70)
    }
}
