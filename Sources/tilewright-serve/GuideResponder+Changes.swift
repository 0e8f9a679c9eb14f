import NIOHTTP1
import Platform
import Publishing
import Synchronization
import TilewrightKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What the pages change
extension GuideResponder {
    /// The part of each body that tells the window that sends it.
    private struct Sender: Decodable {
        let window: String
        /// Whether it takes over from another window.
        let take: Bool?
        /// Whether it is being closed.
        let leave: Bool?
    }

    private struct Password: Decodable {
        let file: String
        let password: String
    }

    func post(_ path: String, _ request: Request) -> Answer {
        let body = Data(request.body)
        guard let sender = try? JSONDecoder().decode(Sender.self, from: body) else {
            return .ready(Self.badBody)
        }
        if path == "window", sender.leave == true {
            windows.leave(sender.window)
            return .ready(.json(Array("{}".utf8)))
        }
        let isOther = windows.isOther(sender.window, takes: path == "window" && sender.take == true)
        if path == "window" { return .ready(.json(Array("{\"isOther\":\(isOther)}".utf8))) }
        if isOther { return .ready(.text(.locked, "another window is in use")) }
        switch path {
        case "pages":
            return decoded(body) { (change: PagesChange) in
                try project.change(change)
                return .json(Array(try project.shown().utf8))
            }
        case "password":
            return decoded(body) { (given: Password) in
                guard try project.setPassword(given.password, of: given.file) else {
                    return .text(.forbidden, "wrong password")
                }
                return .json(Array(try project.shown().utf8))
            }
        case "position":
            return decoded(body) { (change: PositionChange) in
                .json(Array(try JSONEncoder().encode(["lines": try project.save(change)])))
            }
        case "share":
            return decoded(body) { (change: SharingChange) in
                switch try project.share(change, assets: policy.assets) {
                case .written(let json): .json(Array(json.utf8))
                case .tooLarge(let json): .json(Array(json.utf8), .payloadTooLarge)
                }
            }
        case "build": return change { try build.start() }
        case "cancel": return change { await build.cancel() }
        case "remove": return change { try build.remove() }
        default: return .ready(Responder.notFound)
        }
    }

    private func decoded<Change: Decodable & Sendable>(
        _ body: Data, _ work: @escaping @Sendable (Change) throws -> Response
    ) -> Answer {
        guard let change = try? JSONDecoder().decode(Change.self, from: body) else {
            return .ready(Self.badBody)
        }
        return later(on: threads) { try work(change) }
    }

    private func change(_ work: @escaping @Sendable () async throws -> Void) -> Answer {
        later(on: threads) {
            try await work()
            return .json(Array(try build.progress().utf8))
        }
    }

    private static let badBody = Response.text(.badRequest, "the body is not what the page sends")
}

/// The windows that show the guide. Only one of them may change the project: the first, until it is closed or
/// another takes over.
final class GuideWindows: Sendable {
    private struct Holder {
        let window: String
        var seen: ContinuousClock.Instant
    }

    /// Windows report every five seconds; those in the background are slowed to once a minute.
    private static let patience = Duration.seconds(75)

    private let holder = Mutex(Holder?.none)

    /// Notes a sign of life of a window.
    ///
    /// - Parameter takes: whether it takes over.
    /// - Returns: whether another window is in use.
    func isOther(_ window: String, takes: Bool) -> Bool {
        let now = ContinuousClock.now
        return holder.withLock { holder in
            if let other = holder, other.window != window, now - other.seen < Self.patience, !takes {
                return true
            }
            holder = Holder(window: window, seen: now)
            return false
        }
    }

    /// Notes that a window is closed.
    func leave(_ window: String) { holder.withLock { if $0?.window == window { $0 = nil } } }
}
