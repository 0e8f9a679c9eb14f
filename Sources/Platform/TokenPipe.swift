import Synchronization

/// The pipe of a job server.
///
/// All processes share the open file that they inherit. So it stays as it is: this process reads from a file
/// of its own, which never waits. Where the system cannot open a pipe again, the pipe cannot be used.
final class TokenPipe: Sendable {
    /// The end with the tokens.
    let reading: FileDescriptor
    private let writing: FileDescriptor

    private init(reading: consuming FileDescriptor, writing: consuming FileDescriptor) {
        self.reading = reading
        self.writing = writing
    }

    /// Opens the pipe of `--jobserver-auth=R,W` or `fifo:PATH`, or of make 4.1's `--jobserver-fds=R,W`. The
    /// last option counts, and variables come after `--`.
    ///
    /// - Returns: nil if there is no such option, or no such pipe.
    static func named(in makeFlags: String) -> TokenPipe? {
        let options = words(makeFlags).prefix { $0 != "--" }
        let values = options.compactMap { option in
            ["--jobserver-auth=", "--jobserver-fds="].first(where: option.hasPrefix)
                .map { option.dropFirst($0.count) }
        }
        guard let value = values.last else { return nil }
        if value.hasPrefix("fifo:") { return named(String(value.dropFirst(5))) }
        let numbers = value.split(separator: ",", omittingEmptySubsequences: false).map { Int32($0) }
        guard numbers.count == 2, let reading = numbers[0], let writing = numbers[1] else { return nil }
        return inherited(reading, writing)
    }

    /// The words of the variable: make writes a backslash before a blank that belongs to a word.
    private static func words(_ text: String) -> [String] {
        var (words, isEscaped) = ([""], false)
        for character in text {
            if !isEscaped, character == "\\" {
                isEscaped = true
                continue
            }
            if !isEscaped, character == " " {
                words.append("")
            } else {
                words[words.count - 1].append(character)
            }
            isEscaped = false
        }
        return words
    }

    private static func named(_ path: String) -> TokenPipe? {
        guard FileStatus(at: path)?.isPipe == true,
            // It cannot be opened if no process reads it: then make has ended.
            let writing = try? FileDescriptor(opening: path, flags: O_WRONLY | O_NONBLOCK),
            let reading = try? FileDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK),
            reading.isPipe(sameAs: writing)
        else { return nil }
        return TokenPipe(reading: reading, writing: writing)
    }

    /// The pipe of two inherited files. Another file may have their numbers, if make has closed the pipe.
    private static func inherited(_ reading: Int32, _ writing: Int32) -> TokenPipe? {
        #if canImport(Glibc)
            guard isOpen(reading, for: O_RDONLY), isOpen(writing, for: O_WRONLY),
                let writing = try? FileDescriptor(duplicating: writing),
                let inherited = try? FileDescriptor(duplicating: reading), inherited.isPipe(sameAs: writing),
                let reading = try? FileDescriptor(
                    opening: "/proc/self/fd/\(reading)", flags: O_RDONLY | O_NONBLOCK),
                reading.isPipe(sameAs: writing)
            else { return nil }
            return TokenPipe(reading: reading, writing: writing)
        #else
            // Here, both files of a pipe have their own status, and /dev/fd opens the same file again.
            return nil
        #endif
    }

    private static func isOpen(_ number: Int32, for mode: Int32) -> Bool {
        guard number >= 0 else { return false }
        let flags = fcntl(number, F_GETFL)
        return flags != -1 && [mode, O_RDWR].contains(flags & O_ACCMODE)
    }

    /// Takes a token, if the pipe has one.
    func take() -> HeldTokens.Place? {
        reading.withNumber { reading in writing.withNumber { HeldTokens.take(from: reading, of: $0) } }
    }
}

extension FileDescriptor {
    /// Whether both are open on one pipe.
    fileprivate func isPipe(sameAs other: borrowing FileDescriptor) -> Bool {
        guard let own = try? status(), let others = try? other.status() else { return false }
        return own.isPipe && own.isSameFile(as: others)
    }
}

