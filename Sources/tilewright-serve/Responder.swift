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

/// Answers requests, independently of connections.
protocol Responding: Sendable {
    /// The largest body of a request in bytes; 0 if no body is allowed.
    func longestBody(of head: HTTPRequestHead) -> Int

    /// Refuses a request before its body is received.
    func refusal(of head: HTTPRequestHead) -> Response?

    /// Answers a request.
    func answer(_ request: Request) -> Answer
}

/// Serves tilesets, and pages that place their images.
struct Responder: Responding {
    /// The tilesets.
    let catalogue: TileCatalogue
    /// The host names under which the server may be reached.
    let rule: HostRule
    /// The options.
    let policy: AnswerPolicy
    /// The latest page with all tilesets.
    let lastPage = SharedBytes()

    func longestBody(of head: HTTPRequestHead) -> Int {
        head.method == .POST && !catalogue.placing.isEmpty ? Self.longestPoints : 0
    }

    func refusal(of head: HTTPRequestHead) -> Response? {
        let request = Request(head: head)
        guard let target = RequestLine(request) else { return Self.badRequest }
        guard rule.admits(target.authority) else { return Self.misdirected(target) }
        if place(target, request) == nil { return Self.refusal(of: head.method) }
        return Self.refusal(ofSaving: request, target: target)
    }

    func answer(_ request: Request) -> Answer {
        guard let target = RequestLine(request) else { return .ready(Self.badRequest) }
        guard rule.admits(target.authority) else { return .ready(Self.misdirected(target)) }
        switch request.head.method {
        case .GET, .HEAD: break
        case .OPTIONS: return later(request, on: catalogue.threads) { await permissions(target) }
        case .POST:
            guard let place = place(target, request) else {
                return .ready(Self.refusal(of: request.head.method))
            }
            return later(request, on: place.threads, isPrompt: false) {
                save(request, to: place, target: target)
            }
        default: return .ready(Self.refusal(of: request.head.method))
        }
        guard let path = target.path else { return .ready(readable(Self.notFound)) }
        if let tile = RequestedTile(path) { return self.tile(tile, request) }
        guard let last = path.segments.last else { return page(request) }
        let name = path.name
        if last.hasSuffix(".pmtiles") { return archive(String(name.dropLast(".pmtiles".count)), request) }
        if last.hasSuffix(".json") { return json(name, target.authority, request) }
        guard let place = catalogue.placing.first(where: { $0.pagePath == name }) else {
            return .ready(readable(Self.notFound))
        }
        return later(request, on: place.threads, isPrompt: false) {
            html(try await place.page(assets: policy.assets), request)
        }
    }

    /// The place whose points a request saves; nil for other requests.
    private func place(_ target: RequestLine, _ request: Request) -> PlacingPlace? {
        guard request.head.method == .POST, let name = target.path?.name else { return nil }
        return catalogue.placing.first { $0.savingPath == name }
    }

    static let badRequest = Response.text(
        .badRequest, "bad request: it must name one host and an address")

    static func misdirected(_ target: RequestLine) -> Response {
        .text(
            .misdirectedRequest,
            "'\(target.authority)' is not a name of this server: start it with --allow-host NAME")
    }

    /// Lets pages of other origins read an error. Otherwise browsers report missing permissions instead.
    private func readable(_ response: Response) -> Response {
        guard response.status.code >= 400, !response.headers.contains(name: "access-control-allow-origin")
        else { return response }
        var response = response
        allow(policy.origin, in: &response)
        return response
    }

    private static func refusal(of method: HTTPMethod) -> Response {
        var response = Response.text(.methodNotAllowed, "this server only allows GET and HEAD")
        response.headers.add(name: "allow", value: "GET, HEAD, OPTIONS")
        return response
    }

    /// The response to a preflight request of a browser, for a page of another origin.
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

