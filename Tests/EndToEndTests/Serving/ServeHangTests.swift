import Foundation
import TestSupport
import Testing

/// A thing whose files hang stops no other.
@Suite(
    .needsServer, .needs("cc"),
    .disabled(if: Program.isSanitized, "a sanitizer goes before the library that hangs"))
struct ServeHangTests {
    private let workshop: Workshop
    private let files: HangingFiles
    /// More than a tileset has threads.
    private static let clients = 40

    init() throws {
        workshop = try Workshop()
        files = try HangingFiles(in: workshop)
    }

    private func serve(_ arguments: String...) throws -> TileServer {
        try TileServer(arguments, in: workshop.url, environment: files.environment)
    }

    /// Asks for something many times at once, and waits for no answer.
    private func ask(for path: String, of server: TileServer) throws -> [Connection] {
        try (0..<Self.clients).map { _ in
            let connection = try Connection(port: server.port)
            try connection.send(server.request(path))
            return connection
        }
    }

    /// Expects an answer within five seconds: what is listed with others may wait for them so long.
    private func expect(_ path: String, _ status: Int, of server: TileServer, within seconds: Double = 2)
        throws
    {
        let start = ContinuousClock.now
        #expect(try server.ask(path).status == status, "\(path)")
        let took = (ContinuousClock.now - start) / .seconds(1)
        #expect(took < seconds, "\(path) took \(took) s")
    }

    private func tiles(of output: URL) throws -> [String] { try Snapshot(of: output).tiles.keys.sorted() }

    @Test("a tile that hangs is refused in the end, and other tilesets and documents come as ever", .long)
    func tile() throws {
        for name in ["out", "other"] { try workshop.build(to: name) }
        try workshop.build(to: "plan.pmtiles")
        let names = try tiles(of: workshop.file("out"))
        let name = try #require(names.last)
        let server = try serve("out", "other", "plan.pmtiles", "image=plan.png", "--bounds", Workshop.bounds)
        try files.begin(URL(filePath: name).lastPathComponent)
        let start = ContinuousClock.now
        let waiting = try ask(for: "/out/\(name)", of: server)
        usleep(300_000)
        for path in [
            "/other/\(names[0])", "/other.json", "/plan/\(name)", "/plan.json", "/plan.pmtiles", "/",
        ] {
            try expect(path, 200, of: server, within: path == "/" ? 8 : 2)
        }
        // It could have come into the folder that hangs.
        try expect("/none/1/0/0.png", 404, of: server, within: 4)
        for connection in waiting { #expect(try connection.answer().status == 503) }
        let took = (ContinuousClock.now - start) / .seconds(1)
        #expect(9..<25 ~= took, "\(took) s")
        try files.end()
        try expect("/out/\(name)", 200, of: server)
        #expect(server.end() == 143)
    }

    @Test(
        "an archive, an image and a manifest that hang stop nothing else, and come back when they answer",
        .long)
    func things() throws {
        try workshop.build(to: "out")
        try workshop.build(to: "far.pmtiles")
        try workshop.plan.write(to: workshop.path("far.png"))
        try workshop.plan.write(to: workshop.path("near.png"))
        try workshop.write(
            Workshop.house(zoom: "15-16").replacing(".png", with: "-far.png").utf8, to: "far.yaml")
        for name in ["1", "b1", "0"] { try workshop.plan.write(to: workshop.path("\(name)-far.png")) }
        let name = try #require(try tiles(of: workshop.file("out")).last)
        let server = try serve(
            "out", "near.png", "archive=far.pmtiles", "image=far.png", "house=far.yaml", "--bounds",
            Workshop.bounds)
        try files.begin("far")
        var waiting: [Connection] = []
        for path in ["/archive/\(name)", "/archive.pmtiles", "/image/\(name)", "/house/0/\(name)"] {
            waiting += try ask(for: path, of: server)
        }
        usleep(300_000)
        for path in ["/out/\(name)", "/out.json", "/near/\(name)", "/near.json"] {
            try expect(path, 200, of: server)
        }
        try expect("/", 200, of: server, within: 15)
        try files.end()
        for path in ["/archive/\(name)", "/image/\(name)", "/house/0.json", "/house/building.json"] {
            try expect(path, 200, of: server, within: 5)
        }
        #expect(server.end() == 143)
        withExtendedLifetime(waiting) {}
    }

    @Test("SIGTERM ends the server within a second, and what hangs is refused", .long)
    func ends() throws {
        try workshop.build(to: "out")
        let name = try #require(try tiles(of: workshop.file("out")).last)
        let server = try serve("out")
        try files.begin(URL(filePath: name).lastPathComponent)
        let waiting = try ask(for: "/out/\(name)", of: server)
        usleep(300_000)
        let start = ContinuousClock.now
        #expect(server.end() == 143)
        #expect(ContinuousClock.now - start < .seconds(1))
        for connection in waiting { #expect(try connection.answer().status == 503) }
    }

    @Test("inputs that hang when the server starts do not block others", .long)
    func atStart() throws {
        try workshop.build(to: "out")
        try workshop.build(to: "far.pmtiles")
        try workshop.plan.write(to: workshop.path("far.png"))
        try files.begin("far")
        let server = try serve("far.png", "out", "archive=far.pmtiles", "--bounds", Workshop.bounds)
        let name = try #require(try tiles(of: workshop.file("out")).last)
        try expect("/out/\(name)", 200, of: server)
        #expect(try server.said().contains("is slow to read"))
        try files.end()
        for path in ["/far/\(name)", "/archive/\(name)"] { try expect(path, 200, of: server, within: 5) }
    }
}
