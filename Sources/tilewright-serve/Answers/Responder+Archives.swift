import NIOHTTP1
import TilewrightKit
import WebRequests

/// Archives, in ranges.
extension Responder {
    func archive(_ name: String, _ request: Request) -> Answer {
        with(name) { tileset in
            guard let path = try tileset.archive(), let file = ServedFile(path) else { return Self.notFound }
            return part(of: file, on: tileset.threads, request)
        }
    }

    private func part(of file: ServedFile, on threads: BlockingThreads, _ request: Request) -> Response {
        let precondition = precondition(file.tag, request)
        if precondition == .failed { return Self.changed }
        var response = Response(status: .ok)
        response.headers.reserveCapacity(12)
        response.headers.add(name: "etag", value: file.tag.text)
        response.headers.add(name: "cache-control", value: "no-cache")
        response.headers.add(name: "accept-ranges", value: "bytes")
        allow(policy.origin, in: &response)
        response.headers.add(
            name: "access-control-expose-headers", value: "etag, content-range, content-length, accept-ranges"
        )
        if precondition == .notModified {
            response.status = .notModified
            return response
        }
        response.headers.add(name: "content-type", value: "application/vnd.pmtiles")
        switch range(of: file, request) {
        case .whole: response.body = body(0..<file.size, of: file, on: threads, request)
        case .part(let range):
            response.status = .partialContent
            response.headers.add(
                name: "content-range", value: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
            )
            response.body = body(range, of: file, on: threads, request)
        case .unsatisfiable:
            response.status = .rangeNotSatisfiable
            response.headers.add(name: "content-range", value: "bytes */\(file.size)")
        }
        return response
    }

    /// A part of a file, read now if it is small, as most are that map clients ask for.
    private func body(
        _ range: Range<Int>, of file: ServedFile, on threads: BlockingThreads, _ request: Request
    ) -> Response.Body {
        let isSmall = range.count <= ServerLimits.slice && request.head.method == .GET
        return isSmall
            ? file.bytes(range).map { .bytes($0) } ?? .file(file, range, threads)
            : .file(file, range, threads)
    }

    /// What of a file is asked for; all of it if what the client has of it is of another state.
    private func range(of file: ServedFile, _ request: Request) -> ByteRange {
        guard request.head.method == .GET, let field = request.field("range") else { return .whole }
        if let condition = request.field("if-range"), !file.tag.isRange(condition) { return .whole }
        return ByteRange(field, size: file.size)
    }
}
