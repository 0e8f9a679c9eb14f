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
    /// status 70; what the runtime knows of it stands before that. If the thread was refused what Swift's runtime
    /// and libdispatch cannot do without, that is the reason, and the status is 71.
    package static func install() {
        // So that nothing is made in the handler.
        _ = hasEnded.load(ordering: .relaxed)
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
            signal(number) { _ in
                // Only what is safe in a signal's handler: no allocation, no locks.
                let code = errno
                while BugStatus.hasEnded.exchange(true, ordering: .relaxed) { pause() }
                BugStatus.end(after: code)
            }
        }
    }

    private static func end(after code: Int32) -> Never {
        switch code {
        case ENOMEM, EMFILE, ENFILE:
            say(
                """
                error: out of memory, or of open files
                       allow it more (ulimit -v, ulimit -n, the container's limit), or give it fewer --jobs

                """)
        #if canImport(Glibc)
            // libdispatch looks there for its threads.
            case ENOENT where access("/proc/self/task", F_OK) != 0:
                say(
                    """
                    error: cannot look at our own threads: /proc is not mounted
                           mount it: mount -t proc proc /proc

                    """)
        #endif
        default:
            say("error: the program is at fault: please report this\n")
            _exit(70)
        }
        _exit(71)
    }

    private static func say(_ text: StaticString) { _ = write(2, text.utf8Start, text.utf8CodeUnitCount) }
}
