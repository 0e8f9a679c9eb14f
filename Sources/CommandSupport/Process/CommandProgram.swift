package import ArgumentParser
import Platform
import Dispatch

/// How the program and its companions begin and end: commands are declarations, errors become one line and an
/// exit status here.
package enum CommandProgram {
    /// Runs the command that the command line names, and ends the program. The process is set up while there is only one
    /// thread.
    package static func main(_ root: any ParsableCommand.Type) -> Never {
        ProcessSetup.protectStreams()
        let words: [String]
        do {
            words = EmptyValue.separated(try ProgramArguments.words(), of: root)
            try CommandNames.check(words, of: root)
            try CompletionScript.check(words)
            if try report(words, root) { ExitStatus.exit() }
        } catch { ExitStatus.exit(ExitStatus.saying(error)) }
        ProcessSetup.tuneAllocator()
        ProcessSetup.raiseOpenFiles()
        do { try ProcessSetup.requireThreads() } catch { ExitStatus.exit(ExitStatus.saying(error)) }
        startWorkers()
        // It ends here, where nothing is held any more.
        Task { @MainActor in ExitStatus.exit(await run(root, words)) }
        dispatchMain()
    }

    /// Starts libdispatch's threads while there is no work for them, if `/proc` is not mounted.
    ///
    /// As soon as the first of them runs, and each second after that, libdispatch asks `/proc` what they do if work
    /// waits for a thread, and traps if that is not there. Later some work seldom waits when a second is over; at
    /// first it often does.
    private static func startWorkers() {
        #if canImport(Glibc)
            guard access("/proc/self/task", F_OK) != 0 else { return }
            // The thread is taken, and nothing waits, while libdispatch first asks: a millisecond later, and on a busy
            // machine some more.
            let microseconds: UInt32 = 20_000
            let isDone = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                usleep(microseconds)
                isDone.signal()
            }
            isDone.wait()
        #endif
    }

    /// Prints what needs no command.
    ///
    /// - Returns: whether that was asked for.
    private static func report(_ words: [String], _ root: any ParsableCommand.Type) throws -> Bool {
        if let script = CompletionScript(words, of: root) {
            try Console.result(bytes: Array(script.text.utf8))
            return true
        }
        guard let report = VersionReport(words, of: root.configuration.commandName ?? "tilewright") else {
            return false
        }
        try Console.result(lines: report.lines)
        return true
    }

    /// - Returns: the exit status.
    private static func run(_ root: any ParsableCommand.Type, _ words: [String]) async -> Int32 {
        var command: any ParsableCommand
        do { command = try root.parseAsRoot(words) } catch {
            return ExitStatus.printed(error, of: root) ?? ExitStatus.saying(error, words, of: root)
        }
        do {
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return 0
        } catch {
            // The subcommand 'help' throws what it prints.
            return ExitStatus.printed(error, of: root) ?? ExitStatus.saying(error)
        }
    }
}
