/// Something in the world that kept the program from doing its work: a damaged file, a full disk, a
/// wrong request. Bugs trap instead.
///
/// Printed, it is one line: `cannot read 'plan.png': the file ends after row 3854 of 8689`. Messages name a
/// setting by the command's option, also where a Swift program made the request: `--max-tiles` is the
/// property `maxTiles`, and OUTPUT the path of an `OutputRequest`.
public struct Failure: Error, Hashable, Sendable {
    /// Whose fault it is.
    public enum Kind: Hashable, Sendable {
        /// The request contradicts itself, or asks for more than its limits.
        case usage
        /// An input is damaged, unsupported, or nowhere on the map.
        case badInput
        /// An input does not exist or cannot be read.
        case missingInput
        /// Out of memory, or another limit of the system.
        case systemLimit
        /// The output cannot be made, or was not made by this program.
        case outputRefused
        /// Reading or writing failed on the way.
        case inputOutput
        /// Another run is writing the same output.
        case busy
        /// A control point misses its place by more than allowed, or a tileset has faults.
        case checkFailed
    }

    /// Whose fault it is.
    public var kind: Kind
    /// What was tried and why it failed, on which file or tile: one clause, lower case, no full stop.
    public var message: String
    /// The way out, if there is one.
    public var remedy: String?

    /// What was tried, as `read 'plan.png'`, if that is known here: the message begins with it. A failure
    /// of a part has none, until a caller that knows the whole gives it one.
    public private(set) var attempt: String?

    /// Makes a failure.
    public init(_ kind: Kind, _ message: String, remedy: String? = nil) {
        (self.kind, self.message, self.remedy) = (kind, message, remedy)
    }

    /// Makes a failure that knows what was tried; its message is `cannot ATTEMPT: REASON`.
    ///
    /// - Parameters:
    ///   - attempt: what was tried, as `read 'plan.png'`.
    ///   - reason: why it failed: a clause; nil if nothing is known.
    public init(_ kind: Kind, cannot attempt: String, _ reason: String?, remedy: String? = nil) {
        self.init(kind, "cannot \(attempt)" + (reason.map { ": \($0)" } ?? ""), remedy: remedy)
        self.attempt = attempt
    }

    /// The same failure as the reason why an attempt failed.
    public func inAttempt(_ attempt: String) -> Failure {
        Failure(kind, cannot: attempt, message, remedy: remedy)
    }
}

extension Failure: CustomStringConvertible {
    /// The message, and the remedy on its own line.
    public var description: String { remedy.map { "\(message)\n\($0)" } ?? message }
}

/// Something that is not an error, and that the user should know.
public struct Warning: Hashable, Encodable, Sendable, CustomStringConvertible {
    /// The name that programs know it by: lower case, with hyphens.
    public let name: String
    /// A line for people.
    public let text: String

    /// Makes a warning.
    public init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }

    /// The line.
    public var description: String { text }
}

extension Optional {
    /// The value of an optional that is never nil here; a bug traps.
    ///
    /// - Parameter reason: why it is not.
    package func unwrapped(_ reason: StaticString) -> Wrapped {
        guard let self else { preconditionFailure("\(reason)") }
        return self
    }
}
