import CommandSupport
import NIOCore
import NIOHTTP1
import Platform
import Publishing
import Synchronization
import TilewrightKit
import WebRequests

/// A request as it was received.
struct Request: Sendable {
    /// The request line and the header fields.
    let head: HTTPRequestHead
    /// The body.
    var body: [UInt8] = []

    /// The value of a field that occurs once; nil if it does not occur, or occurs several times.
    func field(_ name: String) -> String? {
        let values = head.headers[name]
        return values.count == 1 ? values[0] : nil
    }
}

/// The server and the path that a request names.
struct RequestLine: Sendable {
    /// The server's name in the request.
    let authority: Authority
    /// The path; nil if this server cannot have such a path.
    let path: RequestPath?

    /// Reads a request.
    ///
    /// - Returns: nil if the request names no server or several, or its target has none of the forms below.
    init?(_ request: Request) {
        guard let host = request.field("host") else { return nil }
        let target = request.head.uri
        let isOfServer = target == "*" && request.head.method == .OPTIONS
        if target.hasPrefix("/") || isOfServer {
            guard let authority = Authority(host) else { return nil }
            self.authority = authority
            path = isOfServer ? nil : RequestPath(target: target[...])
            return
        }
        // The form for proxies. Its host is used instead of the field Host (RFC 9112, section 3.2.2).
        let scheme = "http://"
        guard target.lowercased().hasPrefix(scheme) else { return nil }
        let rest = target.dropFirst(scheme.count)
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        guard let authority = Authority(rest[..<end]) else { return nil }
        self.authority = authority
        path = RequestPath(target: end == rest.endIndex ? "/" : rest[end...])
    }
}

/// An entry in the queue of a connection.
enum Arrival {
    /// A complete request.
    case request(Request)
    /// The response to an invalid request, or to one that is refused early. The connection ends with it.
    case fault(Response)
}

/// Assembles requests from the parts that arrive.
struct RequestAssembler {
    /// The request whose body is being received, and the largest size of that body.
    private var incoming: (request: Request, longestBody: Int)?
    /// Whether the client waits for status 100 before it sends the body (RFC 9110, section 10.1.1).
    var waitsToBeAsked = false

    /// Adds a part.
    ///
    /// - Parameter responder: knows which bodies requests may have.
    /// - Returns: the request or fault, if it is complete.
    mutating func take(_ part: HTTPServerRequestPart, for responder: any Responding) -> Arrival? {
        if case .head(let head) = part { return begin(head, for: responder) }
        waitsToBeAsked = false
        switch part {
        case .head: return nil
        case .body(let bytes): return take(bytes)
        case .end:
            defer { incoming = nil }
            return (incoming?.request).map { .request($0) }
        }
    }

    private mutating func begin(_ head: HTTPRequestHead, for responder: any Responding) -> Arrival? {
        let longestBody = responder.longestBody(of: head)
        let length = head.headers.first(name: "content-length").map { Int($0) ?? .max } ?? 0
        let isChunked = head.headers.contains(name: "transfer-encoding")
        if length > longestBody || isChunked && longestBody == 0 {
            return .fault(.text(.payloadTooLarge, "unexpected request body"))
        }
        let expectsContinue =
            head.version == .http1_1
            && head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
        if expectsContinue, length > 0 || isChunked {
            // If the request will be refused, the client should not send the body.
            if let refusal = responder.refusal(of: head) { return .fault(refusal) }
            waitsToBeAsked = true
        }
        incoming = (Request(head: head), longestBody)
        return nil
    }

    private mutating func take(_ bytes: ByteBuffer) -> Arrival? {
        guard let longest = incoming?.longestBody else { return nil }
        incoming?.request.body += bytes.readableBytesView
        if incoming?.request.body.count ?? 0 <= longest { return nil }
        incoming = nil
        return .fault(.text(.payloadTooLarge, "the body of this request is too long"))
    }
}

/// The response to a request.
struct Response: Sendable {
    /// The body of a response.
    enum Body: Sendable {
        /// Bytes in memory; may be empty.
        case bytes([UInt8])
        /// A part of an archive, and the threads that read it.
        case file(ServedFile, Range<Int>, BlockingThreads)

