import TilewrightKit
import ArgumentParser
package import Diagnostics

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The statuses that scripts rely on.
package enum ExitStatus: Int32 {
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
    package init(_ kind: Failure.Kind) {
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
    package static func exit() -> Never { endProgram(0) }

    /// Says what went wrong in one line, and the way out in a second, and ends the program.
    package static func exit(after error: any Error) -> Never {
        switch error {
        case let failure as Failure:
            Console.error(failure)
            endProgram(ExitStatus(failure.kind).rawValue)
        case let interruption as Interruption:
            if let advice = interruption.advice { Console.say("stopped: \(advice)") }
            endProgram(interruption.status)
        default:
            Console.error(
                Failure(
                    .badInput, "the program is at fault: \(error)",
                    remedy: "please report this with the command and the version, "
                        + Version.current))
            endProgram(bug.rawValue)
        }
    }

    /// Says what is wrong with the command line; help and version go to standard output.
    ///
    /// - Parameter root: the program's commands.
    static func exit(afterParsing error: any Error, of root: any ParsableCommand.Type) -> Never {
        if root.exitCode(for: error).isSuccess { root.exit(withError: error) }
        Console.error(Failure(parserMessage: root.message(for: error), of: root))
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
    fileprivate init(parserMessage text: String, of root: any ParsableCommand.Type) {
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
            remedy: Self.helpAdvice(of: root))
    }

    /// How to see what there is: for the command that was given, or the default one.
    private static func helpAdvice(of root: any ParsableCommand.Type) -> String {
        let program = root.configuration.commandName ?? "tilewright"
        let names = root.configuration.subcommands.compactMap { $0.configuration.commandName }
        guard !names.isEmpty else { return "'\(program) --help' says what there is" }
        let name = names.first { $0 == CommandLine.arguments.dropFirst().first } ?? "build"
        return "'\(program) --help' and '\(program) \(name) --help' say what there is"
    }
}
