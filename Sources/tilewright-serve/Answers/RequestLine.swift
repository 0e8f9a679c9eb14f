import NIOHTTP1
import WebRequests

/// Whom a request is for, and what it asks for.
struct RequestLine: Sendable {
    /// The server, as the client calls it.
    let authority: Authority
    /// The path; nil if it is none of ours.
    let path: RequestPath?

    /// Reads a request.
    ///
    /// - Returns: nil if it says nothing of a server, or several things, or asks for something of another kind.
    init?(_ request: Request) {
        guard let host = request.field("host") else { return nil }
        let target = request.head.uri
        if target.hasPrefix("/") {
            guard let authority = Authority(host) else { return nil }
            self.init(authority: authority, path: RequestPath(target: target[...]))
            return
        }
        if target == "*", request.head.method == .OPTIONS {
            guard let authority = Authority(host) else { return nil }
            self.init(authority: authority, path: nil)
            return
        }
        // The form that is for proxies; its host counts (RFC 9112, section 3.2.2).
        let scheme = "http://"
        guard target.lowercased().hasPrefix(scheme) else { return nil }
        let rest = target.dropFirst(scheme.count)
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        guard let authority = Authority(rest[..<end]) else { return nil }
        self.init(authority: authority, path: RequestPath(target: end == rest.endIndex ? "/" : rest[end...]))
    }

    private init(authority: Authority, path: RequestPath?) { (self.authority, self.path) = (authority, path) }
}
