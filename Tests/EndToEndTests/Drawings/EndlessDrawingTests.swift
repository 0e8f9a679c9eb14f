import Foundation
import TestSupport
import Testing

/// Documents of a few bytes that take minutes to draw, or any amount of memory.
@Suite(.needsRenderer)
struct EndlessDrawingTests {
    private static let place = ["--bounds", Workshop.bounds]
    private let workshop: Workshop
    private let document: String

    init() throws {
        workshop = try Workshop()
        try workshop.write(Drawing.endless.utf8, to: "endless.svg")
        document = workshop.path("endless.svg")
    }

    /// A tile in the middle.
    private static let tile = "18/132529/91123"

    @Test(
        "A command that is stopped ends within a second, and its renderers with it", .long,
        arguments: [["tile", tile, "-o", "tile.png"], ["build", "-o", "out"], ["info"]], [SIGINT, SIGTERM])
    func stopped(command: [String], signal: Int32) throws {
        let program = try RunningProgram(
            [command[0], document]
                + command.dropFirst().map { $0.contains(".png") || $0 == "out" ? workshop.path($0) : $0 }
                + Self.place)
        #expect(RendererProcesses.wait(for: true, of: document) != nil)
        // It is drawing.
        usleep(300_000)
        let start = ContinuousClock.now
        #expect(program.end(with: signal) == 128 + signal)
        #expect(ContinuousClock.now - start < .seconds(1.2))
        #expect(try #require(RendererProcesses.wait(for: false, of: document)) < 1)
        #expect(!workshop.has("tile.png"))
    }

    @Test(
        "When the client goes, its renderer ends, and the next tile has its turn",
        .needsServer)
    func serveDisconnected() throws {
        try workshop.write(Drawing.svg.utf8, to: "plan.svg")
        let server = try TileServer(
            ["endless.svg", "plan.svg", "-j", "1"] + Self.place, in: workshop.url)
        for _ in 0..<3 {
            let clients = try (0..<3).map { number in
                let client = try Connection(port: server.port)
                try client.send(server.request("/endless/18/132529/9112\(2 + number).png"))
                return client
            }
            // Not only the one that is kept since the page was looked at.
            #expect(RendererProcesses.wait(for: true, of: document, RendererProcesses.drawing) != nil)
            // One that draws for ever leaves a turn to the others.
            #expect(try server.ask("/plan/\(Self.tile).png").status == 200)
            // By a call: an optimised program may let go of them before, where nothing else needs them.
            clients.forEach { $0.leave() }
            // It would draw for two minutes.
            #expect(RendererProcesses.wait(for: false, of: document, RendererProcesses.drawing) != nil)
        }
    }

    @Test(
        "SIGTERM ends a server that draws for ever within a second; clients hear that nothing is ready",
        .long,
        .needsServer)
    func serveTerminated() throws {
        let server = try TileServer(["endless.svg"] + Self.place, in: workshop.url)
        let clients = try (0..<20).map { number in
            let client = try Connection(port: server.port)
            try client.send(
                server.request("/endless/21/\(1_060_232 + number % 8)/\(728_984 + number / 8).png"))
            return client
        }
        usleep(500_000)
        let start = ContinuousClock.now
        #expect(server.end() == 143)
        #expect(ContinuousClock.now - start < .seconds(1))
        for client in clients {
            let answer = try client.answer()
            #expect(answer.status == 503, "\(answer)")
        }
        #expect(try #require(RendererProcesses.wait(for: false, of: document)) < 1)
    }

    @Test("A document that takes more memory than --memory leaves is refused, with the way out", .long)
    func memory() throws {
        try workshop.write(Drawing.greedy.utf8, to: "greedy.svg")
        let outcome = try workshop.run(
            ["tile", "greedy.svg", Self.tile, "--memory", "256M", "--zoom", "18", "-o", "tile.png"]
                + Self.place)
        #expect(outcome.status == 65, "\(outcome.errors)")
        #expect(outcome.errors.contains("cannot draw 'greedy.svg': "), "\(outcome.errors)")
        #expect(outcome.errors.contains("128 MB of memory"), "\(outcome.errors)")
        #expect(outcome.errors.contains("raise --memory"), "\(outcome.errors)")
    }

    @Test("The budget does not affect an ordinary document", .long, arguments: ["plan.pdf", "plan.svg"])
    func ordinary(name: String) throws {
        let text = name == "plan.pdf" ? Drawing.pdf(600, 400, pages: [Drawing.plan]) : Drawing.svg
        try workshop.write(text.utf8, to: name)
        let once = try Snapshot(of: workshop.build(["--zoom", "16-20"], of: name, to: "once")).tiles
        #expect(once.count > 20)
        for (index, options) in [["--memory", "64M"], ["--memory", "1K", "-j", "4"], ["-j", "32"]]
            .enumerated()
        {
            let output = try workshop.build(["--zoom", "16-20"] + options, of: name, to: "again\(index)")
            #expect(try Snapshot(of: output).tiles == once, "\(options)")
        }
    }
}
