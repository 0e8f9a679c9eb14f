import NIOCore
import NIOHTTP1

/// What waits for its turn on a connection.
enum Arrival {
    /// A whole request.
    case request(Request)
    /// Something that is no request, or that is refused before its end; the connection ends with it.
    case fault(Response)
}

extension HTTPRequestHead {
    /// Whether the client waits with the body until it is asked for it.
    fileprivate var expectsContinue: Bool {
        version == .http1_1
            && headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
    }
}

/// Puts requests together of what arrives.
struct RequestAssembler {
    /// The request whose body is on its way, and how long that may be.
    private var incoming: (request: Request, longestBody: Int)?
    /// Whether the client sends that body only when it is asked for it, by status 100 (RFC 9110, section 10.1.1).
    private(set) var waitsToBeAsked = false

    /// Takes a part.
    ///
    /// - Parameter responder: says which bodies requests may have.
    /// - Returns: what has arrived with it, if it is the last part.
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

    /// Says that the client was asked for its body.
    mutating func finishAsking() { waitsToBeAsked = false }

    private mutating func begin(_ head: HTTPRequestHead, for responder: Responder) -> Arrival? {
        let longestBody = responder.longestBody(of: head)
        let length = head.headers.first(name: "content-length").map { Int($0) ?? .max } ?? 0
        let isChunked = head.headers.contains(name: "transfer-encoding")
        if length > longestBody || isChunked && longestBody == 0 {
            return .fault(.text(.payloadTooLarge, "unexpected request body"))
        }
        if head.expectsContinue, length > 0 || isChunked {
            // The body is not to come only to be refused.
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
