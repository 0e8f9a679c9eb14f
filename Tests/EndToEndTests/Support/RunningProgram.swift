import Foundation
import TestSupport

/// The program while it runs.
final class RunningProgram {
    private let process: ChildProcess

    /// Starts it; its output is thrown away.
    init(_ arguments: [String]) throws { process = try ChildProcess([Program.path] + arguments) }

    /// Waits until something is true, or until the program has ended or a minute has passed.
    ///
    /// - Returns: whether it came true while the program ran.
    func wait(until condition: () throws -> Bool) rethrows -> Bool {
        let deadline = Date(timeIntervalSinceNow: 60)
        while process.isRunning, Date.now < deadline {
            if try condition() { return true }
            usleep(2000)
        }
        return false
    }

    /// Sends a signal, and waits for the end.
    ///
    /// - Returns: the exit status, or minus the number of the signal that ended the program.
    func end(with signal: Int32) -> Int32 { process.end(with: signal) }
}
