import CommandSupport
import NIOHTTP1
import Platform
import Publishing
import TilewrightKit
import WebRequests

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Serves the guide of `open`: a page for each step, its data, and what it changes; and the tiles that were
/// built.
struct GuideResponder: Responding {
    let project: PlanProject
    let build: ProjectBuild
    /// The map of the step in which the floors are placed, and under the tiles.
    let placing: PlacingRequest
    let pictures = SheetPictures()
    let windows = GuideWindows()
    let rule: HostRule
    let policy: AnswerPolicy
    /// The threads for documents and for the manifest; a slow drawing does not stop them.
    let threads = BlockingThreads()
    /// The threads for pictures.
    let drawing = BlockingThreads()
    let tiles: BuiltTiles

    init(_ project: PlanProject, placing: PlacingRequest, rule: HostRule, policy: AnswerPolicy) {
        (self.project, self.placing, self.rule, self.policy) = (project, placing, rule, policy)
        build = ProjectBuild(project)
        tiles = BuiltTiles(project, rule: rule, policy: policy, basemap: placing.background.address)
    }

    /// The largest body in bytes: thousands of points, with what the page needs to go on.
    private static let longestBody = 5 << 20

    func longestBody(of head: HTTPRequestHead) -> Int { head.method == .POST ? Self.longestBody : 0 }

    func refusal(of head: HTTPRequestHead) -> Response? {
        let request = Request(head: head)
        guard let target = RequestLine(request) else { return Responder.badRequest }
        guard rule.admits(target.authority) else { return Responder.misdirected(target) }
        return head.method == .POST ? Responder.refusal(ofSaving: request, target: target) : nil
    }

    func answer(_ request: Request) -> Answer {
        if let refusal = refusal(of: request.head) { return .ready(refusal) }
        guard let target = RequestLine(request), let path = target.path else {
            return .ready(Responder.notFound)
        }
        switch request.head.method {
        case .GET, .HEAD: return get(path, request)
        case .POST: return post(path.name, request)
        default: return .ready(Self.refusal)
        }
    }

    private static let refusal: Response = {
        var response = Response.text(.methodNotAllowed, "this server only allows GET, HEAD and POST")
        response.headers.add(name: "allow", value: "GET, HEAD, POST")
        return response
    }()

    /// A response that is made on threads which may block. Errors name files, but only the user reads them.
    func later(
        on threads: BlockingThreads, _ work: @escaping @Sendable () async throws -> Response
    ) -> Answer {
        if threads.isOverloaded { return .ready(Responder.notReady) }
        return .later(
            LaterAnswer(threads: threads, isPrompt: false) {
                do { return try await work() } catch is CancellationError {
                    return Responder.notReady
                } catch is ManifestChanged {
                    return .text(.conflict, "the manifest was changed by another program")
                } catch let failure as Failure {
                    return .text(.unprocessableEntity, failure.line)
                } catch {
                    Console.warn("internal error, please report it: \(error)")
                    return Responder.internalError
                }
            })
    }
}

// What the pages read
extension GuideResponder {
    private func get(_ path: RequestPath, _ request: Request) -> Answer {
        let names = path.segments
        switch (names.first, names.count) {
        case (nil, _):
            return later(on: threads) { Self.redirect(to: Self.current(of: try project.openSteps())) }
        case ("pages", 1), ("build", 1), ("share", 1), ("place", 1), ("look", 1):
            guard let step = GuideStep(rawValue: names[0]) else { return .ready(Responder.notFound) }
            return page(step, request)
        case ("state.json", 1):
            return later(on: threads) {
                try await project.prepare()
                return .json(Array(try project.shown().utf8))
            }
        case ("progress.json", 1): return later(on: threads) { .json(Array(try build.progress().utf8)) }
        case ("estimate.json", 1): return later(on: drawing) { .json(Array(try await build.estimate().utf8)) }
        case ("sheets", 2):
            return picture(request) { try project.sheet(names[1].without(".png"))?.image }
        case ("pictures", 2):
            return picture(request) { try project.placedImage(of: names[1].without(".png")) }
        case ("frames", 2):
            return later(on: drawing) {
                guard let sheet = try project.sheet(names[1].without(".json")) else {
                    return Responder.notFound
                }
                Task(executorPreference: drawing) { project.prepare(sheet) }
                let frame = try pictures.frame(of: sheet.image)
                return .json(Array(try JSONEncoder().encode(["frame": frame?.list])))
            }
        case (project.sharedPage.fileName, 1): return sharedPage()
        default: return tiles.answer(request, on: threads)
        }
    }

    /// The first step that is not done.
    private static func current(of open: Set<GuideStep>) -> GuideStep {
        [.look, .build, .place].first(where: open.contains) ?? .pages
    }

    private static func redirect(to step: GuideStep) -> Response {
        var response = Response(status: .found)
        response.headers.add(name: "location", value: "/\(step.rawValue)")
        response.headers.add(name: "cache-control", value: "no-store")
        return response
    }

    private func page(_ step: GuideStep, _ request: Request) -> Answer {
        later(on: threads) {
            try await project.prepare()
            let open = try project.openSteps()
            guard open.contains(step) else { return Self.redirect(to: Self.current(of: open)) }
            let heading = GuideHeading(step: step, title: project.title, open: open)
            switch step {
            case .place: return Self.fresh(try await project.placingPage(placing))
            case .look: return Self.fresh(try await tiles.page(heading))
            case .pages, .build, .share:
                return Self.fresh(GuidePage.html(heading, state: try project.shown()))
            }
        }
    }

    /// A page or a picture that is never kept, since other programs may change the project.
    private static func fresh(_ bytes: [UInt8], _ type: String = MediaType.html) -> Response {
        var response = Response(status: .ok, body: .bytes(bytes))
        response.headers.add(name: "content-type", value: type)
        response.headers.add(name: "cache-control", value: "no-store")
        response.headers.add(name: "x-content-type-options", value: "nosniff")
        response.headers.add(name: "cross-origin-resource-policy", value: "same-origin")
        // No other page may show this page in a frame, to prevent clickjacking.
        response.headers.add(name: "x-frame-options", value: "DENY")
        return response
    }

    private func picture(
        _ request: Request, of image: @escaping @Sendable () throws -> ImageRequest?
    ) -> Answer {
        later(on: drawing) {
            guard let image = try image() else { return Responder.notFound }
            let picture = try await pictures.picture(of: image, edge: request.edge ?? 1200)
            return Self.fresh(picture.bytes, picture.mediaType)
        }
    }

    /// The file for colleagues. It may come from elsewhere, so it gets no rights in this server.
    private func sharedPage() -> Answer {
        later(on: threads) {
            guard let bytes = try project.sharedBytes() else { return Responder.notFound }
            var response = Self.fresh(bytes)
            response.headers.add(
                name: "content-security-policy", value: "sandbox allow-scripts allow-modals allow-popups")
            return response
        }
    }
}

extension Request {
    /// The longest edge of a picture, from the query `edge=N`.
    fileprivate var edge: Int? {
        let query = head.uri.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        return query.split(separator: "&").first { $0.hasPrefix("edge=") }.flatMap { Int($0.dropFirst(5)) }
    }
}

extension String {
    fileprivate func without(_ ending: String) -> String {
        hasSuffix(ending) ? String(dropLast(ending.count)) : self
    }
}
