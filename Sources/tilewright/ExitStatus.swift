import TilewrightKit
import ArgumentParser
import Diagnostics

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The statuses that scripts rely on.
enum ExitStatus: Int32 {
    case checkFailed = 1
    case usage = 64
    case badInput = 65
    case missingInput = 66
    case bug = 70
    case systemLimit = 71
    case outputRefused = 73
    case inputOutput = 74
    case busy = 75

    /// The status of a failure.
    init(_ kind: Failure.Kind) {
        self =
            switch kind {
            case .usage: .usage
            case .badInput: .badInput
            case .missingInput: .missingInput
            case .systemLimit: .systemLimit
            case .outputRefused: .outputRefused
            case .inputOutput: .inputOutput
            case .busy: .busy
            case .checkFailed: .checkFailed
            }
    }

    /// Ends the program, which has done all of it.
    static func exit() -> Never { endProgram(0) }

    /// Says what went wrong in one line, and the way out in a second, and ends the program.
    static func exit(after error: any Error) -> Never {
        switch error {
        case let failure as Failure:
            Console.error(failure)
            endProgram(ExitStatus(failure.kind).rawValue)
        case let interruption as Interruption:
            Console.say("stopped: run the same command again to finish")
            endProgram(interruption.status)
        default:
            // The subcommand 'help' throws what it prints.
            if Tilewright.exitCode(for: error).isSuccess { Tilewright.exit(withError: error) }
            Console.error(
                Failure(
                    .badInput, "the program is at fault: \(error)",
                    remedy: "please report this with the command and the version, "
                        + Version.current))
            endProgram(bug.rawValue)
        }
    }

    /// Says what is wrong with the command line; help and version go to standard output.
    static func exit(afterParsing error: any Error) -> Never {
        if Tilewright.exitCode(for: error).isSuccess { Tilewright.exit(withError: error) }
        Console.error(Failure(parserMessage: Tilewright.message(for: error)))
        endProgram(usage.rawValue)
    }

    private static func endProgram(_ status: Int32) -> Never {
        #if canImport(Glibc)
            Glibc.exit(status)
        #elseif canImport(Darwin)
            Darwin.exit(status)
        #endif
    }
}

extension Failure {
    /// Takes over what the parser says, which may be a list, or end with a remedy of ours.
    fileprivate init(parserMessage text: String) {
        let lines = text.split(whereSeparator: \.isNewline)
        let first = lines.first ?? "the command line is wrong"
        let message = first.prefix(1).lowercased() + first.dropFirst()
        let rest = lines.dropFirst().map(\.trimmed)
        if let second = rest.first, !second.hasPrefix("- ") {
            self.init(.usage, message, remedy: String(second))
            return
        }
        let items = rest.map { String($0.dropFirst(2)) }.joined(separator: ", ")
        self.init(
            .usage, items.isEmpty ? message : "\(message) \(items)",
            remedy: "'tilewright --help' and 'tilewright \(Self.commandName) --help' say what there is")
    }

    /// The command that was given, or the default one.
    private static var commandName: String {
        let names = Tilewright.configuration.subcommands.compactMap { $0.configuration.commandName }
        return names.first { $0 == CommandLine.arguments.dropFirst().first } ?? "build"
    }
}
