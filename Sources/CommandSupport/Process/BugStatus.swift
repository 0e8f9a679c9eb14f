import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Gives bugs of ours the status that scripts know, in place of a signal's.
package enum BugStatus {
    private static let hasEnded = Atomic(false)

    /// From here on, a trap or a wild access says that the program is at fault and ends it with
    /// status 70; what the runtime knows of it stands before that. If the thread was refused memory or a
    /// file, that is the reason: Swift's runtime and libdispatch trap then, and the status is 71.
    package static func install() {
        // So that nothing is made in the handler.
        _ = hasEnded.load(ordering: .relaxed)
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
            signal(number) { _ in
                // Only what is safe in a signal's handler: no allocation, no locks.
                let code = errno
                while BugStatus.hasEnded.exchange(true, ordering: .relaxed) { pause() }
                BugStatus.end(isLimit: code == ENOMEM || code == EMFILE || code == ENFILE)
            }
        }
    }

    private static func end(isLimit: Bool) -> Never {
        let bug: StaticString = "error: the program is at fault: please report this\n"
        let limit: StaticString = """
            error: out of memory, or of open files
                   allow it more (ulimit -v, ulimit -n, the container's limit), or give it fewer --jobs

            """
        let text = isLimit ? limit : bug
        _ = write(2, text.utf8Start, text.utf8CodeUnitCount)
        _exit(isLimit ? 71 : 70)
    }
}
