import CTransfer
import Platform
import Synchronization

/// One request, to be sent once.
struct Exchange {
    enum Body {
        case none
        case bytes([UInt8])
        case file(Int32, size: Int)
    }

    struct Signature {
        /// `aws:amz:REGION:s3`.
        var scheme: String
        /// `NAME:SECRET`.
        var userPassword: String
    }

    var method = "GET"
    var url: String
    /// Whether it may go over http:, directly.
    var isLocal: Bool
    var headers: [String] = []
    var signature: Signature?
    var body = Body.none
}

/// Receives the body of an answer that is a success.
protocol BodySink: AnyObject {
    /// Called once, when the header is complete and its status is 200 to 299.
    func begin(_ answer: Answer) throws
    /// Takes bytes of the body. Returns whether it wants more.
    func take(_ bytes: UnsafeRawBufferPointer) throws -> Bool
}

/// An answer, and the first bytes of its body if it is not a success.
struct Reply {
    var answer: Answer
    var errorText: String
}

/// Handles of libcurl, which keep connections for the requests to come.
final class Transfers: Sendable {
    private struct Handle: @unchecked Sendable { var pointer: UnsafeMutableRawPointer }

    private let free = Mutex<[Handle]>([])
    private let certificates: String?
    private let connectSeconds: Int
    private let stallSeconds: Int

    /// - Parameters:
    ///   - certificates: a file of trusted certificates in PEM; nil for those of the system.
    ///   - seconds: the longest time to connect, and the longest time below 1 KiB/s; nil for 10 and 30.
    init(certificates: String?, seconds: Int?) {
        self.certificates = certificates
        (connectSeconds, stallSeconds) = (seconds ?? 10, seconds ?? 30)
    }

    deinit { for handle in free.withLock({ $0 }) { ct_close(handle.pointer) } }

    /// Sends a request and waits for the end of its answer.
    ///
    /// - Throws: what the sink throws; a `Trouble`; `CancellationError`.
    func perform(_ exchange: Exchange, into sink: any BodySink) throws -> Reply {
        guard let handle = free.withLock({ $0.popLast() }) ?? ct_open().map(Handle.init) else {
            throw Trouble(reason: "out of memory", kind: .systemLimit)
        }
        defer { free.withLock { $0.append(handle) } }
        let receiver = Receiver(sink)
        var result = ct_result()
        Self.withRequest(exchange) { request in
            request.certificates = UnsafePointer(certificates.flatMap { strdup($0) })
            defer { Self.release(request.certificates) }
            request.connect_seconds = connectSeconds
            request.stall_seconds = stallSeconds
            request.context = Unmanaged.passUnretained(receiver).toOpaque()
            request.header = { Receiver.of($0).takeHeader(UnsafeRawBufferPointer(start: $1, count: $2)) }
            request.receive = { Receiver.of($0).takeBody(UnsafeRawBufferPointer(start: $1, count: $2)) }
            request.proceed = { _ in !Task.isCancelled }
            ct_perform(handle.pointer, &request, &result)
        }
        if let error = receiver.error { throw error }
        if !receiver.hasEnough, let trouble = try Self.trouble(result) { throw trouble }
        guard receiver.answer.isComplete, !receiver.answer.isDamaged else {
            throw Trouble.lie("the answer is not valid HTTP")
        }
        return Reply(answer: receiver.answer, errorText: String(decoding: receiver.errorBytes, as: UTF8.self))
    }

