#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The resources that this process has used so far.
struct ProcessCounters {
    /// CPU time of all threads, user and system.
    let cpuTime: Duration
    /// Peak memory in bytes; on Linux, since `resetPeak`.
    let peakMemory: Int
    /// Bytes written to files; 0 if the system does not count them.
    let writtenBytes: Int

    /// Reads the counters: getrusage(2), and proc(5) on Linux.
    init() {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            peakMemory = Self.number("VmHWM:", in: "/proc/self/status") << 10
            writtenBytes = Self.number("wchar:", in: "/proc/self/io")
        #else
            getrusage(RUSAGE_SELF, &usage)
            peakMemory = usage.ru_maxrss
            writtenBytes = 0
        #endif
        cpuTime = [usage.ru_utime, usage.ru_stime].reduce(.zero) {
            $0 + .seconds($1.tv_sec) + .microseconds($1.tv_usec)
        }
    }

    /// Resets the peak of memory. If the system cannot, prints that peaks are those of the whole process.
    static func resetPeak() {
        #if canImport(Glibc)
            guard let file = fopen("/proc/self/clear_refs", "w") else {
                return perror("peaks of memory are of all that ran before, too: /proc/self/clear_refs")
            }
            fputs("5", file)
            fclose(file)
        #endif
    }

    /// The number after a word in a text file.
    private static func number(_ word: String, in path: String) -> Int {
        guard let file = fopen(path, "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
            let words = text.split { " \t\n".contains($0) }
            if words.count > 1, words[0] == word { return Int(words[1]) ?? 0 }
        }
        return 0
    }
}
