/// The error of a failed system call: a value of errno(3).
package struct SystemError: Error, Equatable {
    /// The value, such as `ENOSPC`.
    package var code: Int32

    /// The file is not a regular file. The system has no error code for that.
    package static let notRegular = SystemError(code: -1)

    /// Makes an error from a value of errno(3).
    package init(code: Int32) { self.code = code }

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
