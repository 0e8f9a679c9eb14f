package import ArgumentParser
import Dispatch
import Georeferencing
import Platform
import TilewrightKit

/// The start and end of the program and its companions. Errors become one line and an exit status here.
package enum CommandProgram {
    /// Runs the command that the command line names, and ends the program. The process is set up while it has
    /// only one thread.
    package static func main(_ root: any ParsableCommand.Type) -> Never {
        ProcessSetup.protectStreams()
        // Before this process opens files, which would get the numbers of a pipe that make has closed.
        let jobServer = getenv("MAKEFLAGS").flatMap { JobServer(makeFlags: String(cString: $0)) }
        let words: [String]
        do {
            let read: [String]
            do { read = try ProgramArguments.words() } catch {
                // Programs learn of it, too.
                try RunRecord.begin(ProgramArguments.readableWords, of: root)
                throw error
            }
            let given = CommandNames.completingOptionalValues(read)
            words = GivenCommand.separatingEmptyValues(given, of: root)
            try RunRecord.begin(words, of: root)
            try CommandNames.check(words, of: root)
            if words.sorted() == ["--verbose", "--version"] {
                try Console.result(lines: VersionReport.lines(root.configuration.commandName ?? "tilewright"))
                ExitStatus.end()
            }
            if words == ["--experimental-dump-aliases"] {
                try Console.result(json: OptionAliases.json())
                ExitStatus.end()
            }
        } catch { ExitStatus.end(ExitStatus.saying(error)) }
        ProcessSetup.tuneAllocator()
        ProcessSetup.raiseOpenFiles()
        do { try ProcessSetup.requireThreads() } catch { ExitStatus.end(ExitStatus.saying(error)) }
        startWorkers()
        // The program ends here, after everything is closed.
        Task { @MainActor in
            ExitStatus.end(await JobServer.$current.withValue(jobServer) { await run(root, words) })
        }
        dispatchMain()
    }

    /// Starts libdispatch's threads before there is work for them, if `/proc` is not mounted.
    ///
    /// When the first thread runs, and each second after that, libdispatch checks whether work waits for a
    /// thread. If so, it reads the state of its threads from `/proc`, and traps if `/proc` is missing. Work
    /// often waits at the first check, but seldom later.
    private static func startWorkers() {
        #if canImport(Glibc)
            guard access("/proc/self/task", F_OK) != 0 else { return }
            // During libdispatch's first check the thread is busy, and no work waits. The check comes after a
            // millisecond, or a little later on a busy machine.
            let microseconds: UInt32 = 20_000
            let isDone = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                usleep(microseconds)
                isDone.signal()
            }
            isDone.wait()
        #endif
    }

    /// - Returns: the exit status.
    private static func run(_ root: any ParsableCommand.Type, _ words: [String]) async -> Int32 {
        var command: any ParsableCommand
        do { command = try root.parseAsRoot(words) } catch {
            let message = root.message(for: error)
            return printed(error, of: root)
                ?? ExitStatus.saying(GivenCommand(words, of: root).failure(message))
        }
        if !GivenCommand.isQuiet(words) {
            let name = type(of: command).configuration.commandName ?? ""
            Console.tell(.start, RunStart(command: name, program: "tilewright \(Version.current)"))
        }
        do {
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return 0
        } catch {
            // The subcommand 'help' throws its text.
            return printed(error, of: root) ?? ExitStatus.saying(error)
        }
    }

    /// Prints help, a version or completions, if the parser threw one of these.
    ///
    /// - Returns: the exit status; nil if the parser threw an error.
    private static func printed(_ error: any Error, of root: any ParsableCommand.Type) -> Int32? {
        guard root.exitCode(for: error).isSuccess else { return nil }
        let text = CompletionScript.completed(root.fullMessage(for: error), of: root)
        do {
            if !text.isEmpty { try Console.result(bytes: Array((text + "\n").utf8)) }
            return 0
        } catch { return ExitStatus.saying(error) }
    }
}

/// An addition to the parser's completion scripts: the default command may be left out, as in `tilewright
/// plan.png --form`.
enum CompletionScript {
    /// The parser's script, followed by a function that inserts the default command before the parser's own
    /// function reads the line.
    ///
    /// - Parameters:
    ///   - script: the text that the parser prints; if it is not a script, it is returned unchanged.
    ///   - root: the program's commands.
    static func completed(_ script: String, of root: any ParsableCommand.Type) -> String {
        guard let name = root.configuration.defaultSubcommand?.configuration.commandName,
            let program = root.configuration.commandName,
            let addition = additions.first(where: { script.hasPrefix($0.firstWord) })
        else { return script }
        let commands = (CommandNames.names(of: root) + ["help"]).joined(separator: " ")
        return script + "\n\n"
            + addition.text.replacing("@PROGRAM@", with: program).replacing("@DEFAULT@", with: name)
            .replacing("@COMMANDS@", with: commands)
    }

