import CommandSupport
import Platform
import NIOHTTP1
import TilewrightKit
import Tiling
import WebRequests

/// Tiles, in whatever they are stored.
extension Responder {
    func tile(_ tile: RequestedTile, _ request: Request) -> Answer {
        with(tile.name) { tileset in
            try answer(await tileset.tile(at: tile.coordinate), to: tile, request)
        }
    }

    private func answer(
        _ found: ServedTileset.Tile, to tile: RequestedTile, _ request: Request
    ) throws -> Response {
        guard tile.fileExtension == found.fileExtension else { return Self.notFound }
        if let bytes = found.bytes { return try image(bytes, request) }
        switch policy.missing {
        case .notFound:
            return .text(.notFound, "there is no such tile")
        case .noContent:
            if precondition(nil, request) == .failed { return Self.changed }
            var response = Response(status: .noContent)
            allow(policy.origin, in: &response)
            return response
        case .transparent: return try image(try TransparentTile.bytes(size: found.size), request)
        }
    }

    private func image(_ bytes: [UInt8], _ request: Request) throws -> Response {
        guard let type = MediaType.ofTile(bytes) else {
            throw Failure(.badInput, "a tile of '\(request.head.uri.prefix(100))' is not an image")
        }
        return document(bytes, type, origin: policy.origin, request)
    }
}
