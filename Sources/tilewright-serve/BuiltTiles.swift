import CommandSupport
import Platform
import Publishing
import Synchronization
import TilewrightKit
import WebRequests

/// The tiles that were built, and the page that shows them.
final class BuiltTiles: Sendable {
    private let project: PlanProject
    private let rule: HostRule
    private let policy: AnswerPolicy
    /// The map under the tiles, as the page takes it.
    private let basemap: String?
    /// The name of the tiles in addresses.
    private static let name = "tiles"

    private struct State {
        var folder = ""
        var responder: Responder?
    }

    private let state = Mutex(State())

    init(_ project: PlanProject, rule: HostRule, policy: AnswerPolicy, basemap: String?) {
        (self.project, self.rule, self.policy, self.basemap) = (project, rule, policy, basemap)
    }

    /// The page that shows all floors.
    ///
    /// - Throws: a `Failure` if nothing is built.
    func page(_ heading: GuideHeading) async throws -> [UInt8] {
        try await responder().catalogue.page(
            library: policy.library, guide: heading, basemap: basemap)
    }

    private func responder() async throws -> Responder {
        let folder = try project.output()
        if let known = state.withLock({ $0.folder == folder ? $0.responder : nil }) { return known }
        let request = ServingRequest([ServedInput(folder, name: Self.name)])
        let catalogue = try await TileCatalogue(request) { Console.warn($0) }
        let responder = Responder(catalogue: catalogue, rule: rule, policy: policy)
        state.withLock { $0 = State(folder: folder, responder: responder) }
        return responder
    }

    /// Answers a request for a tile.
    ///
    /// - Parameter threads: those that read the list of tiles, if no page has been shown yet: a page of the
    ///   program before a restart may still be open.
    func answer(_ request: Request, on threads: BlockingThreads) -> Answer {
        if let responder = state.withLock({ $0.responder }) { return responder.answer(request) }
        guard RequestLine(request)?.path?.segments.first == Self.name else {
            return .ready(Responder.notFound)
        }
        return .later(
            LaterAnswer(threads: threads, isPrompt: false) { [self] in
                guard let responder = try? await responder() else { return Responder.notFound }
                switch responder.answer(request) {
                case .ready(let response): return response
                case .later(let answer): return await answer.make()
                }
            })
    }
}
