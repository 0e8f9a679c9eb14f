import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests over HTTP.
final class Web: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    struct Answer: Sendable {
        let bytes: Data
        /// Changes if the file changes; nil if the server does not say.
        let version: String?
        /// The length of the whole file, of which the bytes are a range; nil without a range.
        let length: Int?
    }

    /// A request on its way.
    private struct Transfer {
        let isRange: Bool
        /// The most bytes that are received.
        let limit: Int
        let continuation: CheckedContinuation<Answer, any Error>
        var bytes = Data()
    }

    /// Seconds of silence after which the answer is "not now".
    private static let patience = 15.0
    private static let delegate = Web()
    private static let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
    /// By the number of the task; only the session's queue uses them.
    private var transfers: [Int: Transfer] = [:]

    /// Gets a file or a range of it, of at most `limit` bytes. A fresh one is confirmed by the server.
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
                let transfer = Transfer(isRange: range != nil, limit: limit, continuation: continuation)
                session.delegateQueue.addOperation { delegate.start(task, transfer) }
            }
        } onCancel: {
            session.delegateQueue.addOperation { delegate.cancel(task) }
        }
    }

    private func start(_ task: URLSessionDataTask, _ transfer: Transfer) {
        // It may have been cancelled before.
        if task.state != .suspended { return transfer.continuation.resume(throwing: CancellationError()) }
        transfers[task.taskIdentifier] = transfer
        task.resume()
    }

    /// Answers at once: a system may overlook that a task is cancelled which has just begun.
    private func cancel(_ task: URLSessionDataTask) {
        task.cancel()
        transfers.removeValue(forKey: task.taskIdentifier)?.continuation.resume(throwing: CancellationError())
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard var transfer = transfers.removeValue(forKey: dataTask.taskIdentifier) else { return }
        transfer.bytes.append(data)
        if transfer.bytes.count > transfer.limit { dataTask.cancel() }
        transfers[dataTask.taskIdentifier] = transfer
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        guard let transfer = transfers.removeValue(forKey: task.taskIdentifier) else { return }
        let response = task.response as? HTTPURLResponse
        let address = task.originalRequest?.url?.absoluteString ?? ""
        do {
            try Self.check(response?.statusCode ?? 0, transfer, address)
            if let error { throw TileError(.notNow, "\(address): \(error.localizedDescription)") }
        } catch { return transfer.continuation.resume(throwing: error) }
        func header(_ name: String) -> String? { response?.value(forHTTPHeaderField: name) }
        let answer = Answer(
            bytes: transfer.bytes, version: header("ETag") ?? header("Last-Modified"),
            length: header("Content-Range")?.split(separator: "/").last.flatMap { Int($0) })
        transfer.continuation.resume(returning: answer)
    }

    private static func check(_ status: Int, _ transfer: Transfer, _ address: String) throws {
        switch status {
        case 204, 404, 410: throw TileError(.missing, "there is no \(address)")
        case 401, 403: throw TileError(.denied, "\(address): status \(status): the server does not permit it")
        case 200 where transfer.isRange:
            throw TileError(.unreadable, "\(address): the server sends no ranges")
        // The range begins beyond the end.
        case 416: throw TileError(.unreadable, "\(address) is cut short")
        case 0, 200, 206:
            if transfer.bytes.count > transfer.limit { throw TileError(.unreadable, "\(address): too long") }
        default: throw TileError(.notNow, "\(address): status \(status)")
        }
    }
}
