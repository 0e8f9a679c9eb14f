import Platform
import Synchronization

/// A program that is started for one job: it writes lines, and ends.
///
/// All processes of its group end when the job does, for whatever reason.
struct LineProcess {
    /// The program.
    let program: CompanionProgram
    /// The arguments after its name.
    var arguments: [String] = []
    /// Variables of its environment, `NAME=VALUE`.
    var environment: [String] = []
    /// The file number that it writes its lines to: 1 or 2.
    var output: Int32 = 1
    /// Seconds of CPU time that it was told to use at most.
    var seconds: Int
    /// Seconds of wall time after which it is killed.
    var wait: Int

    /// The longest line, in bytes: room for a hundred thousand layers with long names.
    private static let longestLine = 16 << 20
    /// Milliseconds between two looks whether the task was cancelled: a tenth of the second in which cancelled
    /// work must end.
    private static let glance: Int32 = 100

    /// Runs the program.
    ///
    /// - Parameters:
    ///   - files: the files that it gets, by their numbers there.
    ///   - take: gets each line, without its end.
    /// - Throws: a `ProcessEnd` unless it ends by itself with status 0; a `SystemError` if it cannot be started;
    ///   what `take` throws.
    func run(files: [Int32: Int32] = [:], _ take: ([UInt8]) throws -> Void) throws {
        var number: pid_t = 0
        let lines = try ProcessStart.turn.withLock { _ in
            let pipe = try Pipe()
            number = try pipe.writing.withNumber { writing in
                try ProcessStart.spawn(
                    program.path, arguments, files: files.merging([output: writing]) { $1 },
                    environment: environment)
            }
            return pipe.reading
        }
        var isEnded = false
        defer { if !isEnded { ProcessStart.end(number, isGroup: true) } }
        try read(lines, take)
        let status = ProcessStart.waitBriefly(number)
        isEnded = true
        // Processes that it left behind. The number of its group is not used again so soon.
        kill(-number, SIGKILL)
        let end = ProcessEnd(status: status, seconds: seconds)
        if end.cause != .left(0) { throw end }
    }

    /// Reads lines up to the end.
    private func read(_ lines: borrowing FileDescriptor, _ take: ([UInt8]) throws -> Void) throws {
        let deadline = ContinuousClock.now + .seconds(wait)
        var (line, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
        while true {
            try waitForBytes(lines, until: deadline)
            let count = try buffer.withUnsafeMutableBytes { try lines.readOnce(into: $0) }
            if count == 0 { break }
            for part in buffer[..<count].split(
                separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
            )
            .enumerated() {
                if part.offset > 0 {
                    try take(line)
                    line = []
                }
                line += part.element
            }
            if line.count > Self.longestLine { throw ProcessEnd(cause: .strange, seconds: seconds) }
        }
        if !line.isEmpty { try take(line) }
    }

    private func waitForBytes(
        _ lines: borrowing FileDescriptor, until deadline: ContinuousClock.Instant
    ) throws {
        while true {
            if Task.isCancelled { throw ProcessEnd(cause: .cancelled, seconds: seconds) }
            if ContinuousClock.now > deadline { throw ProcessEnd(cause: .late, seconds: wait) }
            let isReady = try lines.withNumber { number in
                var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
                return try systemCall { poll(&entry, 1, Self.glance) } > 0
            }
            if isReady { return }
        }
    }
}
