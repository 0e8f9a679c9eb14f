import NIOHTTP1
import TilewrightKit
import WebRequests

/// Archives, in ranges.
extension Responder {
    func archive(_ name: String, _ request: Request) -> Answer {
        guard let tileset = catalogue.tileset(name) else { return .ready(Self.notFound) }
        return later {
            guard let path = try tileset.archive(), let file = ServedFile(path) else { return Self.notFound }
            return part(of: file, request)
        }
    }

    private func part(of file: ServedFile, _ request: Request) -> Response {
        var response = Response(status: .ok)
        response.headers.add(name: "etag", value: file.tag.text)
        response.headers.add(name: "cache-control", value: "no-cache")
        response.headers.add(name: "accept-ranges", value: "bytes")
        allow(policy.origin, in: &response)
        response.headers.add(
            name: "access-control-expose-headers", value: "etag, content-range, content-length, accept-ranges"
        )
        if isKnown(file.tag, request) {
            response.status = .notModified
            return response
        }
        response.headers.add(name: "content-type", value: "application/vnd.pmtiles")
        switch range(of: file, request) {
        case .whole: response.body = .file(file, 0..<file.size)
        case .part(let range):
            response.status = .partialContent
            response.headers.add(
                name: "content-range", value: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
            )
            response.body = .file(file, range)
        case .unsatisfiable:
            response.status = .rangeNotSatisfiable
            response.headers.add(name: "content-range", value: "bytes */\(file.size)")
        }
        return response
    }

    /// What of a file is asked for; all of it if what the client has of it is of another state.
    private func range(of file: ServedFile, _ request: Request) -> ByteRange {
        guard request.head.method == .GET, let field = request.field("range") else { return .whole }
        if let condition = request.field("if-range"), !file.tag.isRange(condition) { return .whole }
        return ByteRange(field, size: file.size)
    }
}
