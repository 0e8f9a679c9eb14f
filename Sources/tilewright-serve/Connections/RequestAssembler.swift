import NIOCore
import NIOHTTP1

/// What waits for its turn on a connection.
enum Arrival {
    /// A whole request.
    case request(Request)
    /// Something that is no request, or that is refused before its end; the connection ends with it.
    case fault(Response)
}

/// Puts requests together of what arrives.
struct RequestAssembler {
    /// The request whose body is on its way, and how long that may be.
    private var incoming: (request: Request, longestBody: Int)?

    /// Takes a part.
    ///
    /// - Parameter longestBody: bytes of a body that a request may have; 0 if it may have none.
    /// - Returns: what has arrived with it, if it is the last part.
    mutating func take(
        _ part: HTTPServerRequestPart, longestBody: (HTTPRequestHead) -> Int
    ) -> Arrival? {
        switch part {
        case .head(let head): return begin(head, longestBody: longestBody(head))
        case .body(let bytes): return take(bytes)
        case .end:
            defer { incoming = nil }
            return (incoming?.request).map { .request($0) }
        }
    }

    private mutating func begin(_ head: HTTPRequestHead, longestBody: Int) -> Arrival? {
        let length = head.headers.first(name: "content-length").map { Int($0) ?? .max } ?? 0
        let isChunked = head.headers.contains(name: "transfer-encoding")
        if length > longestBody || isChunked && longestBody == 0 {
            return .fault(.text(.payloadTooLarge, "this request has a body that nobody wants"))
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
