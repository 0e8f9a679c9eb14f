import TilewrightKit
import ArgumentParser
package import Platform

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

    /// Ends the program.
    package static func exit(_ status: Int32 = 0) -> Never {
        Console.clearStatus()
        Platform.exit(status)
    }

    /// Says what went wrong in one line, and the way out in a second.
    ///
    /// - Returns: the exit status.
    static func saying(_ error: any Error) -> Int32 {
        switch error {
        case let failure as Failure:
            Console.error(failure)
            return ExitStatus(failure.kind).rawValue
        case let interruption as Interruption:
            if let advice = interruption.advice { Console.say("stopped: \(advice)") }
            return interruption.status
        default:
            Console.error(
                Failure(
                    .badInput, "the program is at fault: \(error)",
                    remedy: "please report this with the command and the version, "
                        + Version.current))
            return bug.rawValue
        }
    }

    /// Says what is wrong with the command line.
    ///
    /// - Parameters:
    ///   - words: the command line behind the program's name.
    ///   - root: the program's commands.
    static func saying(
        _ error: any Error, _ words: [String], of root: any ParsableCommand.Type
    ) -> Int32 {
        Console.error(ParserComplaint(root.message(for: error), words: words, of: root).failure)
        return usage.rawValue
    }

    /// Prints what was asked for, if that is what the parser threw: help, a version, completions.
    ///
    /// - Returns: the exit status; nil if something is wrong.
    static func printed(_ error: any Error, of root: any ParsableCommand.Type) -> Int32? {
        guard root.exitCode(for: error).isSuccess else { return nil }
        let text = root.fullMessage(for: error)
        do {
            if !text.isEmpty { try Console.result(bytes: Array((text + "\n").utf8)) }
            return 0
        } catch { return saying(error) }
    }
}
