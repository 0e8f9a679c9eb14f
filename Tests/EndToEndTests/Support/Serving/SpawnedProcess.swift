import Foundation

/// A program that runs in parallel with the test.
///
/// Foundation's own `Process` takes it for running as long as another one that was started at the same moment,
/// which may be for ever: here it is waited for as POSIX does, and gets no file of anybody else.
final class SpawnedProcess {
    /// The system's number of it.
    let identifier: pid_t
    private var status: Int32?

    /// Starts it.
    ///
    /// - Parameters:
    ///   - words: the program's path, and its arguments.
    ///   - errors: where standard error goes; standard output goes nowhere.
    init(_ words: [String], in directory: URL, errors: URL) throws {
        // A shell closes what others have open, and changes the directory.
        let script =
            "cd \"$1\"; exec 2>\"$2\" >/dev/null </dev/null; "
            + "for file in /proc/self/fd/*; do n=${file##*/}; case $n in 0|1|2) ;; *) eval \"exec $n>&-\";; esac; done; "
            + "shift 2; exec \"$@\""
        try Data().write(to: errors)
        var arguments: [UnsafeMutablePointer<CChar>?] =
            (["/bin/bash", "-c", script, "sh", directory.path, errors.path] + words).map { strdup($0) }
        arguments.append(nil)
        defer { arguments.forEach { free($0) } }
        var number = pid_t()
        guard posix_spawn(&number, "/bin/bash", nil, nil, arguments, environ) == 0 else {
            throw POSIXError(.EAGAIN)
        }
        identifier = number
    }

    deinit { if isRunning { _ = end(with: SIGKILL) } }

    /// Whether it has not ended yet.
    var isRunning: Bool {
        if status != nil { return false }
        var status: Int32 = 0
        if waitpid(identifier, &status, WNOHANG) == identifier { self.status = status }
        return self.status == nil
    }

    /// Sends a signal, and waits for the end.
    ///
    /// - Returns: the exit status, or minus the number of the signal that ended it.
    func end(with signal: Int32) -> Int32 {
        if isRunning { kill(identifier, signal) }
        while isRunning { usleep(500) }
        let status = status ?? 0
        return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
    }
}
