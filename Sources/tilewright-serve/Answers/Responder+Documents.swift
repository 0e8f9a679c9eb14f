import NIOHTTP1
import Tilesets
import TilewrightKit
import WebRequests

/// What is known as a whole: pages, TileJSON, indexes.
extension Responder {
    func page(_ request: Request) -> Answer {
        later(on: catalogue.threads) {
            html(lastPage.same(as: await catalogue.page(library: policy.library)), request)
        }
    }

    func html(_ bytes: [UInt8], _ request: Request) -> Response {
        var response = document(bytes, "text/html; charset=utf-8", origin: nil, request)
        // Nobody lays it under a page of his own, to have it clicked.
        response.headers.add(name: "x-frame-options", value: "DENY")
        return response
    }

    /// Something that is known as a whole, unless the client has it already.
    func document(
        _ bytes: [UInt8], _ type: String, origin: String?, _ request: Request
    ) -> Response {
        let tag = EntityTag(ContentHash(of: bytes).hex)
        let precondition = precondition(tag, request)
        if precondition == .failed { return Self.changed }
        var response = Response(status: .ok)
        response.headers.reserveCapacity(10)
        response.headers.add(name: "etag", value: tag.text)
        response.headers.add(name: "cache-control", value: "no-cache")
        if let origin { allow(origin, in: &response) }
        if precondition == .notModified {
            response.status = .notModified
            return response
        }
        response.headers.add(name: "content-type", value: type)
        response.headers.add(name: "x-content-type-options", value: "nosniff")
        response.body = .bytes(bytes)
        return response
    }

    /// What the request says about the state of what it asks for.
    func precondition(_ tag: EntityTag?, _ request: Request) -> Precondition {
        let fields = request.head.headers
        return Precondition(ifMatch: fields["if-match"], ifNoneMatch: fields["if-none-match"], tag: tag)
    }

    static let changed = Response.text(.preconditionFailed, "it is not in the state that If-Match names")
}
