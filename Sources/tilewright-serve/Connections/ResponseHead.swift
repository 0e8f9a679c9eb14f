import NIOHTTP1

/// The fields of an answer that say how it is sent.
enum ResponseHead {
    /// The head of an answer.
    ///
    /// - Parameters:
    ///   - closes: whether the connection ends with it.
    ///   - request: nil if there was none that could be read.
    static func head(
        of response: Response, closes: Bool, to request: HTTPRequestHead?
    ) -> HTTPResponseHead {
        var headers = response.headers
        if saysLength(response.status) {
            headers.add(name: "content-length", value: String(response.body.count))
        }
        headers.add(name: "date", value: HTTPDate.now)
        if closes {
            headers.add(name: "connection", value: "close")
        } else if request?.version == .http1_0 {
            headers.add(name: "connection", value: "keep-alive")
        }
        return HTTPResponseHead(version: .http1_1, status: response.status, headers: headers)
    }

    /// Whether the body is sent.
    static func hasBody(_ response: Response, to request: HTTPRequestHead?) -> Bool {
        request?.method != .HEAD && saysLength(response.status) && response.body.count > 0
    }

    /// What has no body says no length either (RFC 9110, section 8.6).
    private static func saysLength(_ status: HTTPResponseStatus) -> Bool {
        status != .noContent && status != .notModified
    }
}
