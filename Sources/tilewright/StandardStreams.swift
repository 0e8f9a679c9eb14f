#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a program is started with.
enum StandardStreams {
    /// Has writing fail, in place of ending the program, if nobody reads any more or a file may
    /// grow no further; and keeps the numbers of streams that are closed, so that no file of an
    /// output gets one of them, and what is said for people with it.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        for number: Int32 in 0...2 where fcntl(number, F_GETFD) == -1 {
            // It takes the smallest free number. What is written there fails, as to a closed stream.
            _ = open("/dev/null", O_RDONLY)
        }
    }
}
