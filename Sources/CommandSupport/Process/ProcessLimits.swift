import Diagnostics
import Files
import Raster
import TilewrightKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the system must grant before work begins. Later the libraries below would crash without it, or
/// wait for ever.
package enum ProcessLimits {
    /// Open files: some ten of an output, four to wait for signals, PROJ's, an image and a scratch file.
    private static let files = 24
    /// More are of no use, and Apple's systems refuse more.
    private static let mostFiles: rlim_t = 10_240
    /// Threads beside those of the processors: the one that waits for signals, and one that ends a run
    /// which does not end by itself.
    private static let moreThreads = 2

    /// Fails if files, threads or memory cannot be had.
    ///
    /// - Throws: `.systemLimit`.
    package static func check() throws {
        raiseFiles()
        try checkFiles()
        try checkThreads(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) + moreThreads)
    }

    /// Takes what is granted for the asking: images that lie side by side are open together.
    private static func raiseFiles() {
        var limit = rlimit()
        // What cannot be asked stays 0, and nothing is wanted.
        _ = getrlimit(openFiles, &limit)
        let wanted = min(limit.rlim_max, mostFiles)
        guard limit.rlim_cur < wanted else { return }
        limit.rlim_cur = wanted
        _ = setrlimit(openFiles, &limit)
    }

    #if canImport(Glibc)
        private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let openFiles = RLIMIT_NOFILE
    #endif

    private static func checkFiles() throws {
        var opened: [Int32] = []
        defer { opened.forEach { close($0) } }
        while opened.count < files {
            let number = open("/", O_RDONLY | O_CLOEXEC)
            guard number >= 0 else {
                throw Failure(
                    .systemLimit,
                    "cannot open \(files) files at a time: "
                        + SystemError(code: errno).text,
                    remedy: "raise 'ulimit -n'")
            }
            opened.append(number)
        }
    }

    /// Has so many threads for a moment, and the memory that all work needs.
    private static func checkThreads(_ count: Int) throws {
        let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        defer { gate.deallocate() }
        pthread_mutex_init(gate, nil)
        pthread_mutex_lock(gate)
        var threads: [pthread_t] = []
        defer {
            pthread_mutex_unlock(gate)
            for thread in threads { pthread_join(thread, nil) }
        }
        for _ in 0..<count { threads.append(try thread(behind: gate, of: count)) }
        try MappedMemory.checkMemory(BuildResources.baseBytes)
    }

    /// A thread that waits for a lock and ends.
    private static func thread(
        behind gate: UnsafeMutablePointer<pthread_mutex_t>, of count: Int
    ) throws -> pthread_t {
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        let code = pthread_create(
            &thread, nil,
            { context in
                let gate = context?.assumingMemoryBound(to: pthread_mutex_t.self)
                if let gate, pthread_mutex_lock(gate) == 0 { pthread_mutex_unlock(gate) }
                return nil
            }, gate)
        #if canImport(Glibc)
            let started: pthread_t? = code == 0 ? thread : nil
        #else
            let started = code == 0 ? thread : nil
        #endif
        guard let started else {
            throw Failure(
                .systemLimit,
                "cannot start \(count) threads: \(SystemError(code: code).text)",
                remedy: "raise 'ulimit -u' or 'ulimit -v', or end other programs")
        }
        return started
    }
}
