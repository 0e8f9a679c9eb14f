import CCodec
import Diagnostics

extension cc_status {
    /// Throws what a status of the C fence stands for; `action` is what was tried, on which file.
    func check(_ action: @autoclosure () -> String, _ message: cc_message) throws(Failure) {
        guard self != CC_OK else { return }
        throw Failure(kind, "\(action()): \(message.string)")
    }

    /// Throws what a status stands for, where the caller says on which file: the message alone.
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

extension cc_message {
    /// The text up to its NUL.
    var string: String { String(terminated: text) }
}

extension String {
    /// The text of an array of C, a tuple here, up to its NUL.
    init<Characters>(terminated characters: Characters) {
        self = withUnsafeBytes(of: characters) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
