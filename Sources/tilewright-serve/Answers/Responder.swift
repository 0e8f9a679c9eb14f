import CommandSupport
import CommandSupport
import CommandSupport
import Diagnostics
import NIOHTTP1
import Publishing
import Tilesets
import TilewrightKit
import Tiling
import WebRequests

/// Answers requests; knows nothing of connections.
struct Responder: Sendable {
    let catalogue: TileCatalogue
    private let rule: HostRule
    let policy: AnswerPolicy
    let lastPage = SharedBytes()
    let placing: PlacingAnswers

    init(catalogue: TileCatalogue, rule: HostRule, policy: AnswerPolicy) {
        (self.catalogue, self.rule, self.policy) = (catalogue, rule, policy)
        placing = PlacingAnswers(catalogue.placing, assets: policy.assets)
    }

    /// Bytes of a body that a request may have; 0 if it may have none.
    func longestBody(of head: HTTPRequestHead) -> Int {
        head.method == .POST && !catalogue.placing.isEmpty ? PlacingAnswers.longestBody : 0
    }

    /// Answers a request.
    func answer(_ request: Request) -> Answer {
        guard let target = RequestLine(request) else {
            return .ready(.text(.badRequest, "bad request: it names no host, or several, or no address"))
        }
        guard rule.admits(target.authority) else {
            return .ready(
                .text(
                    .misdirectedRequest,
                    "'\(target.authority)' is not what this server is called: start it with --allow-host NAME"
                ))
        }
        switch request.head.method {
        case .GET, .HEAD:
            switch read(target, request) {
            case .ready(let response): return .ready(readable(response))
            case .later(let work): return .later { readable(await work()) }
            }
        case .OPTIONS: return .ready(permissions(target))
        case .POST:
            guard let place = (target.path?.name).flatMap(placing.saving) else {
                return .ready(Self.refusal(of: request.head.method))
            }
            return later { placing.save(request, to: place, target: target) }
        default: return .ready(Self.refusal(of: request.head.method))
        }
    }

    /// Lets pages of others read why there is nothing to read: without it they are told of permissions.
    private func readable(_ response: Response) -> Response {
        guard response.status.code >= 400, !response.headers.contains(name: "access-control-allow-origin")
        else { return response }
        var response = response
        allow(policy.origin, in: &response)
        return response
    }

    private static func refusal(of method: HTTPMethod) -> Response {
        var response = Response.text(.methodNotAllowed, "this server is for reading: GET and HEAD")
        response.headers.add(name: "allow", value: "GET, HEAD, OPTIONS")
        return response
    }

    /// What a browser asks before it reads for a page of somebody else.
    private func permissions(_ target: RequestLine) -> Response {
        var response = Response(status: .noContent)
        response.headers.add(name: "allow", value: "GET, HEAD, OPTIONS")
        guard let origin = target.path.flatMap(origin) else { return response }
        allow(origin, in: &response)
        response.headers.add(name: "access-control-allow-methods", value: "GET, HEAD, OPTIONS")
        response.headers.add(
            name: "access-control-allow-headers", value: "range, if-none-match, if-range, if-match")
        response.headers.add(name: "access-control-max-age", value: "600")
        return response
    }

    /// Whose pages may read what a path names; nil for none but the server's own.
    private func origin(of path: RequestPath) -> String? {
        let name = path.name
        if let tile = RequestedTile(path) { return catalogue.tileset(tile.name).map { _ in policy.origin } }
        if [".json", ".pmtiles"].contains(where: {
            name.hasSuffix($0) && catalogue.tileset(String(name.dropLast($0.count))) != nil
        }) {
            return policy.origin
        }
        return catalogue.hasIndex(at: name) ? policy.indexOrigin : nil
    }

    private func read(_ target: RequestLine, _ request: Request) -> Answer {
        guard let path = target.path else { return .ready(Self.notFound) }
        if let tile = RequestedTile(path) { return self.tile(tile, request) }
        guard let last = path.segments.last else { return page(request) }
        let name = path.name
        if last.hasSuffix(".pmtiles") { return archive(String(name.dropLast(".pmtiles".count)), request) }
        if let place = placing.page(at: name) {
            return later { html(try await placing.html(of: place), request) }
        }
        guard last.hasSuffix(".json") else { return .ready(Self.notFound) }
        if let tileset = catalogue.tileset(String(name.dropLast(".json".count))) {
            return later {
                let bytes = try tileset.tileJSON(below: "http://\(target.authority)")
                return document(bytes, "application/json", origin: policy.origin, request)
            }
        }
        return later {
            guard let bytes = catalogue.index(at: name) else { return Self.notFound }
            return document(bytes, "application/json", origin: policy.indexOrigin, request)
        }
    }

    static let notFound = Response.text(.notFound, "there is nothing of this name")

    /// Lets pages of others read an answer.
    func allow(_ origin: String, in response: inout Response) {
        response.headers.add(name: "access-control-allow-origin", value: origin)
        if origin != "*" { response.headers.add(name: "vary", value: "origin") }
    }

    func later(_ work: @escaping @Sendable () async throws -> Response) -> Answer {
        .later {
            do { return try await work() } catch { return failed(error) }
        }
    }

    /// What went wrong is for whoever started the server: it names files.
    func failed(_ error: any Error) -> Response {
        if error is CancellationError { return .text(.serviceUnavailable, "nobody waited for it") }
        catalogue.note(error)
        guard let failure = error as? Failure else {
            return .text(.internalServerError, "the server is at fault")
        }
        // Floors may have come to stand where one tileset was.
        if failure.kind == .usage { catalogue.refresh() }
        return failure.kind == .missingInput
            ? .text(.notFound, "it is not there any more")
            : .text(.internalServerError, "it cannot be read: the server says why where it was started")
    }
}
