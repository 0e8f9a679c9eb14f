import Platform
import NIOHTTP1
import TilewrightKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the page in which a plan is laid on the map gets and saves.
struct PlacingAnswers: Sendable {
    /// What is saved: the file's name, and its text.
    private struct Saved: Decodable {
        let name: String
        let text: String
    }

    /// What a page is told.
    private struct Told: Encodable {
        let saved: String
        let lines: [String]
    }

    /// Some thousand points; bytes. Each connection may hold as much.
    static let longestBody = 128 << 10

    private let places: [PlacingPlace]
    private let assets: String?

    init(_ places: [PlacingPlace], assets: String?) { (self.places, self.assets) = (places, assets) }

    /// What a page at a path is for; nil if there is none.
    func page(at path: String) -> PlacingPlace? { places.first { $0.pagePath == path } }

    /// What is saved at a path; nil if nothing is.
    func saving(at path: String) -> PlacingPlace? { places.first { $0.savingPath == path } }

    /// The page, in UTF-8.
    func html(of place: PlacingPlace) async throws -> [UInt8] { try await place.page(assets: assets) }

    /// Refuses what another page sends: browsers say where a page is from, and that has to be here.
    func refusal(of request: Request, to place: PlacingPlace, target: RequestLine) -> Response? {
        let isOwn =
            request.field("origin") == "http://\(target.authority)"
            && request.field("content-type")?.lowercased() == "application/json"
        return isOwn ? nil : .text(.forbidden, "only the page of this server saves here")
    }

    /// Takes what a page has saved.
    func save(_ request: Request, to place: PlacingPlace, target: RequestLine) -> Response {
        if let refusal = refusal(of: request, to: place, target: target) { return refusal }
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
            // For the one who placed the plan, and so sees its files: in words of the command.
            let remedy = failure.kind == .outputRefused ? "move it away, and save again" : failure.remedy
            return .text(.conflict, failure.message + (remedy.map { ": \($0)" } ?? ""))
        } catch {
            return .text(.internalServerError, "the server is at fault")
        }
    }
}
