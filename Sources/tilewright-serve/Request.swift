import NIOCore
import NIOHTTP1
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
    mutating func take(_ part: HTTPServerRequestPart, for responder: Responder) -> Arrival? {
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

    private mutating func begin(_ head: HTTPRequestHead, for responder: Responder) -> Arrival? {
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
