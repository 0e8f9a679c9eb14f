import Platform
import Synchronization

/// The start and the end of the processes that this process starts.
enum ProcessStart {
    /// Processes start one at a time. Otherwise, a process would inherit the pipes of another one.
    static let turn = Mutex(())

    /// Starts a process in a process group of its own; posix_spawn(3). Signals have their default handlers, and
    /// signals of the terminal do not reach it.
    ///
    /// - Parameters:
    ///   - arguments: those after the program's name.
    ///   - files: the open files that the process gets, by their numbers there. It gets no other; standard
    ///     files that are not named are the null device.
    ///   - environment: `NAME=VALUE`, before those of this process.
    static func spawn(
        _ path: String, _ arguments: [String] = [], files: [Int32: Int32], environment: [String] = []
    ) throws(SystemError) -> pid_t {
        var actions = FileActions()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The copies have numbers above those that the process uses, so that no file is overwritten before it
        // is copied.
        var copies: [Int32: Int32] = [:]
        defer { copies.values.forEach { close($0) } }
        for (number, file) in files {
            let copy = try systemCall { fcntl(file, F_DUPFD_CLOEXEC, highestNumber + 1) }
            copies[number] = copy
            posix_spawn_file_actions_adddup2(&actions, copy, number)
        }
        for number: Int32 in 0...2 where copies[number] == nil {
            if access(nullDevice, R_OK | W_OK) == 0 {
                posix_spawn_file_actions_addopen(&actions, number, nullDevice, O_RDWR, 0)
            } else if let output = copies[1] ?? copies[2] {
                // If the program cannot run, the system's message arrives in place of an answer, and is refused.
                posix_spawn_file_actions_adddup2(&actions, output, number)
            }
        }
        var attributes = SpawnAttributes()
        try prepare(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        let added = environment.map { strdup($0) }
        defer { added.forEach { free($0) } }
        var variables = added + inherited + [nil]
        var number: pid_t = 0
        let code = posix_spawn(&number, path, &actions, &attributes, &words, &variables)
        if code != 0 { throw SystemError(code: code) }
        return number
    }

    private static func prepare(_ attributes: inout SpawnAttributes) throws(SystemError) {
        posix_spawnattr_init(&attributes)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        #if canImport(Darwin)
            flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #endif
        posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    /// The environment of this process.
    private static var inherited: [UnsafeMutablePointer<CChar>?] {
        var all: [UnsafeMutablePointer<CChar>?] = []
        while let variable = environ[all.count] { all.append(variable) }
        return all
    }

    private static let nullDevice = "/dev/null"

    /// The highest file number that a process uses: for the standard files and its documents.
    private static let highestNumber: Int32 = 9
}

/// The end of a process: kill(2), wait(2).
extension ProcessStart {
    /// Kills a process.
    ///
    /// - Parameter isGroup: whether the processes that it has started end, too.
    /// - Returns: its status.
    @discardableResult static func end(_ number: pid_t, isGroup: Bool = false) -> Int32 {
        kill(isGroup ? -number : number, SIGKILL)
        var status: Int32 = 0
        while waitpid(number, &status, 0) == -1, errno == EINTR {}
        return status
    }

    /// Waits up to ten seconds for the end, and then kills the process.
    static func waitBriefly(_ number: pid_t) -> Int32 {
        var status: Int32 = 0
        for _ in 0..<1000 {
            if waitpid(number, &status, WNOHANG) == number { return status }
            usleep(10_000)
        }
        return end(number)
    }
}

#if canImport(Darwin)
    private typealias FileActions = posix_spawn_file_actions_t?
    private typealias SpawnAttributes = posix_spawnattr_t?
#else
    private typealias FileActions = posix_spawn_file_actions_t
    private typealias SpawnAttributes = posix_spawnattr_t
#endif

/// Both ends of a pipe; pipe(2). A process that is started at the same moment would inherit them.
struct Pipe: ~Copyable {
    /// The end to read from.
    let reading: FileDescriptor
    /// The end to write to.
    let writing: FileDescriptor

    init() throws(SystemError) {
        var numbers: [Int32] = [0, 0]
        try systemCall { pipe(&numbers) }
        for number in numbers { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        #if os(Linux)
            // F_SETPIPE_SZ: room for the pixels of a square, so that both sides wake up less often. If the
            // call fails, the pipe works all the same.
            _ = fcntl(numbers[0], 1031, 1 << 20)
        #endif
        reading = FileDescriptor(owning: numbers[0])
        writing = FileDescriptor(owning: numbers[1])
    }
}

/// The end of a process that should have continued, or have ended in another way.
struct ProcessEnd: Error {
    /// Why it ended.
    enum Cause: Equatable {
        /// An answer timed out.
        case late
        /// It used up its CPU time.
        case used
        /// The task that waited for its answer was cancelled.
        case cancelled
        /// It violated the protocol.
        case strange
        /// It was killed from outside: by the user, or by the system, which lacked memory.
        case killed
        /// A signal ended it.
        case crashed(Int32)
        /// It exited.
        case left(Int32)
    }

    /// Why it ended.
    let cause: Cause
    /// The limit of time that it exceeded, in seconds.
    let seconds: Int

    init(cause: Cause, seconds: Int) { (self.cause, self.seconds) = (cause, seconds) }

    /// Reads a status of wait(2).
    init(status: Int32, seconds: Int) {
        let signal = status & 0x7F
        self.seconds = seconds
        switch signal {
        case 0: cause = .left(status >> 8 & 0xFF)
        case SIGXCPU: cause = .used
        case SIGKILL, SIGTERM, SIGINT, SIGHUP: cause = .killed
        default: cause = .crashed(signal)
        }
    }
}