    /// Calls `body` with the request in C.
    private static func withRequest(_ exchange: Exchange, _ body: (inout ct_request) -> Void) {
        var texts: [UnsafeMutablePointer<CChar>?] = []
        func copied(_ text: String) -> UnsafePointer<CChar>? {
            texts.append(strdup(text))
            return UnsafePointer(texts[texts.count - 1])
        }
        defer { texts.forEach { release($0) } }
        var request = ct_request()
        request.method = copied(exchange.method)
        request.url = copied(exchange.url)
        request.is_local = exchange.isLocal
        request.signature = exchange.signature.flatMap { copied($0.scheme) }
        request.user_password = exchange.signature.flatMap { copied($0.userPassword) }
        let headers = exchange.headers.map(copied)
        headers.withUnsafeBufferPointer { lines in
            request.headers = lines.baseAddress
            request.header_count = lines.count
            (request.body_file, request.body_size) = (-1, -1)
            switch exchange.body {
            case .none: body(&request)
            case .file(let number, let size):
                (request.body_file, request.body_size) = (number, Int64(size))
                body(&request)
            case .bytes(let bytes):
                bytes.withUnsafeBytes { buffer in
                    request.body = buffer.baseAddress
                    request.body_size = Int64(buffer.count)
                    body(&request)
                }
            }
        }
    }

    private static func release(_ text: UnsafePointer<CChar>?) {
        Platform.free(UnsafeMutablePointer(mutating: text))
    }

    /// - Throws: `CancellationError` if the task was cancelled.
    private static func trouble(_ result: ct_result) throws -> Trouble? {
        let text = withUnsafeBytes(of: result.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let line = text.excerpt(200)
        switch result.outcome {
        case CT_DONE: return nil
        case CT_STOPPED: throw CancellationError()
        case CT_UNREACHABLE:
            return Trouble(
                reason: "cannot connect to the server (\(line))", kind: .inputOutput, isTemporary: true)
        case CT_TIMEOUT:
            return Trouble(
                reason: "the server did not answer, or sent too little, for too long", kind: .inputOutput,
                remedy: "set TILEWRIGHT_TIMEOUT to more seconds", isTemporary: true)
        case CT_BROKEN:
            return Trouble(
                reason: "the connection broke (\(line))", kind: .inputOutput, isTemporary: true)
        case CT_GARBAGE: return .lie("the answer is not valid HTTP (\(line))")
        case CT_LONG_HEADERS: return .refusal("the answer has too many header lines")
        case CT_CERTIFICATE:
            return Trouble(
                reason: "the certificate of the server is not trusted (\(line))", kind: .inputOutput,
                remedy: "set SSL_CERT_FILE to a file with the certificate of its authority")
        case CT_SOURCE: return .changed
        case CT_MEMORY: return Trouble(reason: "out of memory", kind: .systemLimit)
        default:
            return Trouble(
                reason: "this libcurl cannot do it (\(line))", kind: .systemLimit,
                remedy: "install libcurl 7.81 or newer")
        }
    }
}

/// Receives one answer from libcurl.
private final class Receiver {
    var answer = Answer()
    var errorBytes: [UInt8] = []
    var error: (any Error)?
    var hasEnough = false
    private let sink: any BodySink
    private var ignored = 0

    init(_ sink: any BodySink) { self.sink = sink }

    static func of(_ context: UnsafeMutableRawPointer?) -> Receiver {
        Unmanaged<Receiver>.fromOpaque(context.unwrapped("set before the exchange")).takeUnretainedValue()
    }

    private var isSuccess: Bool { (200..<300).contains(answer.status) }

    func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        let wasComplete = answer.isComplete
        answer.take(bytes: line)
        if wasComplete || !answer.isComplete { return true }
        return guarded {
            if isSuccess { try sink.begin(answer) }
            return true
        }
    }

    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guarded {
            guard answer.isComplete else { throw Trouble.lie("the answer is not valid HTTP") }
            if isSuccess {
                hasEnough = try !sink.take(bytes)
                return !hasEnough
            }
            // Pages of errors may be long.
            if errorBytes.count < 4096 { errorBytes += bytes.prefix(4096 - errorBytes.count) }
            ignored += bytes.count
            hasEnough = ignored > 1 << 18
            return !hasEnough
        }
    }

    private func guarded(_ body: () throws -> Bool) -> Bool {
        do { return try body() } catch { self.error = error }
        return false
    }
}