/// The tokens that the process holds. They go back when their units end, at the latest when the process ends,
/// also by a signal: otherwise make would have fewer jobs for the rest of its run. Only SIGKILL, and a stack
/// that is full, leave no time for that.
///
/// A signal may come at any moment, in any thread. So the table has a fixed address, and a lock that is held
/// only for a system call that does not wait, and with all signals blocked.
enum HeldTokens {
    /// A place in the table.
    typealias Place = Int

    private struct Token {
        /// The file that it is written to; -1 for none.
        var file: Int32 = -1
        var byte: UInt8 = 0
    }

    /// As many as `--jobs` may be at most.
    private static let count = 1024
    private static nonisolated(unsafe) let table = {
        let table = UnsafeMutablePointer<Token>.allocate(capacity: count)
        table.initialize(repeating: Token(), count: count)
        return table
    }()
    /// What each signal did before.
    private static nonisolated(unsafe) let earlier = {
        let earlier = UnsafeMutablePointer<sigaction>.allocate(capacity: 64)
        earlier.initialize(repeating: sigaction(), count: 64)
        return earlier
    }()
    private static let isLocked = Atomic(false)
    /// Whether the process ends: it takes no more tokens.
    private static let isOver = Atomic(false)

    /// Signals that end a process from outside, unless it answers them.
    private static let ends = [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU,
    ]
    /// Signals of a crash.
    private static let crashes = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP]

    /// From now on, tokens go back when the process ends. What the front end does at a signal stays.
    static func prepare() { _ = isPrepared }

    private static let isPrepared: Bool = {
        // The first use of a static variable is not safe in a signal handler.
        whileLocked {
            giveAllBack()
            isOver.store(false, ordering: .relaxed)
        }
        atexit { HeldTokens.whileLocked { HeldTokens.end() } }
        for number in ends + crashes {
            sigaction(number, nil, earlier + Int(number))
            let address = earlier[Int(number)].handler.map { unsafeBitCast($0, to: Int.self) } ?? 0
            // An earlier handler of a crash ends the process; it is called afterwards.
            guard address == 0 || address != 1 && crashes.contains(number) else { continue }
            var action = sigaction()
            action.handler = { HeldTokens.answer($0) }
            sigfillset(&action.sa_mask)
            sigaction(number, &action, nil)
        }
        return true
    }()

    /// Reads a token from the one file of a pipe, to write it to the other one later.
    ///
    /// - Returns: nil if the pipe has none.
    static func take(from reading: Int32, of writing: Int32) -> Place? {
        whileLocked {
            var byte: UInt8 = 0
            guard !isOver.load(ordering: .relaxed),
                let place = (0..<count).first(where: { table[$0].file < 0 }),
                read(reading, &byte, 1) == 1
            else { return nil }
            table[place] = Token(file: writing, byte: byte)
            return place
        }
    }

    /// Puts a token back into its pipe, which has room for it.
    static func giveBack(_ place: Place) { whileLocked { returnToken(place) } }

    private static func returnToken(_ place: Place) {
        guard table[place].file >= 0 else { return }
        _ = write(table[place].file, &table[place].byte, 1)
        table[place].file = -1
    }

    private static func giveAllBack() {
        var place = 0
        while place < count {
            returnToken(place)
            place += 1
        }
    }

    private static func end() {
        isOver.store(true, ordering: .relaxed)
        giveAllBack()
    }

    private static func whileLocked<Result>(_ body: () -> Result) -> Result {
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        while isLocked.exchange(true, ordering: .acquiring) { sched_yield() }
        defer {
            isLocked.store(false, ordering: .releasing)
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        return body()
    }

    /// Answers a signal: gives all tokens back, and lets the signal do what it did before, once this returns.
    private static func answer(_ number: Int32) {
        // Another thread has the lock only for a moment.
        while isLocked.exchange(true, ordering: .acquiring) { poll(nil, 0, 1) }
        end()
        isLocked.store(false, ordering: .releasing)
        sigaction(number, earlier + Int(number), nil)
        raise(number)
    }
}
