import ArgumentParser
package import Platform
import Synchronization

/// What a run remembers for its report, and tells programs meanwhile. There is one for the process, since it
/// is needed wherever the program may end: also after a wrong command line, and after a signal.
package enum RunRecord {
    private struct State {
        let start = ContinuousClock.now
        var files: [ReportFile] = []
        var warnings: [Warning] = []
        var error: RunError?
        var outputs: [RunOutput] = []
        var faults: RunFaults?
    }

    private static let state = Mutex(State())

    /// Finds out what programs want to know, from the words of a command line that may be wrong.
    ///
    /// - Throws: a `Failure` if the report cannot be written.
    static func begin(_ words: [String], of root: any ParsableCommand.Type) throws {
        guard
            words.contains(where: { $0.hasPrefix("--report") || $0.hasPrefix("--progress") || $0 == "--json" }
            )
        else { return }
        let command = GivenCommand(words, of: root)
        if command.value(of: "--progress") == "json" { EventLine.begin() }
        guard command.has("--report") else { return }
        // Only `verify` has both.
        let result = command.has("--json") && words.contains("--json") ? [ReportFile.standardOutput] : []
        for file in (result + [command.value(of: "--report")].compactMap(\.self)).map(ReportFile.init) {
            try file.check()
            // The output, even if the rest of the line cannot be parsed.
            for output in [command.value(of: "--output"), command.value(of: "-o")].compactMap(\.self) {
                try file.check(isOutside: output)
            }
            state.withLock { $0.files.append(file) }
        }
    }

    /// Notes the tilesets that the run will make or check: what ends before is `unfinished`.
    ///
    /// - Parameter lists: other files that the run writes.
    /// - Throws: `.usage` if a report would be inside one of them; there is no report then.
    package static func begin(_ outputs: [RunOutput], lists: [String?] = []) throws {
        let files = state.withLock { $0.files }
        do {
            for file in files {
                for output in outputs { try file.check(isOutside: output.path) }
                for list in lists.compactMap(\.self) { try file.check(isNot: list) }
            }
        } catch {
            state.withLock { $0.files.removeAll { !$0.isStandardOutput } }
            throw error
        }
        outputs.forEach(note)
    }

    /// Whether standard output holds the report, and nothing else may be printed there.
    package static var takesStandardOutput: Bool {
        state.withLock { $0.files.contains(where: \.isStandardOutput) }
    }

    /// Notes what became of a tileset.
    package static func note(_ output: RunOutput) {
        state.withLock { state in
            if let index = state.outputs.firstIndex(where: output.isSame) {
                state.outputs[index] = output
            } else {
                state.outputs.append(output)
            }
        }
    }

    /// Notes a warning, and prints it unless the run is quiet.
    package static func warn(_ warning: Warning, isQuiet: Bool) {
        state.withLock { $0.warnings.append(warning) }
        if !isQuiet { Console.warn(warning) }
    }

    /// Notes a warning that is not printed.
    package static func note(_ warning: Warning) { state.withLock { $0.warnings.append(warning) } }

    /// Notes that faults are looked for.
    package static func beginFaults() { state.withLock { $0.faults = RunFaults() } }

    /// Notes a fault.
    package static func note(_ fault: RunFaults.Fault) {
        state.withLock { $0.faults?.add(fault) }
    }

    /// Notes why the run failed.
    static func note(_ error: RunError) { state.withLock { $0.error = error } }

    /// Writes the report; only the first call does.
    ///
    /// - Returns: the exit status, which differs if the report of a run that succeeded cannot be written.
    static func end(_ status: Int32) -> Int32 {
        // Under the lock: a signal may end the program at the same time, and must wait for the report.
        let failure: (any Error)? = state.withLock { state in
            let report = RunReport(
                status: status, error: state.error, warnings: state.warnings,
                seconds: (ContinuousClock.now - state.start).seconds, outputs: state.outputs,
                faults: state.faults)
            let files = state.files
            state.files = []
            do { for file in files { try file.write(report) } } catch { return error }
            return nil
        }
        guard let failure else { return status }
        let own = ExitStatus.saying(failure)
        return status == 0 ? own : status
    }
}
