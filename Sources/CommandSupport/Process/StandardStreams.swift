#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a program is started with.
package enum StandardStreams {
    /// Lets writing fail, instead of ending the program, if nobody reads any more or a file may grow no
    /// further. Opens the null device for streams that are closed, so that no output file gets their
    /// numbers, and with them what is said for people.
    package static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        for number: Int32 in 0...2 where fcntl(number, F_GETFD) == -1 {
            // It takes the smallest free number. What is written there fails, as to a closed stream.
            _ = open("/dev/null", O_RDONLY)
        }
    }
}
