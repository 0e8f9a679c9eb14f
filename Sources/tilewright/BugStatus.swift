#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Gives bugs of ours the status that scripts know, in place of a signal's.
enum BugStatus {
    /// From here on, a trap or a wild access says that the program is at fault and ends it with
    /// status 70; what the runtime knows of it stands before that.
    static func install() {
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
            signal(number) { _ in
                // Only what is safe in a signal's handler: no allocation, no locks.
                let text: StaticString = "error: the program is at fault: please report this\n"
                _ = write(2, text.utf8Start, text.utf8CodeUnitCount)
                _exit(70)
            }
        }
    }
}
