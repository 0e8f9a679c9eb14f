import Foundation

/// A PMTiles archive on a server, read by ranges: after the directories, a tile is one request.
actor FarPMTiles: TileSource {
    private let url: URL
    private var opened: Opened?
    /// What is on its way: who needs the same directory waits for the same request.
    private var loads: [Range<Int>: Task<Void, any Error>] = [:]

    private struct Opened {
        /// The first answer. Answers with another version come from another archive.
        let head: Web.Answer
        var archive: PMTiles
    }

    /// Another archive has the address by now.
    private struct Replaced: Error {}

    /// An archive that is opened when something is asked of it, and again if it was replaced.
    init(_ url: URL) { self.url = url }

    func facts() async throws -> TilesetFacts {
        try await load(PMTiles.head, of: nil)
        guard let opened else { throw replaced }
        let place = opened.archive.metadata, head = opened.head
        if place.upperBound <= head.bytes.count { return try opened.archive.facts(head.bytes[place]) }
        return try await opened.archive.facts(read(place, of: head))
    }

    func bytes(of tile: TileAddress) async throws -> Data? {
        do { return try await find(tile) } catch is Replaced {}
        do { return try await find(tile) } catch is Replaced { throw replaced }
    }

    private var replaced: TileError { TileError(.notNow, "\(url.absoluteString) is being replaced") }

    private func find(_ tile: TileAddress) async throws -> Data? {
        while true {
            guard let opened else { try await load(PMTiles.head, of: nil); continue }
            switch try opened.archive.step(to: tile) {
            case .never: return nil
            case .tile(let place): return try await read(place, of: opened.head)
            case .directory(let place): try await load(place, of: opened.head)
            }
        }
    }

    /// Reads a directory of an archive, or the head of that which has the address now.
    private func load(_ place: Range<Int>, of head: Web.Answer?) async throws {
        if let load = loads[place] { return try await load.value }
        // A task of its own: who asked first may be cancelled, while others wait.
        let load = Task {
            if let head {
                let bytes = try await read(place, of: head)
                try opened?.archive.add(bytes, at: place)
            } else {
                let head = try await Web.get(url, place, limit: place.count)
                opened = Opened(head: head, archive: try PMTiles(head: head.bytes))
            }
        }
        loads[place] = load
        defer { loads[place] = nil }
        try await load.value
    }

    private func read(_ place: Range<Int>, of head: Web.Answer) async throws -> Data {
        guard place.upperBound <= head.length ?? .max else {
            throw TileError(.unreadable, "\(url.absoluteString) is cut short")
        }
        let answer = try await Web.get(url, place, limit: place.count)
        let isOpen = opened?.head.version == head.version
        guard isOpen, answer.version == head.version, answer.length == head.length else {
            if isOpen { opened = nil }
            throw Replaced()
        }
        guard answer.bytes.count == place.count else {
            throw TileError(.notNow, "\(url.absoluteString): the answer is cut short")
        }
        return answer.bytes
    }
}
