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
    /// - Parameters:
    ///   - words: the command line behind the program's name.
    ///   - root: the program's commands.
    static func exit(
        afterParsing error: any Error, _ words: [String], of root: any ParsableCommand.Type
    ) -> Never {
        exitAfterPrinting(error, of: root)
        Console.error(ParserComplaint(root.message(for: error), words: words, of: root).failure)
        endProgram(usage.rawValue)
    }

    /// Ends the program if the parser threw what was asked for, such as help, a version or completions: prints that.
    static func exitAfterPrinting(_ error: any Error, of root: any ParsableCommand.Type) {
        guard root.exitCode(for: error).isSuccess else { return }
        let text = root.fullMessage(for: error)
        do { if !text.isEmpty { try Console.result(bytes: Array((text + "\n").utf8)) } } catch {
            exit(after: error)
        }
        exit()
    }

    private static func endProgram(_ status: Int32) -> Never {
        Console.clearStatus()
        #if canImport(Glibc)
            Glibc.exit(status)
        #elseif canImport(Darwin)
            Darwin.exit(status)
        #endif
    }
}
