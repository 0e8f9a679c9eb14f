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
    private let catalogue: TileCatalogue
    private let rule: HostRule
    private let policy: AnswerPolicy
    private let lastPage = SharedBytes()
    private let placing: PlacingAnswers

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
        switch act(on: target, request) {
        case .ready(let response): return .ready(readable(response))
        case .later(let work): return .later { readable(await work()) }
        }
    }

    private func act(on target: RequestLine, _ request: Request) -> Answer {
        switch request.head.method {
        case .GET, .HEAD: return read(target, request)
        case .OPTIONS: return .ready(permissions(target))
        case .POST:
            guard let place = target.name.flatMap(placing.saving) else {
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
        let name = path.segments.joined(separator: "/")
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
        let name = target.name ?? ""
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

    private static let notFound = Response.text(.notFound, "there is nothing of this name")

    // Tiles

    private func tile(_ tile: RequestedTile, _ request: Request) -> Answer {
        guard let tileset = catalogue.tileset(tile.name) else { return .ready(Self.notFound) }
        do {
            switch try tileset.tile(at: tile.coordinate) {
            case .ready(let found): return .ready(try answer(found, to: tile, request))
            case .later(let work): return later { try await answer(work(), to: tile, request) }
            }
        } catch { return .ready(failed(error)) }
    }

    private func answer(
        _ found: ServedTileset.Tile, to tile: RequestedTile, _ request: Request
    ) throws -> Response {
        guard tile.fileExtension == found.fileExtension else { return Self.notFound }
        if let bytes = found.bytes { return image(bytes, request) }
        switch policy.missing {
        case .notFound:
            return .text(.notFound, "there is no such tile")
        case .noContent:
            var response = Response(status: .noContent)
            allow(policy.origin, in: &response)
            return response
        case .transparent: return image(try TransparentTile.bytes(size: found.size), request)
        }
    }

    private func image(_ bytes: [UInt8], _ request: Request) -> Response {
        guard let type = MediaType.ofTile(bytes) else {
            return failed(Failure(.badInput, "a tile of '\(request.head.uri.prefix(100))' is no image"))
        }
        return document(bytes, type, origin: policy.origin, request)
    }

    // Documents

    private func page(_ request: Request) -> Answer {
        later {
            html(lastPage.same(as: catalogue.page(library: policy.library)), request)
        }
    }

    private func html(_ bytes: [UInt8], _ request: Request) -> Response {
        var response = document(bytes, "text/html; charset=utf-8", origin: nil, request)
        // Nobody lays it under a page of his own, to have it clicked.
        response.headers.add(name: "x-frame-options", value: "DENY")
        return response
    }

    /// Something that is known as a whole, unless the client has it already.
    private func document(
        _ bytes: [UInt8], _ type: String, origin: String?, _ request: Request
    ) -> Response {
        let tag = EntityTag(ContentHash(of: bytes).hex)
        var response = Response(status: .ok)
        response.headers.reserveCapacity(10)
        response.headers.add(name: "etag", value: tag.text)
        response.headers.add(name: "cache-control", value: "no-cache")
        if let origin { allow(origin, in: &response) }
        if isKnown(tag, request) {
            response.status = .notModified
            return response
        }
        response.headers.add(name: "content-type", value: type)
        response.headers.add(name: "x-content-type-options", value: "nosniff")
        response.body = .bytes(bytes)
        return response
    }

    private func isKnown(_ tag: EntityTag, _ request: Request) -> Bool {
        let fields = request.head.headers["if-none-match"]
        return fields.contains { tag.isNamed(in: $0) }
    }

    // Archives

    private func archive(_ name: String, _ request: Request) -> Answer {
        guard let tileset = catalogue.tileset(name) else { return .ready(Self.notFound) }
        do {
            guard let path = try tileset.archive() else { return .ready(Self.notFound) }
            guard let file = ServedFile(path) else { return .ready(Self.notFound) }
            return .ready(part(of: file, request))
        } catch { return .ready(failed(error)) }
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

    // All

    /// Lets pages of others read an answer.
    private func allow(_ origin: String, in response: inout Response) {
        response.headers.add(name: "access-control-allow-origin", value: origin)
        if origin != "*" { response.headers.add(name: "vary", value: "origin") }
    }

    private func later(_ work: @escaping @Sendable () async throws -> Response) -> Answer {
        .later {
            do { return try await work() } catch { return failed(error) }
        }
    }

    /// What went wrong is for whoever started the server: it names files.
    private func failed(_ error: any Error) -> Response {
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