    /// The additions by the first word of each shell's script.
    private static let additions = [
        (firstWord: "#!/bin/bash", text: bash), (firstWord: "#compdef", text: zsh),
        (firstWord: "function", text: fish),
    ]

    /// The first word may be a command or a file. Before a file, the default command is inserted.
    private static let bash = """
        # '@DEFAULT@' may be left out.
        _@PROGRAM@_or_@DEFAULT@() {
            if [[ ${COMP_CWORD} -eq 2 && ${COMP_WORDS[1]} == help ]]; then
                COMPREPLY=($(compgen -W '@COMMANDS@' -- "${2}"))
                return
            fi
            local -a commands=()
            if [[ ${COMP_CWORD} -eq 1 ]]; then
                _@PROGRAM@ "${@}"
                commands=("${COMPREPLY[@]}")
                COMPREPLY=()
            fi
            if [[ ${COMP_CWORD} -eq 1 || " @COMMANDS@ " != *" ${COMP_WORDS[1]} "* ]]; then
                local -a COMP_WORDS=("${COMP_WORDS[0]}" @DEFAULT@ "${COMP_WORDS[@]:1}")
                local -i COMP_CWORD=$((COMP_CWORD + 1))
            fi
            _@PROGRAM@ "${1}" "${2}" "${COMP_WORDS[COMP_CWORD - 1]}"
            COMPREPLY+=("${commands[@]}")
        }
        complete -o filenames -F _@PROGRAM@_or_@DEFAULT@ @PROGRAM@
        """

    /// As in bash.
    private static let zsh = """
        # '@DEFAULT@' may be left out.
        _@PROGRAM@_or_@DEFAULT@() {
            local -i found=1
            if [[ ${words[2]} == help && CURRENT -eq 3 ]]; then
                compadd -- @COMMANDS@
                return
            fi
            (( CURRENT == 2 )) && _@PROGRAM@ "${@}" && found=0
            if [[ CURRENT -eq 2 || " @COMMANDS@ " != *" ${words[2]} "* ]]; then
                words=("${words[1]}" @DEFAULT@ "${(@)words[2,-1]}")
                (( CURRENT++ ))
            fi
            _@PROGRAM@ "${@}" && found=0
            return found
        }
        compdef _@PROGRAM@_or_@DEFAULT@ @PROGRAM@
        """

    /// The parser's conditions read the words from its function `tokens`, so the default command is inserted
    /// there.
    private static let fish = """
        # '@DEFAULT@' may be left out.
        functions -c __@PROGRAM@_tokens __@PROGRAM@_typed_tokens
        function __@PROGRAM@_tokens
            set -l tokens (__@PROGRAM@_typed_tokens $argv)
            if string match -q -- '-*c*' $argv[1]; and set -q tokens[2]; and not contains -- $tokens[2] @COMMANDS@
                set tokens $tokens[1] @DEFAULT@ $tokens[2..]
            end
            test (count $tokens) -gt 0; and printf '%s\\n' $tokens
        end
        complete -c '@PROGRAM@' -n '__fish_seen_subcommand_from help' -fa '@COMMANDS@'
        complete -c '@PROGRAM@' -n 'test (count (__@PROGRAM@_typed_tokens -pc)) -eq 1' \
            -fa '(complete -C "@PROGRAM@ @DEFAULT@ "(commandline -ct))'
        """
}

/// The report of `--version --verbose`: the version, kernels, libraries, data and companions.
private enum VersionReport {
    /// A line for each, aligned.
    static func lines(_ program: String) -> [String] {
        let description = ProgramDescription()
        let rows =
            [(program, description.version), ("SIMD kernels", text(of: description.kernels))]
            + description.libraries.map { ($0.name, text(of: $0)) } + rows(of: description.proj)
            + ["tilewright-serve", "tilewright-render", "tilewright-cad"].filter { $0 != program }.map {
                name in
                (name, CompanionProgram(named: name)?.path ?? "not installed")
            }
        let width = (rows.map(\.0.count).max() ?? 0) + 2
        return rows.map { $0.0.aligned(left: width) + $0.1 }
    }

    private static func text(of kernels: [String]) -> String {
        let others = kernels.dropLast()
        let last = kernels.last ?? ""
        return others.isEmpty ? last : "\(last) (this machine also runs \(others.joined(separator: ", ")))"
    }

    private static func text(of library: LibraryVersion) -> String {
        guard let version = library.version else { return "not installed" }
        return library.isOfHeaders ? "\(version), when the program was compiled" : version
    }

    private static func rows(of proj: PROJData?) -> [(String, String)] {
        guard let proj else { return [("PROJ", "not installed")] }
        let edition = [proj.version, proj.date].compactMap(\.self).joined(separator: " of ")
        return [
            ("PROJ", proj.library),
            ("PROJ's data", proj.database + (edition.isEmpty ? "" : ", EPSG \(edition)")),
        ] + proj.folders.map { ("PROJ's grids", "\($0.gridCount) in \($0.path)") }
    }
}
