import Dispatch
import Platform
import Synchronization
import TilewrightKit

/// The statuses that scripts rely on, and the end of the program.
enum ExitStatus {
    /// An internal error (`EX_SOFTWARE` of sysexits.h).
    private static let bug: Int32 = 70

    /// The status of a failure: one of sysexits.h, or 1 for a failed check.
    private static func status(of kind: Failure.Kind) -> Int32 {
        switch kind {
        case .checkFailed: 1
        case .usage: 64
        case .badInput: 65
        case .missingInput: 66
        case .systemLimit: 71
        case .outputRefused: 73
        case .inputOutput: 74
        case .busy: 75
        }
    }

    /// Ends the program.
    static func end(_ status: Int32 = 0) -> Never {
        Console.clearStatus()
        exit(RunRecord.end(status))
    }

    /// Prints the error in one line, and the remedy in a second.
    ///
    /// - Returns: the exit status.
    static func saying(_ error: any Error) -> Int32 {
        switch error {
        case let failure as Failure:
            RunRecord.note(RunError(failure))
            Console.error(failure)
            return status(of: failure.kind)
        case let interruption as Interruption:
            RunRecord.note(interruption.asError)
            if EventLine.areWanted { Console.tell(.error, interruption.asError) }
            if let advice = interruption.advice { Console.say("stopped: \(advice)") }
            return interruption.status
        default:
            let failure = Failure(
                .badInput, "internal error: \(error)",
                remedy: "please report it with the command and the version, \(Version.current)")
            let own = RunError(kind: "internal", failure.message, remedy: failure.remedy)
            RunRecord.note(own)
            if EventLine.areWanted { Console.tell(.error, own) } else { Console.error(failure) }
            return bug
        }
    }
}

/// Runs work that a signal cancels: SIGINT, SIGTERM, SIGHUP, or SIGXCPU at the CPU time limit.
package enum SignalWatch {
    /// The time that cancelled work has to stop. Scripts that send a signal expect the end within a second.
    /// The output stays intact even if the program is ended at any moment.
    private static let patience = DispatchTimeInterval.milliseconds(700)

    /// Runs the work to its end, or until a signal has cancelled it.
    ///
    /// If the work does not stop in time, for example while it plans or publishes, the program ends.
    ///
    /// - Parameters:
    ///   - advice: the advice that the user gets after a signal; nil for none.
    ///   - jobs: the number of jobs that the user asked for: then the job server of make does not count.
    /// - Throws: `Interruption` after a signal, otherwise the error of the work.
    package static func run<Result: Sendable>(
        advice: String? = "run the same command again to finish", jobs: Int? = nil,
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let caught = Mutex<Int32?>(nil)
        // On the main actor, so that the writer never waits for a worker's thread.
        let jobServer = jobs == nil ? JobServer.current : nil
        let task = JobServer.$current.withValue(jobServer) { Task { @MainActor in try await work() } }
        let sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                caught.withLock { $0 = number }
                task.cancel()
                DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
                    ExitStatus.end(ExitStatus.saying(error(after: number, advice)))
                }
            }
            source.resume()
            return source
        }
        defer { sources.forEach { $0.cancel() } }
        do {
            return try await task.value
        } catch is CancellationError {
            throw error(after: caught.withLock { $0 } ?? SIGINT, advice)
        }
    }

    /// The signals that end work; not SIGHUP if nohup(1) has switched it off.
    private static var numbers: [Int32] {
        let isKept = signal(SIGHUP, SIG_IGN).map { unsafeBitCast($0, to: Int.self) } == 1
        return [SIGINT, SIGTERM, SIGXCPU] + (isKept ? [] : [SIGHUP])
    }

    private static func error(after number: Int32, _ advice: String?) -> any Error {
        guard number == SIGXCPU else { return Interruption(signal: number, advice: advice) }
        return Failure(
            .systemLimit, "stopped: the CPU time limit is reached",
            remedy: "raise 'ulimit -t', and run the same command again to finish")
    }
}

/// A run that was stopped by a signal.
struct Interruption: Error {
    /// The signal's number.
    var signal: Int32

    /// The advice to the user; nil for none.
    var advice: String?

    /// The status that shells give to a program stopped by the signal: 130 for SIGINT, 143 for
    /// SIGTERM, 129 for SIGHUP.
    var status: Int32 { 128 + signal }

    /// The interruption in a report.
    var asError: RunError { RunError(kind: "interrupted", "stopped by signal \(signal)", remedy: advice) }
}
