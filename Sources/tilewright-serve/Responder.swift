import CommandSupport
import NIOHTTP1
import Platform
import Publishing
import Tilesets
import TilewrightKit
import Tiling
import WebRequests

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Answers requests; knows nothing of connections.
struct Responder: Sendable {
    /// The tilesets.
    let catalogue: TileCatalogue
    /// The hosts that are answered.
    let rule: HostRule
    /// The options.
    let policy: AnswerPolicy
    /// The last page of all tilesets.
    let lastPage = SharedBytes()

    /// Bytes of a body that a request may have; 0 if it may have none.
    func longestBody(of head: HTTPRequestHead) -> Int {
        head.method == .POST && !catalogue.placing.isEmpty ? Self.longestPoints : 0
    }

    /// Refuses a request that no body would make acceptable.
    func refusal(of head: HTTPRequestHead) -> Response? {
        let request = Request(head: head)
        guard let target = RequestLine(request) else { return Self.badRequest }
        guard rule.admits(target.authority) else { return Self.misdirected(target) }
        if place(target, request) == nil { return Self.refusal(of: head.method) }
        return refusal(ofSaving: request, target: target)
    }

    /// Answers a request.
    func answer(_ request: Request) -> Answer {
        guard let target = RequestLine(request) else { return .ready(Self.badRequest) }
        guard rule.admits(target.authority) else { return .ready(Self.misdirected(target)) }
        switch request.head.method {
        case .GET, .HEAD:
            switch read(target, request) {
            case .ready(let response): return .ready(readable(response))
            case .later(let answer):
                return .later(
                    LaterAnswer(threads: answer.threads, isPrompt: answer.isPrompt) {
                        readable(await answer.make())
                    })
            }
        case .OPTIONS: return later(on: catalogue.threads) { await permissions(target) }
        case .POST:
            guard let place = place(target, request) else {
                return .ready(Self.refusal(of: request.head.method))
            }
            return later(on: place.threads, isPrompt: false) {
                save(request, to: place, target: target)
            }
        default: return .ready(Self.refusal(of: request.head.method))
        }
    }

    /// The place whose points a request saves; nil if it saves none.
    private func place(_ target: RequestLine, _ request: Request) -> PlacingPlace? {
        guard request.head.method == .POST, let name = target.path?.name else { return nil }
        return catalogue.placing.first { $0.savingPath == name }
    }

    private static let badRequest = Response.text(
        .badRequest, "bad request: it names no host, or several, or no address")

    private static func misdirected(_ target: RequestLine) -> Response {
        .text(
            .misdirectedRequest,
            "'\(target.authority)' is not what this server is called: start it with --allow-host NAME")
    }

    /// Lets pages of other origins read an error: without this, browsers report missing permissions.
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

    /// The answer to a browser that asks before it reads for a page of another origin.
    private func permissions(_ target: RequestLine) async -> Response {
        var response = Response(status: .noContent)
        response.headers.add(name: "allow", value: "GET, HEAD, OPTIONS")
        guard let path = target.path, let origin = await origin(of: path) else { return response }
        allow(origin, in: &response)
        response.headers.add(name: "access-control-allow-methods", value: "GET, HEAD, OPTIONS")
        response.headers.add(
            name: "access-control-allow-headers", value: "range, if-none-match, if-range, if-match")
        response.headers.add(name: "access-control-max-age", value: "600")
        return response
    }

    /// The origin of pages that may read a path; nil for the server's own only.
    private func origin(of path: RequestPath) async -> String? {
        let name = path.name
        let tileset =
            RequestedTile(path)?.name
            ?? [".json", ".pmtiles"].first(where: name.hasSuffix).map { String(name.dropLast($0.count)) }
        if let tileset, await catalogue.tileset(tileset) != nil { return policy.origin }
        return catalogue.hasIndex(at: name) ? policy.indexOrigin : nil
    }

    private func read(_ target: RequestLine, _ request: Request) -> Answer {
        guard let path = target.path else { return .ready(Self.notFound) }
        if let tile = RequestedTile(path) { return self.tile(tile, request) }
        guard let last = path.segments.last else { return page(request) }
        let name = path.name
        if last.hasSuffix(".pmtiles") { return archive(String(name.dropLast(".pmtiles".count)), request) }
        if let place = catalogue.placing.first(where: { $0.pagePath == name }) {
            return later(on: place.threads, isPrompt: false) {
                html(try await place.page(assets: policy.assets), request)
            }
        }
        guard last.hasSuffix(".json") else { return .ready(Self.notFound) }
        return with(String(name.dropLast(".json".count))) { tileset in
            let bytes = try tileset.tileJSON(below: "http://\(target.authority)")
            return document(bytes, "application/json", origin: policy.origin, request)
        } otherwise: {
            guard let bytes = await catalogue.index(at: name) else { return Self.notFound }
            return document(bytes, "application/json", origin: policy.indexOrigin, request)
        }
    }

