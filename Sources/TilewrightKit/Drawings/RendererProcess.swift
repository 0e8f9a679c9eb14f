import Platform
import RenderProtocol
import Synchronization

/// A renderer at work: a process that draws one page of a document. It ends with this object.
///
/// Not safe to share: one request at a time.
final class RendererProcess {
    /// The renderer's first message.
    let greeting: RendererGreeting
    /// The recording of the page that the renderer keeps, if any.
    var recording: DrawRequest.Recording?

    /// The memory that the renderer may take.
    let memory: GrantedMemory

    private let number: pid_t
    private let channel: FrameChannel
    private let limits: RendererLimits
    /// The renderer's exit status, once it is known; wait(2).
    private var ending: Int32?

    /// Starts a renderer.
    ///
    /// - Parameters:
    ///   - document: the open document.
    ///   - memory: the renderer's share, which the request to open the page contains.
    /// - Throws: a `SystemError` if the process cannot be started, a `RendererEnd` if the program is not
    ///   tilewright's renderer.
    init(
        _ program: CompanionProgram, document: borrowing FileDescriptor, memory: GrantedMemory,
        limits: RendererLimits
    ) throws {
        var number: pid_t = 0
        channel = try document.withNumber { document in
            try RendererStart.turn.withLock { _ in
                let requests = try Pipe()
                let answers = try Pipe()
                number = try RendererStart.spawn(program.path, requests.reading, answers.writing, document)
                return FrameChannel(input: answers.reading, output: requests.writing)
            }
        }
        self.number = number
        (self.memory, self.limits) = (memory, limits)
        do throws(FrameChannel.Trouble) {
            greeting = try channel.receive(.greeting, within: limits.wait).decoded()
            if greeting.version != Frame.version { throw .strange }
        } catch {
            let status = Self.end(number)
            ending = status
            throw error == .ended
                ? RendererEnd(status: status, seconds: 0)
                : RendererEnd(cause: error == .cancelled ? .cancelled : .strange, seconds: 0)
        }
    }

    deinit { if ending == nil { Self.end(number) } }

    /// Sends a request, and waits for the answer.
    ///
    /// - Parameter read: reads the answer; nil if it does not belong to this request.
    /// - Returns: the answer, or the renderer's failure.
    /// - Throws: the reason why the renderer ended or was killed.
    func ask<Answer>(
        _ request: Frame, for kind: Frame.Kind, _ read: (Frame) -> Answer?
    ) throws(RendererEnd) -> Result<Answer, RendererFailure> {
        do throws(FrameChannel.Trouble) {
            try channel.send(request)
            let frame = try channel.receive(kind, .failure, within: limits.wait)
            if frame.kind == .failure { return .failure(try frame.decoded()) }
            guard let answer = read(frame) else { throw .strange }
            return .success(answer)
        } catch { throw end(after: error) }
    }

    private func end(after trouble: FrameChannel.Trouble) -> RendererEnd {
        switch trouble {
        case .late: return RendererEnd(cause: .late, seconds: limits.wait)
        case .cancelled: return RendererEnd(cause: .cancelled, seconds: 0)
        case .strange: return RendererEnd(cause: .strange, seconds: 0)
        case .ended, .system:
            // The renderer is about to exit. Its status tells the reason. If it only closed its pipes, it is
            // killed.
            let status = ending ?? Self.waitBriefly(number)
            ending = status
            return RendererEnd(status: status, seconds: limits.seconds)
        }
    }

    @discardableResult private static func end(_ number: pid_t) -> Int32 {
        kill(number, SIGKILL)
        return wait(number)
    }

    /// Waits up to ten seconds for the end, and then kills the process.
    private static func waitBriefly(_ number: pid_t) -> Int32 {
        var status: Int32 = 0
        for _ in 0..<1000 {
            if waitpid(number, &status, WNOHANG) == number { return status }
            usleep(10_000)
        }
        return end(number)
    }

    private static func wait(_ number: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(number, &status, 0) == -1, errno == EINTR {}
        return status
    }
}

/// The start of a renderer.
private enum RendererStart {
    /// Processes start one at a time. Otherwise, a process would inherit the pipes of another one.
    static let turn = Mutex(())

    /// Starts a process; posix_spawn(3). The process gets two ends of pipes and the document, but no other
    /// open file. Signals have their default handlers, and signals of the terminal do not reach it.
    static func spawn(
        _ path: String, _ input: borrowing FileDescriptor, _ output: borrowing FileDescriptor,
        _ document: Int32
    ) throws(SystemError) -> pid_t {
        var files = FileActions()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        // The copies have numbers above those that the process uses, so that no file is overwritten before it
        // is copied.
        let high = try [input.withNumber { $0 }, output.withNumber { $0 }, document].map {
            number throws(SystemError) in
            try systemCall { fcntl(number, F_DUPFD_CLOEXEC, highestNumber + 1) }
        }
        defer { high.forEach { close($0) } }
        posix_spawn_file_actions_adddup2(&files, high[0], 0)
        posix_spawn_file_actions_adddup2(&files, high[1], 1)
        if access(nullDevice, W_OK) == 0 {
            posix_spawn_file_actions_addopen(&files, 2, nullDevice, O_WRONLY, 0)
        } else {
            // If the program cannot run, the system's message arrives in place of an answer, and is refused.
            posix_spawn_file_actions_adddup2(&files, high[1], 2)
        }
        posix_spawn_file_actions_adddup2(&files, high[2], Frame.documentDescriptor)
        var attributes = SpawnAttributes()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
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
        var words = [strdup(path), nil]
        defer { words.forEach { free($0) } }
        var number: pid_t = 0
        let code = posix_spawn(&number, path, &files, &attributes, &words, environ)
        if code != 0 { throw SystemError(code: code) }
        return number
    }

    private static let nullDevice = "/dev/null"

    /// The highest file number that the renderer uses: for the standard files and the document.
    private static let highestNumber: Int32 = 9
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

/// The end of a renderer that should have continued.
struct RendererEnd: Error {
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
    private let seconds: Int

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

    /// The error to report: a `Failure`, or a `CancellationError`.
    ///
    /// - Parameter attempt: the action that failed, such as `draw 'plan.pdf'`.
    func error(_ attempt: String) -> any Error {
        switch cause {
        case .cancelled: CancellationError()
        case .late, .used:
            Failure(
                .badInput, cannot: attempt, "the renderer timed out (limit: \(seconds) s)",
                remedy: "simplify the document, or raise TILEWRIGHT_RENDER_SECONDS in the environment")
        case .strange:
            Failure(
                .systemLimit, cannot: attempt,
                "'tilewright-render' uses another version of the protocol",
                remedy: "install both from the same release")
        case .killed:
            Failure(
                .systemLimit, cannot: attempt, "the renderer was killed",
                remedy: "run the same command again, with fewer --jobs if memory was short")
        case .crashed(let signal):
            Failure(
                .badInput, cannot: attempt, "the renderer crashed on it (signal \(signal))",
                remedy: "the document is most likely damaged: print it to a new PDF")
        case .left(let status):
            Failure(
                .systemLimit, cannot: attempt, "the renderer ended with status \(status)",
                remedy: "check whether 'tilewright-render --version' runs")
        }
    }
}
