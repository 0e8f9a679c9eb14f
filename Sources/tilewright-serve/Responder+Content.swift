import CommandSupport
import NIOHTTP1
import Platform
import Publishing
import Synchronization
import Tilesets
import TilewrightKit
import Tiling
import WebRequests

extension Responder {
    // Tiles

    func tile(_ tile: RequestedTile, _ request: Request) -> Answer {
        with(tile.name, request) { tileset in
            let found = try await tileset.tile(at: tile.coordinate)
            guard tile.fileExtension == found.fileExtension else { return Self.notFound }
            guard let bytes = try found.bytes ?? instead(of: found) else { return missing(request) }
            guard let type = TileFormat(signatureOf: bytes)?.mediaTypes[0] else {
                throw Failure(.badInput, "a tile of '\(request.head.uri.prefix(100))' is not an image")
            }
            return document(bytes, type, origin: policy.origin, request)
        }
    }

    /// The image for a missing tile, if the options name one.
    private func instead(of tile: ServedTileset.Tile) throws -> [UInt8]? {
        policy.missing == .transparent ? try TransparentTile.bytes(size: tile.size) : nil
    }

    /// The response for a missing tile without an image.
    private func missing(_ request: Request) -> Response {
        if policy.missing == .notFound { return .text(.notFound, "there is no such tile") }
        if precondition(nil, request) == .failed { return Self.changed }
        var response = Response(status: .noContent)
        allow(policy.origin, in: &response)
        return response
    }

    // Documents that are held in memory: pages, TileJSON, indexes

    func page(_ request: Request) -> Answer {
        later(request, on: catalogue.threads) {
            html(lastPage.same(as: await catalogue.page(library: policy.library)), request)
        }
    }

    /// A TileJSON, or an index of a building.
    func json(_ name: String, _ authority: Authority, _ request: Request) -> Answer {
        with(String(name.dropLast(".json".count)), request) { tileset in
            let bytes = try tileset.tileJSON(below: "http://\(authority)")
            return document(bytes, MediaType.json, origin: policy.origin, request)
        } otherwise: {
            guard let bytes = await catalogue.index(at: name) else { return Self.notFound }
            return document(bytes, MediaType.json, origin: policy.indexOrigin, request)
        }
    }

    func html(_ bytes: [UInt8], _ request: Request) -> Response {
        var response = document(bytes, MediaType.html, origin: nil, request)
        // No other page may show this page in a frame, to prevent clickjacking.
        response.headers.add(name: "x-frame-options", value: "DENY")
        return response
    }

    /// A response with the whole document, or without it if the client has it already.
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
        allow(origin, in: &response)
        if precondition == .notModified {
            response.status = .notModified
            return response
        }
        response.headers.add(name: "content-type", value: type)
        response.headers.add(name: "x-content-type-options", value: "nosniff")
        response.body = .bytes(bytes)
        return response
    }

    /// The condition of a request.
    func precondition(_ tag: EntityTag?, _ request: Request) -> Precondition {
        let fields = request.head.headers
        return Precondition(ifMatch: fields["if-match"], ifNoneMatch: fields["if-none-match"], tag: tag)
    }

    static let changed = Response.text(.preconditionFailed, "it does not match If-Match")

    // Archives, in ranges

    func archive(_ name: String, _ request: Request) -> Answer {
        with(name, request) { tileset in
            guard let path = try tileset.archive(), let file = ServedFile(path) else { return Self.notFound }
            return part(of: file, on: tileset.threads, request)
        }
    }

    private func part(of file: ServedFile, on threads: BlockingThreads, _ request: Request) -> Response {
        let precondition = precondition(file.tag, request)
        if precondition == .failed { return Self.changed }
        var response = Response(status: .ok)
        response.headers.reserveCapacity(12)
        response.headers.add(name: "etag", value: file.tag.text)
        response.headers.add(name: "cache-control", value: "no-cache")
        response.headers.add(name: "accept-ranges", value: "bytes")
        allow(policy.origin, in: &response)
        response.headers.add(
            name: "access-control-expose-headers", value: "etag, content-range, content-length, accept-ranges"
        )
        if precondition == .notModified {
            response.status = .notModified
            return response
        }
        response.headers.add(name: "content-type", value: "application/vnd.pmtiles")
        switch range(of: file, request) {
        case .whole: response.body = body(0..<file.size, of: file, on: threads, request)
        case .part(let range):
            response.status = .partialContent
            response.headers.add(
                name: "content-range", value: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
            )
            response.body = body(range, of: file, on: threads, request)
        case .unsatisfiable:
            response.status = .rangeNotSatisfiable
            response.headers.add(name: "content-range", value: "bytes */\(file.size)")
        }
        return response
    }

    /// A part of a file. A small part is read at once; most requests of map clients are small.
    private func body(
        _ range: Range<Int>, of file: ServedFile, on threads: BlockingThreads, _ request: Request
    ) -> Response.Body {
        let isSmall = range.count <= ServerLimits.slice && request.head.method == .GET
        return isSmall
            ? file.bytes(range).map { .bytes($0) } ?? .file(file, range, threads)
            : .file(file, range, threads)
    }

    /// The requested part of a file; the whole file if the client has another version.
    private func range(of file: ServedFile, _ request: Request) -> ByteRange {
        guard request.head.method == .GET, let field = request.field("range") else { return .whole }
        if let condition = request.field("if-range"), !file.tag.isRange(condition) { return .whole }
        return ByteRange(field, size: file.size)
    }
}

/// Bytes that rarely change. Clients that request the same bytes share them in memory.
final class SharedBytes: Sendable {
    private let last = Mutex<[UInt8]>([])

    /// The bytes, or an equal copy from the last call.
    func same(as bytes: [UInt8]) -> [UInt8] {
        last.withLock { last in
            if last != bytes { last = bytes }
            return last
        }
    }
}
