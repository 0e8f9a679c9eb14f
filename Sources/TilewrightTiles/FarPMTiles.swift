import Foundation

/// A PMTiles archive on a server, read by ranges: after the directories, a tile is one request.
actor FarPMTiles: FarTiles {
    private let known: TilesetFacts
    private let url: URL
    /// What the first answer said; other answers with something else come from another archive.
    private let version: String?
    private let length: Int
    private var archive: PMTiles
    /// The directories that are on their way. All tiles below one wait for the same request.
    private var reads: [Range<Int>: Task<Void, any Error>] = [:]

    init(_ url: URL) async throws {
        let head = try await Web.get(url, 0..<PMTiles.headLength, limit: PMTiles.headLength)
        guard head.status == 206 else { throw Self.missing(url) }
        (self.url, version, length) = (url, head.version, head.length ?? .max)
        archive = try PMTiles(head: head.bytes)
        let metadata = archive.metadata
        if metadata.isEmpty || metadata.upperBound > length {
            known = try archive.facts(Data())
        } else if metadata.upperBound <= head.bytes.count {
            known = try archive.facts(head.bytes[metadata])
        } else {
            known = try archive.facts(await Web.get(url, metadata, limit: metadata.count).bytes)
        }
    }

    func facts() -> TilesetFacts { known }

    private static func missing(_ url: URL) -> TileError {
        TileError(.missing, "there is no archive at \(url.absoluteString)")
    }

    func bytes(of tile: TileAddress) async throws -> Data? {
        while true {
            switch try archive.step(to: tile) {
            case .never: return nil
            case .tile(let place): return try await read(place)
            case .directory(let place): try await add(place)
            }
        }
    }

    private func add(_ place: Range<Int>) async throws {
        if let read = reads[place] { return try await read.value }
        // A task of its own: who asked first may be cancelled, while others wait.
        let read = Task {
            let bytes = try await self.read(place)
            try archive.add(bytes, at: place)
        }
        reads[place] = read
        defer { reads[place] = nil }
        try await read.value
    }

    private func read(_ place: Range<Int>) async throws -> Data {
        guard place.upperBound <= length else {
            throw TileError(.unreadable, "\(url.absoluteString) is cut short")
        }
        let answer = try await Web.get(url, place, limit: place.count)
        guard answer.status == 206 else { throw Self.missing(url) }
        if answer.version != version || answer.length ?? length != length { throw Replaced() }
        guard answer.bytes.count == place.count else {
            throw TileError(.notNow, "\(url.absoluteString): the answer is cut short")
        }
        return answer.bytes
    }
}