    /// Answers with a tileset, on its own threads. An unknown name may be that of a new tileset.
    func with(
        _ name: String, _ request: Request,
        _ body: @escaping @Sendable (ServedTileset) async throws -> Response,
        otherwise: @escaping @Sendable () async throws -> Response = { Responder.notFound }
    ) -> Answer {
        if let tileset = catalogue.knownTileset(name) {
            return later(request, on: tileset.threads, isPrompt: tileset.isStored) { try await body(tileset) }
        }
        return later(request, on: catalogue.threads, isPrompt: false) {
            guard let tileset = await catalogue.tileset(name) else { return try await otherwise() }
            return try await withTaskExecutorPreference(tileset.threads) { try await body(tileset) }
        }
    }

    static let notFound = Response.text(.notFound, "not found")

    /// Lets pages of another origin read a response; nil lets no other page even show it.
    func allow(_ origin: String?, in response: inout Response) {
        guard let origin else {
            return response.headers.add(name: "cross-origin-resource-policy", value: "same-origin")
        }
        response.headers.add(name: "access-control-allow-origin", value: origin)
        if origin != "*" { response.headers.add(name: "vary", value: "origin") }
    }

    /// A response that is made on threads which may block.
    func later(
        _ request: Request, on threads: BlockingThreads, isPrompt: Bool = true,
        _ work: @escaping @Sendable () async throws -> Response
    ) -> Answer {
        let isReading = [.GET, .HEAD].contains(request.head.method)
        if threads.isOverloaded { return .ready(isReading ? readable(Self.notReady) : Self.notReady) }
        return .later(
            LaterAnswer(threads: threads, isPrompt: isPrompt) {
                let response: Response
                do { response = try await work() } catch { response = await failed(error) }
                return isReading ? readable(response) : response
            })
    }

    static let notReady = Response.text(.serviceUnavailable, "the server is busy: try again later")

    static let internalError = Response.text(
        .internalServerError, "internal error, please report it")

    /// Prints the error where the server was started, and not in the response, because it names files.
    private func failed(_ error: any Error) async -> Response {
        if error is CancellationError { return Self.notReady }
        catalogue.note(error)
        guard let failure = error as? Failure else { return Self.internalError }
        // The tileset may have been replaced by several floors.
        if failure.kind == .usage { await catalogue.refresh() }
        return failure.kind == .missingInput
            ? .text(.notFound, "it does not exist any more")
            : .text(.internalServerError, "it cannot be read: see the messages where the server was started")
    }
}

// The page in which a plan is placed on the map.
extension Responder {
    /// A file that the page saves.
    private struct Saved: Decodable {
        let name: String
        let text: String
    }

    /// The response after saving.
    private struct Told: Encodable {
        let saved: String
        let lines: [String]
    }

    /// The largest file in bytes: a few thousand points. Each connection may hold as much.
    private static let longestPoints = 128 << 10

    /// Refuses requests of other pages. Browsers send the origin of a page, which must be this server.
    static func refusal(ofSaving request: Request, target: RequestLine) -> Response? {
        let isOwn =
            request.field("origin") == "http://\(target.authority)"
            && request.field("content-type")?.lowercased() == "application/json"
        return isOwn ? nil : .text(.forbidden, "only this server's own page can save here")
    }

    private func save(_ request: Request, to place: PlacingPlace, target: RequestLine) -> Response {
        if let refusal = Self.refusal(ofSaving: request, target: target) { return refusal }
        guard let saved = try? JSONDecoder().decode(Saved.self, from: Data(request.body)) else {
            return .text(.badRequest, "the body is not a file of points from the page")
        }
        do {
            let (file, lines) = try place.save(saved.text, as: saved.name)
            return .json(Array(try JSONEncoder().encode(Told(saved: file, lines: lines))))
        } catch let failure as Failure {
            // The user who placed the plan may see file names, so the message is the same as the command's.
            let remedy = failure.kind == .outputRefused ? "move it away, and save again" : failure.remedy
            return .text(.conflict, failure.message + (remedy.map { ": \($0)" } ?? ""))
        } catch { return Self.internalError }
    }
}
