import Foundation
import Synchronization
import TestSupport
import Testing

/// What becomes of documents that are damaged, and of renderers that end.
@Suite(.needsRenderer)
struct DrawnFaultTests {
    private static let place = ["--bounds", Workshop.bounds]

    @Test(
        "Damaged documents are one line each, or are drawn as far as they can be", .long,
        arguments: ["pdf", "svg"])
    func damaged(type: String) throws {
        let workshop = try Workshop()
        let document = type == "pdf" ? Drawing.pdf(600, 400, pages: [Drawing.plan]) : Drawing.svg
        var random = SplitMix(seed: 11)
        var statuses: Set<Int32> = []
        for trial in 0..<40 {
            var bytes = Array(document.utf8)
            if trial % 4 == 0 {
                bytes.removeLast(Int(random.next() % UInt64(bytes.count)))
            } else {
                for _ in 0..<(1 + trial) {
                    bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
                }
            }
            try workshop.write(bytes, to: "bad.\(type)")
            let outcome = try workshop.run(
                ["bad.\(type)", "--zoom", "16-17", "-o", "out", "--force"] + Self.place)
            statuses.insert(outcome.status)
            let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }
            #expect([0, 65].contains(outcome.status), "\(trial): \(outcome.status) \(outcome.errors)")
            #expect(lines.count == (outcome.status == 0 ? 0 : 1), "\(outcome.errors)")
        }
        // XML forgives nothing.
        #expect(statuses.contains(0) == (type == "pdf"))
    }

    @Test("Without the renderer, the error says how to get it, and images are built as ever")
    func missing() throws {
        let workshop = try Workshop()
        try workshop.write(Data(Drawing.pdf(600, 400, pages: [Drawing.plan]).utf8), to: "plan.pdf")
        let alone = workshop.path("tilewright")
        try FileManager.default.copyItem(atPath: Program.path, toPath: alone)
        let path = ["PATH=/nowhere"]
        let outcome = try Tool.run(
            "/usr/bin/env", path + [alone, "plan.pdf", "-o", "out"] + Self.place, in: workshop.url)
        #expect(outcome.status == 66)
        #expect(
            outcome.errors.contains("'tilewright-render', which draws a PDF, is neither"), "\(outcome.errors)"
        )
        #expect(outcome.errors.contains("make companions"), "\(outcome.errors)")
        let image = try Tool.run(
            "/usr/bin/env", path + [alone, "plan.png", "-o", "out"] + Self.place, in: workshop.url)
        #expect(image.status == 0, "\(image.errors)")
    }

    @Test("Renderers that are killed again and again lose nothing, and none is left behind", .long)
    func killed() throws {
        let workshop = try Workshop()
        try workshop.write(Data(Drawing.pdf(600, 400, pages: [Drawing.plan]).utf8), to: "plan.pdf")
        let arguments = ["plan.pdf", "--zoom", "16-21"] + Self.place
        let once = try workshop.run(arguments + ["-o", "once"])
        #expect(once.status == 0, "\(once.errors)")
        var random = SplitMix(seed: 3)
        for trial in 0..<6 {
            let killer = Killer(
                of: workshop.path("plan.pdf"), after: 0.05 + Double(random.next() % 40) / 100)
            let outcome = try workshop.run(arguments + ["-o", "out", "-j", "2"])
            killer.stop()
            #expect([0, 71].contains(outcome.status), "\(trial): \(outcome.status) \(outcome.errors)")
        }
        let last = try workshop.run(arguments + ["-o", "out"])
        #expect(last.status == 0, "\(last.errors)")
        #expect(try Snapshot(of: workshop.file("out")).tiles == Snapshot(of: workshop.file("once")).tiles)
        #expect(RendererProcesses.of(workshop.path("plan.pdf")).isEmpty)
    }

    @Test("When the program is killed, its renderers end")
    func orphans() throws {
        let workshop = try Workshop()
        try workshop.write(Data(Drawing.pdf(600, 400, pages: [Drawing.plan]).utf8), to: "plan.pdf")
        let document = workshop.path("plan.pdf")
        let program = try RunningProgram(
            ["build", document, "--zoom", "20-23", "-o", workshop.path("out")] + Self.place)
        #expect(program.wait { !RendererProcesses.of(document).isEmpty })
        #expect(program.end(with: SIGKILL) == -SIGKILL)
        let deadline = Date(timeIntervalSinceNow: 30)
        while !RendererProcesses.of(document).isEmpty, Date.now < deadline { usleep(10_000) }
        #expect(RendererProcesses.of(document).isEmpty)
    }
}

/// Kills the renderers of a document from some moment on, every few milliseconds.
private final class Killer: Sendable {
    private let isOver = Mutex(false)

    init(of document: String, after seconds: Double) {
        let thread = Thread { [self] in
            Thread.sleep(forTimeInterval: seconds)
            while !isOver.withLock({ $0 }) {
                for number in RendererProcesses.of(document) { kill(number, SIGKILL) }
                usleep(5000)
            }
        }
        thread.start()
    }

    func stop() {
        isOver.withLock { $0 = true }
        usleep(20_000)
    }
}