        /// The number of bytes.
        var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .file(_, let range, _): range.count
            }
        }
    }

    /// The status.
    var status: HTTPResponseStatus
    /// The header fields, without those about the transfer of the body.
    var headers = HTTPHeaders()
    /// The body; a response to HEAD has only its length.
    var body = Body.bytes([])

    /// A response with one line of text for people.
    static func text(_ status: HTTPResponseStatus, _ line: String) -> Response {
        var response = Response(status: status, body: .bytes(Array((line.printable + "\n").utf8)))
        response.headers.add(name: "content-type", value: "text/plain; charset=utf-8")
        return response
    }

    /// A response with JSON that no one may keep.
    static func json(_ bytes: [UInt8], _ status: HTTPResponseStatus = .ok) -> Response {
        var response = Response(status: status, body: .bytes(bytes))
        response.headers.add(name: "content-type", value: MediaType.json)
        response.headers.add(name: "cache-control", value: "no-store")
        response.headers.add(name: "cross-origin-resource-policy", value: "same-origin")
        return response
    }
}

/// A response that is ready, or is still to be made.
enum Answer: Sendable {
    /// A response that is ready.
    case ready(Response)
    /// A response that is made later. It is cancelled if the client disconnects.
    case later(LaterAnswer)
}

/// A response for which files must be read, or tiles rendered.
struct LaterAnswer: Sendable {
    /// The threads that make the response.
    let threads: BlockingThreads
    /// Whether the response is usually fast. If it is late, its files are probably unreachable.
    var isPrompt = true
    /// Makes the response.
    let make: @Sendable () async -> Response
}

extension Response {
    /// The head, with the fields about the transfer of the body.
    ///
    /// - Parameters:
    ///   - closes: whether the connection ends with this response.
    ///   - request: nil if it could not be read.
    func head(closes: Bool, to request: HTTPRequestHead?) -> HTTPResponseHead {
        var headers = headers
        if saysLength { headers.add(name: "content-length", value: String(body.count)) }
        headers.add(name: "date", value: HTTPDate.now)
        if closes {
            headers.add(name: "connection", value: "close")
        } else if request?.version == .http1_0 {
            headers.add(name: "connection", value: "keep-alive")
        }
        return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }

    /// Whether the body is sent.
    func hasBody(to request: HTTPRequestHead?) -> Bool {
        request?.method != .HEAD && saysLength && body.count > 0
    }

    /// Whether the length is sent: not for a status without a body (RFC 9110, section 8.6).
    private var saysLength: Bool { status != .noContent && status != .notModified }
}

/// The time in the format of HTTP fields: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
enum HTTPDate {
    private static let last = Mutex((second: time_t(0), text: ""))

    /// The current time. The text is made once a second.
    static var now: String {
        let second = time(nil)
        return last.withLock { last in
            if last.second == second { return last.text }
            var (time, parts) = (second, tm())
            gmtime_r(&time, &parts)
            let text = String(unsafeUninitializedCapacity: 32) { text in
                // The names of days and months are English because the program never sets a locale.
                text.withMemoryRebound(to: CChar.self) {
                    strftime($0.baseAddress, $0.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
                }
            }
            last = (second, text)
            return text
        }
    }
}

/// An open archive. It stays the same while it is sent, even if another file gets its name.
final class ServedFile: Sendable {
    /// The size in bytes.
    let size: Int
    /// The tag of this version of the file.
    let tag: EntityTag
    private let number: Int32

    /// Opens a file.
    ///
    /// - Returns: nil if it does not exist, or is not a regular file.
    init?(_ path: String) {
        number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        guard number >= 0, fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            if number >= 0 { close(number) }
            return nil
        }
        size = Int(status.st_size)
        let changed = status.contentTime
        let parts = [Int(status.st_ino), size, changed.tv_sec, changed.tv_nsec]
        tag = EntityTag(parts.map { String($0, radix: 16) }.joined(separator: "-"))
    }

    deinit { close(number) }

    /// Some bytes of the file; nil if they cannot be read.
    func bytes(_ range: Range<Int>) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { memory, count in
            count = max(0, pread(number, memory.baseAddress, range.count, off_t(range.lowerBound)))
        }
        return bytes.count == range.count ? bytes : nil
    }
}
