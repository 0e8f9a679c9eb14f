import CommandSupport
import NIOCore
import NIOHTTP1
import TilewrightKit

/// What a request is answered with.
struct Response: Sendable {
    /// What follows the fields.
    enum Body: Sendable {
        /// Nothing, or what fits into memory.
        case bytes([UInt8])
        /// A part of an archive, and the threads that read it.
        case file(ServedFile, Range<Int>, BlockingThreads)
    }

    /// The status.
    var status: HTTPResponseStatus
    /// The fields, but for those that say how the body is sent.
    var headers = HTTPHeaders()
    /// The body; with HEAD it is left out, and its length is said.
    var body = Body.bytes([])

    /// An answer of one line for people.
    static func text(_ status: HTTPResponseStatus, _ line: String) -> Response {
        var response = Response(status: status, body: .bytes(Array((line.printable + "\n").utf8)))
        response.headers.add(name: "content-type", value: "text/plain; charset=utf-8")
        return response
    }
}

extension Response.Body {
    /// How many bytes it has.
    var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(_, let range, _): range.count
        }
    }
}

/// How a request is answered.
enum Answer: Sendable {
    /// At once.
    case ready(Response)
    /// When something is done; cancelled if the client goes.
    case later(LaterAnswer)
}

/// An answer that files must be read for, or tiles rendered.
struct LaterAnswer: Sendable {
    /// Where it is made.
    let threads: BlockingThreads
    /// Whether it takes so little that a file must be out of reach if it is not there in time.
    var isPrompt = true
    /// Makes it.
    let make: @Sendable () async -> Response
}
