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
        try await again {
            try await load(PMTiles.head, of: nil)
            guard let opened else { throw Replaced() }
            let place = opened.archive.metadata, head = opened.head
            if place.upperBound <= head.bytes.count { return try opened.archive.facts(head.bytes[place]) }
            return try await opened.archive.facts(read(place, of: head))
        }
    }

    func bytes(of tile: TileAddress) async throws -> Data? { try await again { try await find(tile) } }

    /// Does something, and once more if the archive was replaced.
    private func again<Result: Sendable>(_ action: () async throws -> Result) async throws -> Result {
        do { return try await action() } catch is Replaced {}
        do { return try await action() } catch is Replaced { throw error(.notNow, "is being replaced") }
    }

    private func error(_ kind: TileError.Kind, _ what: String) -> TileError { .init(kind, "\(url) \(what)") }

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
        if place.isEmpty { return Data() }
        if place.upperBound > head.length ?? .max { throw error(.unreadable, "is cut short") }
        let answer = try await Web.get(url, place, limit: place.count)
        let isOpen = opened?.head.version == head.version
        guard isOpen, answer.version == head.version, answer.length == head.length else {
            if isOpen { opened = nil }
            throw Replaced()
        }
        if answer.bytes.count != place.count { throw error(.notNow, "has sent too little") }
        return answer.bytes
    }
}
