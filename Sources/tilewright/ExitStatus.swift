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

    /// Says what went wrong in one line, and the way out in a second, and ends the program.
    static func exit(after error: any Error) -> Never {
        switch error {
        case let failure as Failure:
            Console.error(failure)
            endProgram(ExitStatus(failure.kind).rawValue)
        case let interruption as Interruption:
            Console.say("stopped: the same command goes on from here")
            endProgram(interruption.status)
        default:
            exit(afterParsing: error)
        }
    }

    /// Help and version go to standard output; what is wrong with the command line is an error.
    private static func exit(afterParsing error: any Error) -> Never {
        let code = Tilewright.exitCode(for: error)
        if code.isSuccess { Tilewright.exit(withError: error) }
        Console.error(
            Failure(
                .usage, Tilewright.message(for: error),
                remedy: "'tilewright --help' and 'tilewright build --help' say what there is"))
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
