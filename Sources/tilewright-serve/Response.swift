import CommandSupport
import NIOCore
import NIOHTTP1
import Platform
import Synchronization
import TilewrightKit
import WebRequests

/// The answer to a request.
struct Response: Sendable {
    /// The body of a response.
    enum Body: Sendable {
        /// Nothing, or what fits into memory.
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
    /// The fields, but for those that say how the body is sent.
    var headers = HTTPHeaders()
    /// The body; a response to HEAD has only its length.
    var body = Body.bytes([])

    /// An answer of one line for people.
    static func text(_ status: HTTPResponseStatus, _ line: String) -> Response {
        var response = Response(status: status, body: .bytes(Array((line.printable + "\n").utf8)))
        response.headers.add(name: "content-type", value: "text/plain; charset=utf-8")
        return response
    }
}

/// An answer that is ready, or is made.
enum Answer: Sendable {
    /// At once.
    case ready(Response)
    /// When something is done; cancelled if the client goes.
    case later(LaterAnswer)
}

/// An answer for which files must be read, or tiles rendered.
struct LaterAnswer: Sendable {
    /// Where it is made.
    let threads: BlockingThreads
    /// Whether it takes so little time that its files are out of reach if it is late.
    var isPrompt = true
    /// Makes it.
    let make: @Sendable () async -> Response
}

extension Response {
    /// The head, with the fields that say how the body is sent.
    ///
    /// - Parameters:
    ///   - closes: whether the connection ends with it.
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

    /// A response without a body has no length either (RFC 9110, section 8.6).
    private var saysLength: Bool { status != .noContent && status != .notModified }
}

/// The time, as fields of HTTP have it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
enum HTTPDate {
    private static let last = Mutex((second: time_t(0), text: ""))

    /// Now; written once a second.
    static var now: String {
        let second = time(nil)
        return last.withLock { last in
            if last.second == second { return last.text }
            var (time, parts) = (second, tm())
            gmtime_r(&time, &parts)
            let text = String(unsafeUninitializedCapacity: 32) { text in
                // The names of days and months are English: the program never sets a locale.
                text.withMemoryRebound(to: CChar.self) {
                    strftime($0.baseAddress, $0.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
                }
            }
            last = (second, text)
            return text
        }
    }
}

/// An open archive: it stays the same while it is sent, also if another file takes its name.
final class ServedFile: Sendable {
    /// Its bytes.
    let size: Int
    /// Distinguishes it from other states of the same name.
    let tag: EntityTag
    private let number: Int32

    /// Opens a file.
    ///
    /// - Returns: nil if it is not there, or not a file.
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
