/// An error with a cause outside the program: a damaged file, a full disk, a wrong request. Bugs trap
/// instead.
///
/// Its description is one line, such as `cannot read 'plan.png': the file ends after row 3854 of 8689`, and a
/// second line if there is a remedy. Messages name a setting by the command's option, even if a Swift program
/// made the request: `--max-tiles` is the property `maxTiles`, and OUTPUT is the path of an `OutputRequest`.
public struct Failure: Error, Hashable, Sendable {
    /// The causes of failures. The raw values are names for programs.
    public enum Kind: String, Hashable, Sendable {
        /// The request contradicts itself, or asks for more than its limits.
        case usage
        /// An input is damaged, unsupported, or has no position on the map.
        case badInput = "bad-input"
        /// An input does not exist or cannot be read.
        case missingInput = "missing-input"
        /// Out of memory, or another limit of the system.
        case systemLimit = "system-limit"
        /// The output cannot be made, or the existing file was not made by tilewright.
        case outputRefused = "output-refused"
        /// Reading or writing failed after the file was opened.
        case inputOutput = "input-output"
        /// Another run is writing the same output.
        case busy
        /// The error of a control point is larger than allowed, or a tileset has faults.
        case checkFailed = "check-failed"
    }

    /// The cause.
    public var kind: Kind
    /// What was tried, on which file or tile, and why it failed: one clause, lower case, no full stop.
    public var message: String
    /// What the user can do about it, if known.
    public var remedy: String?

    /// What was tried, such as `read 'plan.png'`: the message begins with it. Nil until a caller that knows
    /// it calls `inAttempt`.
    public private(set) var attempt: String?

    /// Makes a failure.
    public init(_ kind: Kind, _ message: String, remedy: String? = nil) {
        (self.kind, self.message, self.remedy) = (kind, message, remedy)
    }

    /// Makes a failure whose message is `cannot ATTEMPT: REASON`.
    ///
    /// - Parameters:
    ///   - attempt: what was tried, such as `read 'plan.png'`.
    ///   - reason: why it failed, as a clause; nil if unknown.
    public init(_ kind: Kind, cannot attempt: String, _ reason: String?, remedy: String? = nil) {
        self.init(kind, "cannot \(attempt)" + (reason.map { ": \($0)" } ?? ""), remedy: remedy)
        self.attempt = attempt
    }

    /// This failure as the reason why an attempt failed.
    public func inAttempt(_ attempt: String) -> Failure {
        Failure(kind, cannot: attempt, message, remedy: remedy)
    }
}

extension Failure: CustomStringConvertible {
    /// The message, and the remedy on its own line.
    public var description: String { remedy.map { "\(message)\n\($0)" } ?? message }
}

/// Something that is not an error, but that the user should know.
public struct Warning: Hashable, Encodable, Sendable, CustomStringConvertible {
    /// A name for programs: lower case, with hyphens.
    public let name: String
    /// A line for people.
    public let text: String

    /// Makes a warning.
    public init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }

    /// The line.
    public var description: String { text }
}

extension Optional {
    /// The value of an optional that is never nil here; traps if it is, which would be a bug.
    ///
    /// - Parameter reason: why it is never nil.
    package func unwrapped(_ reason: StaticString) -> Wrapped {
        guard let self else { preconditionFailure("\(reason)") }
        return self
    }
}

/// The error of a failed system call: a value of errno(3).
package struct SystemError: Error, Equatable {
    /// The value, such as `ENOSPC`.
    package var code: Int32
    /// The failure to report in its place; nil if the value tells all. Files on other machines fail for
    /// reasons that have no value.
    package var cause: Failure?

    /// The file is not a regular file. The system has no error code for that.
    package static let notRegular = SystemError(code: -1)

    /// Makes an error from a value of errno(3).
    package init(code: Int32, cause: Failure? = nil) { (self.code, self.cause) = (code, cause) }

    /// The text of strerror(3), with a lower-case first letter.
    package var text: String {
        if self == .notRegular { return "it is not a regular file" }
        let text = String(cString: strerror(code))
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// The failure to report: `cannot write 'tiles/7/3/1.png': no space left on device`.
    ///
    /// - Parameter attempt: what was tried and on which file, such as `write 'tiles/7/3/1.png'`.
    package func failure(_ attempt: String) -> Failure {
        if let cause { return cause }
        let kind = self == .notRegular ? .outputRefused : Failure.Kind(ofWriting: code)
        return Failure(kind, cannot: attempt, text, remedy: remedy)
    }

    private var remedy: String? {
        switch code {
        case Self.notRegular.code: "remove it, or name another file"
        case ENOSPC, EDQUOT: "free some space and run the same command again"
        case EFBIG: "raise 'ulimit -f', or write where files may be larger"
        case EMFILE, ENFILE: "raise 'ulimit -n', and run the same command again"
        default: nil
        }
    }
}

/// Runs system calls, and turns their error into the failure of an attempt.
///
/// - Parameters:
///   - attempt: what is tried and on which file, such as `write 'tiles/7/3/1.png'`.
///   - calls: the calls.
package func trying<Result: ~Copyable>(
    _ attempt: @autoclosure () -> String, _ calls: @autoclosure () throws(SystemError) -> Result
) throws(Failure) -> Result {
    do throws(SystemError) { return try calls() } catch { throw error.failure(attempt()) }
}

/// Repeats a system call while signals interrupt it; if it returns -1, throws the error in errno(3).
@discardableResult
package func systemCall<Result: SignedInteger>(_ call: () -> Result) throws(SystemError) -> Result {
    while true {
        let result = call()
        if result != -1 { return result }
        if errno != EINTR { throw SystemError(code: errno) }
    }
}

extension Failure {
    /// Whether the cause is the system and not a file, so that a retry may succeed.
    package var isOfSystem: Bool { kind == .systemLimit || kind == .inputOutput }
}

extension Failure.Kind {
    /// The kind of failure if an output or a scratch file cannot be made or written.
    ///
    /// - Parameter code: a value of errno(3).
    package init(ofWriting code: Int32) {
        switch code {
        case EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG:
            self = .outputRefused
        case EMFILE, ENFILE, ENOMEM, ENOLCK, ENOBUFS: self = .systemLimit
        default: self = .inputOutput
        }
    }

    /// The kind of failure if an input cannot be opened.
    ///
    /// - Parameter code: a value of errno(3).
    package init(ofReading code: Int32) {
        switch code {
        case EMFILE, ENFILE, ENOMEM, EAGAIN, ENOBUFS: self = .systemLimit
        // If a disk or a network fails, the file may still exist.
        case EIO, ESTALE, ETIMEDOUT, ENOTCONN, ENODEV: self = .inputOutput
        default: self = .missingInput
        }
    }
}
