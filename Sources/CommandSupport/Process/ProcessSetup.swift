import CArguments
package import Platform

/// Settings of the process, which are made while it has only one thread.
package enum ProcessSetup {
    /// More open files are never needed, and Apple's systems refuse more.
    private static let mostFiles: rlim_t = 10_240
    /// Freed memory that glibc keeps. By default it returns everything beyond 128 KiB to the system, although
    /// the next tile of a photograph needs it again: half of all pages of such a build were mapped more than
    /// once. A job has up to four tiles and their encoder at a time, a few MiB; this is enough for several.
    private static let mostKept: Int32 = 32 << 20
    /// Larger blocks are mapped one by one, and returned at once. A tile of 512 pixels has 1 MiB, and its
    /// file is hardly larger.
    private static let largestKept: Int32 = 4 << 20

    /// Writing to a closed pipe, or beyond the largest file size, becomes an error instead of a signal.
    /// Closed standard streams are opened to the null device: otherwise an output file could get the number
    /// of a stream, and messages would be written into it.
    package static func protectStreams() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        for number: Int32 in 0...2 where fcntl(number, F_GETFD) == -1 {
            // open() takes the smallest free number. Writing to it fails, as to a closed stream.
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// Raises the soft limit of open files, because adjacent images are open at the same time.
    static func raiseOpenFiles() {
        #if canImport(Glibc)
            let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let openFiles = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        // If the limit cannot be read, 'limit' stays 0, and nothing is changed.
        _ = getrlimit(openFiles, &limit)
        let wanted = min(limit.rlim_max, mostFiles)
        guard limit.rlim_cur < wanted else { return }
        limit.rlim_cur = wanted
        _ = setrlimit(openFiles, &limit)
    }

    /// Fails if the threads of a run cannot be started. Otherwise libdispatch would wait for them for ever.
    ///
    /// - Throws: `.systemLimit`.
    static func requireThreads() throws(Failure) {
        // One thread for each processor, one that waits for signals, and one that ends a run that does not
        // stop.
        let count = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) + 2
        // They wait at the gate, so that all of them exist at the same time.
        let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        pthread_mutex_init(gate, nil)
        pthread_mutex_lock(gate)
        var threads: [pthread_t] = []
        var code: Int32 = 0
        while code == 0, threads.count < count {
            #if canImport(Glibc)
                var thread = pthread_t()
            #else
                var thread: pthread_t?
            #endif
            code = pthread_create(
                &thread, nil,
                { context in
                    let gate = context?.assumingMemoryBound(to: pthread_mutex_t.self)
                    if let gate, pthread_mutex_lock(gate) == 0 { pthread_mutex_unlock(gate) }
                    return nil
                }, gate)
            let started: pthread_t? = code == 0 ? thread : nil
            if let started { threads.append(started) }
        }
        pthread_mutex_unlock(gate)
        for thread in threads { pthread_join(thread, nil) }
        gate.deallocate()
        guard code != 0 else { return }
        throw Failure(
            .systemLimit, "cannot start \(count) threads: \(SystemError(code: code).text)",
            remedy: "raise 'ulimit -u' or 'ulimit -v', or end other programs")
    }

    /// Configures glibc's allocator; other allocators are not changed.
    static func tuneAllocator() {
        #if canImport(Glibc)
            // Swift cannot import the header that declares mallopt and its options.
            typealias SetOption = @convention(c) (_ option: Int32, _ value: Int32) -> Int32
            let (trimThreshold, mmapThreshold, arenaMax): (Int32, Int32, Int32) = (-1, -3, -8)
            guard let address = dlsym(nil, "mallopt") else { return }
            let mallopt = unsafeBitCast(address, to: SetOption.self)
            _ = mallopt(trimThreshold, mostKept)
            _ = mallopt(mmapThreshold, largestKept)
            // Each thread's arena takes 64 MiB of addresses, most of them unused. If addresses are limited,
            // all threads share one arena.
            var limit = rlimit()
            let addresses = __rlimit_resource_t(RLIMIT_AS.rawValue)
            guard getrlimit(addresses, &limit) == 0, limit.rlim_cur != rlim_t.max else { return }
            _ = mallopt(arenaMax, 1)
        #endif
    }
}

/// The command line as the system gives it: bytes, not text.
package enum ProgramArguments {
    /// The words after the program's name. Words that are not UTF-8 are refused, because as text they would
    /// name different files.
    ///
    /// - Throws: `.usage`.
    package static func words() throws(Failure) -> [String] {
        var words: [String] = []
        for index in 1..<max(1, ca_count()) {
            guard let argument = ca_argument(index) else { continue }
            guard let word = String(validatingCString: argument) else { throw refusal(argument) }
            words.append(word)
        }
        return words
    }

    /// The words that are UTF-8.
    static var readableWords: [String] {
        (1..<max(1, ca_count())).compactMap { ca_argument($0).flatMap(String.init(validatingCString:)) }
    }

    private static func refusal(_ argument: UnsafePointer<CChar>) -> Failure {
        Failure(
            .usage,
            "cannot read the argument '\(escaped(argument))': file names must be UTF-8",
            remedy: "rename the file; 'convmv -f latin1 -t utf8' renames many files")
    }

    /// ASCII characters, and all other bytes escaped as in a shell's `$'...'`.
    private static func escaped(_ argument: UnsafePointer<CChar>) -> String {
        var text = ""
        var next = argument
        while next.pointee != 0 {
            let byte = UInt8(bitPattern: next.pointee)
            let isPlain = (0x20..<0x7f).contains(byte)
            text +=
                isPlain
                ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            next += 1
        }
        return text
    }
}

/// Another program for work that needs libraries which a batch tool should not depend on.
///
/// It is in the same folder or in PATH, gets the arguments after the command's name, and has its own streams,
/// signals and exit status.
package enum Companion {
    /// Replaces the process by the companion.
    ///
    /// - Parameters:
    ///   - name: the name of the companion's file.
    ///   - work: the verb for the error, such as "serve" in "cannot serve".
    /// - Throws: `.missingInput` if the companion does not exist.
    package static func become(_ name: String, arguments: [String], to work: String) throws(Failure) -> Never
    {
        if let program = CompanionProgram(named: name) {
            var words = ([program.path] + arguments).map { strdup($0) }
            words.append(nil)
            defer { words.forEach { free($0) } }
            execv(program.path, words)
            throw SystemError(code: errno).failure("run '\(program.path)'")
        }
        throw Failure(
            .missingInput, "cannot \(work): '\(name)' is neither next to this program nor in PATH",
            remedy: "'make companions' builds it; put it next to 'tilewright'")
    }
}
