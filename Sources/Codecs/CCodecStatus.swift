import CCodec
import Platform

extension cc_status {
    /// Throws the failure that a status of the C code stands for.
    ///
    /// - Parameter action: what was tried, on which file.
    func check(_ action: @autoclosure () -> String, _ message: cc_message) throws(Failure) {
        guard self != CC_OK else { return }
        throw Failure(kind, "\(action()): \(message.string)")
    }

    /// Throws the failure with the C code's message alone; the caller adds the file's name.
    func check(_ message: cc_message) throws(Failure) {
        guard self != CC_OK else { return }
        throw Failure(kind, message.string)
    }

    private var kind: Failure.Kind {
        switch self {
        case CC_CANNOT_OPEN: .missingInput
        case CC_READ_FAILED: .inputOutput
        case CC_OUT_OF_MEMORY: .systemLimit
        default: .badInput
        }
    }
}

/// The handle that a call of the C code makes.
///
/// - Parameter action: what was tried, on which file.
func opened(
    _ action: @autoclosure () -> String,
    _ open: (_ handle: inout OpaquePointer?, _ message: inout cc_message) -> cc_status
) throws(Failure) -> OpaquePointer {
    var handle: OpaquePointer?
    var message = cc_message()
    try open(&handle, &message).check(action(), message)
    return handle.unwrapped("a call that succeeds has made one")
}

extension cc_message {
    /// The text up to its NUL.
    var string: String { String(terminated: text) }
}

extension String {
    /// Makes a string of a C array, which Swift sees as a tuple, up to its NUL.
    init<Characters>(terminated characters: Characters) {
        self = withUnsafeBytes(of: characters) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
