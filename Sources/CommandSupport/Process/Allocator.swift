#if canImport(Glibc)
    import Glibc
#endif

/// What the C library's allocator does with memory.
enum Allocator {
    /// Memory that stays when it is freed. Glibc gives it back to the system as soon as 128 KiB are free, and the next file
    /// of a photograph's tile needs it again: half of all pages of such a build were had more than once. A job has up to
    /// four tiles and their encoder at a time, some MiB; this is enough for several.
    private static let mostKept: Int32 = 32 << 20
    /// What is larger is asked of the system by itself, and given back at once. A tile of 512 pixels has a MiB, and its file
    /// hardly more.
    private static let largest: Int32 = 4 << 20

    /// Sets glibc's allocator; others stay as they are. Only while there is one thread.
    static func prepare() {
        #if canImport(Glibc)
            // Swift does not see the header that declares it, nor its options.
            typealias SetOption = @convention(c) (_ option: Int32, _ value: Int32) -> Int32
            let (trimThreshold, mmapThreshold, arenaMax): (Int32, Int32, Int32) = (-1, -3, -8)
            guard let address = dlsym(nil, "mallopt") else { return }
            let mallopt = unsafeBitCast(address, to: SetOption.self)
            _ = mallopt(trimThreshold, mostKept)
            _ = mallopt(mmapThreshold, largest)
            // It takes 64 MiB of addresses for each thread, most of which it never uses. If addresses are counted, all
            // threads share those of the first.
            var limit = rlimit()
            let addresses = __rlimit_resource_t(RLIMIT_AS.rawValue)
            guard getrlimit(addresses, &limit) == 0, limit.rlim_cur != rlim_t.max else { return }
            _ = mallopt(arenaMax, 1)
        #endif
    }
}
