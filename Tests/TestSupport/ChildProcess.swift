package import Foundation

/// A program that runs in parallel with the test.
///
/// Foundation's `Process` takes a program for running as long as another one runs that was started at the same
/// moment. Two that wait for each other never end. Here, the system says when a program has ended, and a
/// program gets no open file of anyone else.
package final class ChildProcess {
    /// The process number.
    package let identifier: pid_t
    private var status: Int32?

    /// Starts it.
    ///
    /// - Parameters:
    ///   - words: the program's path, and its arguments.
    ///   - input: the file that is its standard input.
    ///   - output: the file that gets its standard output, created or emptied.
    ///   - errors: the same for standard error.
    package init(
        _ words: [String], in directory: URL? = nil, input: String = "/dev/null",
        output: String = "/dev/null", errors: String = "/dev/null"
    ) throws {
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #else
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The threads of a pool block signals, and programs inherit that: they would not end when asked to.
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var blocked = sigset_t()
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        // Foundation opens files so that programs do not get them. Sockets and pipes of the tests are not.
        for number in 3..<Int32(1024) { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        let move = directory.map { ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, $0.path] } ?? []
        var arguments = (move + words).map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var number = pid_t()
        let code = posix_spawn(&number, (move + words)[0], &actions, &attributes, &arguments, environ)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EAGAIN) }
        identifier = number
    }

    /// Asks it to end, and kills it only if it hangs. A killed program does not write which lines it has
    /// reached, which `make coverage` adds up.
    deinit {
        if isRunning { kill(identifier, SIGTERM) }
        let start = ContinuousClock.now
        while isRunning, ContinuousClock.now - start < .seconds(5) { usleep(10_000) }
        if isRunning { _ = end(with: SIGKILL) }
    }

    /// Whether it has not ended yet.
    package var isRunning: Bool {
        if status != nil { return false }
        var status: Int32 = 0
        if waitpid(identifier, &status, WNOHANG) == identifier { self.status = status }
        return self.status == nil
    }

    /// Sends a signal, and waits for the end.
    ///
    /// - Returns: as `wait`.
    package func end(with signal: Int32) -> Int32 {
        if isRunning { kill(identifier, signal) }
        return wait()
    }

    /// Waits for the end. A program that hangs is killed after 20 minutes, which fails its test: otherwise nobody
    /// would learn which test it was.
    ///
    /// - Returns: the exit status, or minus the number of the signal that ended it.
    package func wait() -> Int32 {
        let start = ContinuousClock.now
        while isRunning {
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            if seconds > 1200 { kill(identifier, SIGKILL) }
            // A twentieth of the time that it has taken.
            usleep(UInt32(min(10_000, 50_000 * seconds)))
        }
        let status = status ?? 0
        return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
    }
}
