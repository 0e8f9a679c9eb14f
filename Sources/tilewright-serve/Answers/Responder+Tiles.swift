import CommandSupport
import Diagnostics
import NIOHTTP1
import TilewrightKit
import Tiling
import WebRequests

/// Tiles, in whatever they are stored.
extension Responder {
    func tile(_ tile: RequestedTile, _ request: Request) -> Answer {
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
            return failed(Failure(.badInput, "a tile of '\(request.head.uri.prefix(100))' is not an image"))
        }
        return document(bytes, type, origin: policy.origin, request)
    }
}