    /// Answers with a tileset, on its own threads. An unknown name may be a new one.
    func with(
        _ name: String, _ body: @escaping @Sendable (ServedTileset) async throws -> Response,
        otherwise: @escaping @Sendable () async throws -> Response = { Responder.notFound }
    ) -> Answer {
        if let tileset = catalogue.knownTileset(name) {
            return later(on: tileset.threads, isPrompt: tileset.isStored) { try await body(tileset) }
        }
        return later(on: catalogue.threads, isPrompt: false) {
            guard let tileset = await catalogue.tileset(name) else { return try await otherwise() }
            return try await withTaskExecutorPreference(tileset.threads) { try await body(tileset) }
        }
    }

    static let notFound = Response.text(.notFound, "not found")

    /// Lets pages of another origin read an answer.
    func allow(_ origin: String, in response: inout Response) {
        response.headers.add(name: "access-control-allow-origin", value: origin)
        if origin != "*" { response.headers.add(name: "vary", value: "origin") }
    }

    /// An answer that is made on threads which may be blocked.
    func later(
        on threads: BlockingThreads, isPrompt: Bool = true,
        _ work: @escaping @Sendable () async throws -> Response
    ) -> Answer {
        if threads.isOverloaded { return .ready(Self.notReady) }
        return .later(
            LaterAnswer(threads: threads, isPrompt: isPrompt) {
                do { return try await work() } catch { return await failed(error) }
            })
    }

    static let notReady = Response.text(.serviceUnavailable, "it is not ready: try again later")

    private static let internalError = Response.text(
        .internalServerError, "internal error, please report it")

    /// Reports what went wrong where the server was started, since that names files.
    private func failed(_ error: any Error) async -> Response {
        if error is CancellationError { return Self.notReady }
        catalogue.note(error)
        guard let failure = error as? Failure else { return Self.internalError }
        // A tileset may have become several floors.
        if failure.kind == .usage { await catalogue.refresh() }
        return failure.kind == .missingInput
            ? .text(.notFound, "it is not there any more")
            : .text(.internalServerError, "it cannot be read: the server says why where it was started")
    }
}

// The page in which a plan is laid on the map.
extension Responder {
    /// What the page saves: the file's name, and its text.
    private struct Saved: Decodable {
        let name: String
        let text: String
    }

    /// The answer to that.
    private struct Told: Encodable {
        let saved: String
        let lines: [String]
    }

    /// Some thousand points; bytes. Each connection may hold as much.
    private static let longestPoints = 128 << 10

    /// Refuses requests of other pages: browsers name the origin of a page, and that has to be this server.
    private func refusal(ofSaving request: Request, target: RequestLine) -> Response? {
        let isOwn =
            request.field("origin") == "http://\(target.authority)"
            && request.field("content-type")?.lowercased() == "application/json"
        return isOwn ? nil : .text(.forbidden, "only the page of this server saves here")
    }

    private func save(_ request: Request, to place: PlacingPlace, target: RequestLine) -> Response {
        if let refusal = refusal(ofSaving: request, target: target) { return refusal }
        guard let saved = try? JSONDecoder().decode(Saved.self, from: Data(request.body)) else {
            return .text(.badRequest, "this is not what the page saves")
        }
        do {
            let (file, lines) = try place.save(saved.text, as: saved.name)
            let told = try JSONEncoder().encode(Told(saved: file, lines: lines))
            var response = Response(status: .ok, body: .bytes(Array(told)))
            response.headers.add(name: "content-type", value: "application/json")
            response.headers.add(name: "cache-control", value: "no-store")
            return response
        } catch let failure as Failure {
            // The user who placed the plan may see its files, so the words are those of the command.
            let remedy = failure.kind == .outputRefused ? "move it away, and save again" : failure.remedy
            return .text(.conflict, failure.message + (remedy.map { ": \($0)" } ?? ""))
        } catch { return Self.internalError }
    }
}
