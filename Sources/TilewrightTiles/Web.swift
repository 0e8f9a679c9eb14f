import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests over HTTP.
enum Web {
    struct Answer: Sendable {
        let status: Int
        let bytes: Data
        /// Changes if the file changes; nil if the server does not say.
        let version: String?
        /// The length of the whole file, of which the bytes are a range; nil without a range.
        let length: Int?
    }

    /// Seconds of silence after which the answer is "not now".
    private static let patience = 15.0
    private static let delegate = Delegate()
    private static let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)

    /// Gets a file or a range of it.
    ///
    /// - Parameters:
    ///   - isFresh: asks the server whether a copy in the cache is still valid.
    ///   - limit: the most bytes that are received.
    /// - Returns: an answer with status 200, 206, 204, 404 or 410.
    /// - Throws: a `TileError` if there is no answer, or another one.
    static func get(_ url: URL, _ range: Range<Int>? = nil, isFresh: Bool = false, limit: Int) async throws
        -> Answer
    {
        var request = URLRequest(url: url, timeoutInterval: patience)
        if isFresh { request.cachePolicy = .reloadRevalidatingCacheData }
        if let range {
            request.setValue("bytes=\(range.lowerBound)-\(range.upperBound - 1)", forHTTPHeaderField: "Range")
        }
        let task = session.dataTask(with: request)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let transfer = Transfer(
                    url: url, isRange: range != nil, limit: limit, continuation: continuation)
                delegate.start(task, transfer)
            }
        } onCancel: {
            task.cancel()
        }
    }
}

/// A request on its way.
private struct Transfer {
    let url: URL
    let isRange: Bool
    let limit: Int
    let continuation: CheckedContinuation<Web.Answer, any Error>
    var bytes = Data()

    func finish(_ response: HTTPURLResponse?, _ error: (any Error)?) {
        let status = response?.statusCode ?? 0
        if let fault = fault(status, error) { return continuation.resume(throwing: fault) }
        func header(_ name: String) -> String? { response?.value(forHTTPHeaderField: name) }
        let answer = Web.Answer(
            status: status, bytes: bytes, version: header("ETag") ?? header("Last-Modified"),
            length: header("Content-Range")?.split(separator: "/").last.flatMap { Int($0) })
        continuation.resume(returning: answer)
    }

    private func fault(_ status: Int, _ error: (any Error)?) -> (any Error)? {
        let address = url.absoluteString
        switch status {
        case 401, 403:
            return TileError(.denied, "\(address): status \(status): the server does not permit it")
        case 200 where isRange:
            return TileError(.unreadable, "the server of \(address) does not send ranges of files")
        // The range begins beyond the end.
        case 416: return TileError(.unreadable, "\(address) is cut short")
        case 0, 200, 204, 206, 404, 410: break
        default: return TileError(.notNow, "\(address): status \(status)")
        }
        if bytes.count > limit { return TileError(.unreadable, "\(address) is too long") }
        if (error as? URLError)?.code == .cancelled { return CancellationError() }
        return error.map { TileError(.notNow, "\(address): \($0.localizedDescription)") }
    }
}

/// Receives the parts of answers, and ends an answer that is longer than it may be.
private final class Delegate: NSObject, URLSessionDataDelegate {
    private let transfers = Locked<[Int: Transfer]>([:])

    func start(_ task: URLSessionDataTask, _ transfer: Transfer) {
        transfers.withLock { $0[task.taskIdentifier] = transfer }
        task.resume()
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLong = transfers.withLock { transfers in
            transfers[dataTask.taskIdentifier]?.bytes.append(data)
            return transfers[dataTask.taskIdentifier].map { $0.bytes.count > $0.limit } ?? true
        }
        if isTooLong { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.finish(
            task.response as? HTTPURLResponse, error)
    }
}
