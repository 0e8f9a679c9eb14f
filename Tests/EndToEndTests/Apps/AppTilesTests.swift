import Foundation
import TestSupport
import Testing
import TilewrightTiles

/// What apps read of the program's tilesets, inside the app and over a network.
@Suite(.needs("python3"))
struct AppTilesTests {
    private let site: Workshop
    private static let containers = ["folder", "plan.pmtiles", "plan.mbtiles"]

    init() throws { site = try Workshop() }

    /// Builds the plan in all containers.
    private func build(_ options: [String]) throws {
        for container in Self.containers { try site.build(options, to: container) }
    }

    /// The addresses of all tiles in the folder, with their files.
    private func tiles() throws -> [(z: Int, x: Int, y: Int, file: Data)] {
        try Snapshot(of: site.file("folder")).tiles.map { name, bytes in
            let numbers = name.split(separator: ".")[0].split(separator: "/").compactMap { Int($0) }
            try #require(numbers.count == 3)
            return (numbers[0], numbers[1], numbers[2], bytes)
        }.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }
    }

    @Test("all containers have the same tiles, in the app and on a server, and no others")
    func same() async throws {
        try build(["--zoom", "15-18", "--tile-size", "512"])
        let server = try RangeServer(of: site.url)
        let tiles = try tiles()
        for container in Self.containers {
            let isOnServer = container != "plan.mbtiles"
            for url in [site.file(container)] + (isOnServer ? [try server.url(container)] : []) {
                let archive = try await TileArchive(url)
                #expect(archive.zooms == 15...18 && archive.tileSize == 512)
                #expect(abs(archive.bounds.west - 2) < 0.01 && abs(archive.bounds.north - 48.002) < 0.01)
                try server.behave("ok")
                for (z, x, y, file) in tiles {
                    #expect(try await archive.tile(zoom: z, column: x, row: y) == .picture(file), "\(url)")
                }
                #expect(try server.behave("ok") == (archive.isInApp ? 0 : tiles.count))
                let (z, x, y, _) = try #require(tiles.first)
                for (zoom, column, row) in [(z, x - 9, y), (z, x, y + 9), (14, x, y), (19, x, y), (z, -1, y)]
                {
                    #expect(try await archive.tile(zoom: zoom, column: column, row: row) == .never)
                }
                // An archive knows its tiles; a folder has limits.
                #expect(try server.behave("ok") == 0)
            }
        }
    }

    @Test("'serve' has what apps read: folders, archives by ranges, and buildings", .needsServer)
    func served() async throws {
        try build(["--zoom", "16-17"])
        let server = try TileServer(["folder", "plan.pmtiles"], in: site.url)
        for path in ["folder.json", "plan.pmtiles"] {
            let archive = try await TileArchive(#require(URL(string: "\(server.address)/\(path)")))
            for (z, x, y, file) in try tiles() {
                #expect(try await archive.tile(zoom: z, column: x, row: y) == .picture(file), "\(path)")
            }
        }
    }

    @Test(
        "five hundred tiles of an archive with leaf directories are those of 'tile', each in at most one request",
        .long)
    func manyTiles() async throws {
        // No two tiles are the same, so that each has an entry.
        var random = SplitMix(seed: 7)
        var noise = Picture(width: 300, height: 200)
        for index in 0..<300 * 200 {
            let byte = UInt8(truncatingIfNeeded: random.next())
            noise[index % 300, index / 300] = (byte, UInt8(index % 256), UInt8(index / 300), 255)
        }
        try noise.write(to: site.path("plan.png"))
        let options = [
            "--bounds", "2,48,2.005,48.003", "--zoom", "15-23", "--resampling", "nearest", "--png-level",
            "fast",
        ]
        for container in Self.containers {
            try Program.succeed(["plan.png", "-o", container] + options, in: site.url)
        }
        let server = try RangeServer(of: site.url)
        let chosen = try tiles().shuffled(using: &random).prefix(500)
        let far = try await TileArchive(server.url("plan.pmtiles"))
        var archives: [TileArchive] = []
        for container in Self.containers { archives.append(try await TileArchive(site.file(container))) }
        for (z, x, y, file) in chosen {
            try Program.succeed(
                ["tile", "plan.png"] + options
                    + ["-o", "\(z)-\(x)-\(y).png", "\(z)/\(x)/\(y)"], in: site.url)
            #expect(try Data(contentsOf: site.file("\(z)-\(x)-\(y).png")) == file)
            for archive in archives {
                #expect(try archive.tileNow(zoom: z, column: x, row: y) == .picture(file))
            }
        }
        // At once: the first request below a leaf directory reads it for all others, too.
        let before = try server.behave("ok")
        #expect(before > 0)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for (z, x, y, file) in chosen {
                group.addTask { try await far.tile(zoom: z, column: x, row: y) == .picture(file) }
            }
            for try await isSame in group { #expect(isSame) }
        }
        let directories = try server.behave("ok") - chosen.count
        #expect(directories > 0, "the archive has leaf directories")
        for (z, x, y, file) in chosen {
            #expect(try await far.tile(zoom: z, column: x, row: y) == .picture(file))
        }
        #expect(try server.behave("ok") == chosen.count)
    }

    /// How a server misbehaves, the state of a tile then, and whether somebody is told.
    private static let states: [(behaviour: String, folder: String, archive: String)] = [
        ("ok", "picture", "picture"), ("redirect", "picture", "picture"), ("off", "notNow", "notNow"),
        ("404", "never", "missing"), ("410", "never", "missing"), ("204", "never", "missing"),
        ("500", "notNow", "notNow"), ("503", "notNow", "notNow"), ("429", "notNow", "notNow"),
        ("408", "notNow", "notNow"), ("401", "denied", "denied"), ("403", "denied", "denied"),
        ("html", "noPicture", "unreadable"), ("empty", "never", "unreadable"), ("cut", "notNow", "notNow"),
        ("ok", "picture", "picture"),
    ]

    @Test("the state of a tile in whatever a server does, and a fault is told once")
    func states() async throws {
        try build(["--zoom", "16-17"])
        let server = try RangeServer(of: site.url)
        let (z, x, y, _) = try #require(tiles().first)
        for isArchive in [false, true] {
            let told = Told()
            let archive = try await TileArchive(
                server.url(isArchive ? "plan.pmtiles" : "folder"), onFault: { told.note($0) })
            var faults: [String] = []
            for state in Self.states {
                try server.behave(state.behaviour)
                let expected = isArchive ? state.archive : state.folder
                for _ in 1...2 {
                    #expect(await Self.state(of: archive, z, x, y) == expected, "\(state.behaviour)")
                }
                let isFault = !["picture", "never", "notNow"].contains(expected)
                if isFault, !faults.contains(expected) { faults.append(expected) }
            }
            #expect(told.kinds == faults)
        }
    }

    private static func state(of archive: TileArchive, _ z: Int, _ x: Int, _ y: Int) async -> String {
        do {
            return try await archive.tile(zoom: z, column: x, row: y) == .never ? "never" : "picture"
        } catch let error as TileError { return "\(error.kind)" } catch { return "\(error)" }
    }

    @Test(
        "an archive that cannot be opened is opened later; a server without ranges and a cut archive are faults"
    )
    func opening() async throws {
        try build(["--zoom", "16-17"])
        let whole = try Data(contentsOf: site.file("plan.pmtiles"))
        try site.write(whole.prefix(whole.count - 50), to: "cut.pmtiles")
        let server = try RangeServer(of: site.url)
        let (z, x, y, file) = try #require(tiles().last)
        let facts = try await TileArchive(site.file("plan.pmtiles")).facts
        let archive = TileArchive(try server.url("plan.pmtiles"), facts: facts)
        for (behaviour, state) in [
            ("off", "notNow"), ("whole", "unreadable"), ("404", "missing"), ("ok", "picture"),
        ] {
            try server.behave(behaviour)
            #expect(await Self.state(of: archive, z, x, y) == state)
        }
        try server.behave("ok")
        let cut = try await TileArchive(server.url("cut.pmtiles"))
        let states = try await tiles().asyncMap { await Self.state(of: cut, $0.z, $0.x, $0.y) }
        #expect(states.contains("unreadable") && !states.contains("notNow"))
        // Replaced while it is open, by an archive with other tiles.
        let next = try site.build(["--zoom", "16-17", "--background", "#ff0000"], to: "next.pmtiles")
        #expect(rename(next.path, site.path("plan.pmtiles")) == 0)
        let new = try await TileArchive(site.file("plan.pmtiles")).tile(zoom: z, column: x, row: y)
        #expect(try await archive.tile(zoom: z, column: x, row: y) == new)
        #expect(new != .picture(file))
        // MBTiles are files of the app.
        await #expect(throws: TileError.self) { try await TileArchive(server.url("plan.mbtiles")) }
    }

    @Test("what waits for an answer is cancelled with its task", .timeLimit(.minutes(1)))
    func cancelled() async throws {
        try build(["--zoom", "16-17"])
        let server = try RangeServer(of: site.url)
        let (z, x, y, _) = try #require(tiles().first)
        let archive = try await TileArchive(server.url("folder"))
        try server.behave("stall")
        let task = Task { try await archive.tile(zoom: z, column: x, row: y) }
        try await Task.sleep(for: .milliseconds(100))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // Before the request has begun, or while it begins.
        for delay in 0..<100 {
            let task = Task { try await archive.tile(zoom: z, column: x, row: y) }
            if delay % 2 == 1 { usleep(UInt32(delay)) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(throws: TileError.self) { try archive.tileNow(zoom: z, column: x, row: y) }
    }
}

/// The faults that were told.
final class Told: @unchecked Sendable {
    private let lock = NSLock()
    private var errors: [TileError] = []

    func note(_ error: TileError) { lock.withLock { errors.append(error) } }
    var kinds: [String] { lock.withLock { errors.map { "\($0.kind)" } } }
}

extension Sequence {
    /// Maps one element after another.
    func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
