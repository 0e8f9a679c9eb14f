import Platform
import TilewrightKit
import Foundation
import RenderProtocol
import TestSupport
import Testing
import Tiling

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The treatment of faulty renderers. One test at a time: all renderers share the memory.
@Suite(.needs("python3"), .serialized)
struct DrawingTests {
    private static let request = DrawRequest(
        PixelWindow(columns: 0..<3, rows: 0..<2), by: .identity,
        clip: BoundingBox(minX: 0, minY: 0, maxX: 100, maxY: 50), thinnestLine: 1, palestLine: 1,
        isOneOfMany: true, isAliased: false)

    private static let transparent = "send('PIXL', bytes(4))"

    private func drawing(_ renderer: FakeRenderer, seconds: Int = 60) throws -> Drawing {
        var limits = RendererLimits()
        (limits.seconds, limits.patience, limits.jobs) = (seconds, 1, 8)
        return try Drawing(DrawingFile(renderer.document, .pdf), by: renderer.program, limits: limits)
    }

    private func failure(drawing draw: String, seconds: Int = 60) throws -> Failure? {
        let renderer = try FakeRenderer(draw: draw)
        let drawing = try drawing(renderer, seconds: seconds)
        do {
            _ = try drawing.draw(Self.request)
            return nil
        } catch let failure as Failure {
            #expect(failure.message.hasPrefix("cannot draw '\(renderer.document)': "))
            return failure
        }
    }

    @Test("A page is described, and its windows are drawn")
    func drawsWindows() throws {
        let renderer = try FakeRenderer(draw: "send('PIXL', struct.pack('<I', 2) + bytes(range(24)))")
        let drawing = try drawing(renderer)
        #expect(drawing.page.width == 100 && drawing.page.height == 50 && drawing.libraries == "fake 1")
        let pixels = try drawing.draw(Self.request)
        #expect(pixels.form == .all && Array(pixels.payload[4...]) == Array(0..<24))
        // The same renderer, or a new one if others needed its memory meanwhile.
        #expect(1...2 ~= renderer.started.count)
    }

    @Test("A renderer that crashes, hangs, violates the protocol or ends is a failure that says so", .long)
    func failures() throws {
        let crash = try failure(drawing: "os.kill(os.getpid(), signal.SIGSEGV)")
        #expect(crash?.kind == .badInput && crash?.message.contains("crashed on it (signal 11)") == true)
        let spent = try failure(drawing: "os.kill(os.getpid(), signal.SIGXCPU)")
        #expect(spent?.kind == .badInput && spent?.message.contains("limit: 60 s") == true)
        let hung = try failure(drawing: "time.sleep(60)", seconds: 1)
        #expect(hung?.kind == .badInput && hung?.message.contains("limit: 1 s") == true)
        let left = try failure(drawing: "sys.exit(3)")
        #expect(left?.kind == .systemLimit && left?.message.contains("ended with status 3") == true)
        for rubbish in [
            "send('PAGE', b'{}')", "os.write(1, b'Hello, world!')", "send('PIXL', bytes(5))",
            "send('PIXL', struct.pack('<I', 2) + bytes(20))", "os.write(1, b'PIXL' + bytes([255] * 4))",
            "send('FAIL', b'no JSON')",
        ] {
            let failure = try failure(drawing: rubbish)
            #expect(
                failure?.kind == .systemLimit && failure?.message.contains("protocol") == true, "\(rubbish)")
        }
    }

    @Test("A renderer's error is reported with the document's name and a remedy", .long)
    func refusals() throws {
        let refusal = "send('FAIL', b'{\"cause\": \"memory\", \"reason\": \"the picture has 3 GB\"}')"
        let large = try failure(drawing: refusal)
        #expect(large?.kind == .badInput && large?.message.hasSuffix(": the picture has 3 GB") == true)
        let words = "{\"cause\": \"encrypted\", \"reason\": \"it is encrypted\"}"
        let renderer = try FakeRenderer(page: "send('FAIL', b'''\(words)''')", draw: Self.transparent)
        do {
            _ = try drawing(renderer)
            Issue.record("the document was opened")
        } catch let failure as Failure {
            #expect(failure.message == "cannot read '\(renderer.document)': it is encrypted")
            #expect(failure.kind == .badInput && failure.remedy?.contains("--password-file") == true)
        }
    }

    @Test("A renderer that was killed from outside is replaced once", .long)
    func killed() throws {
        let once = try FakeRenderer(
            draw: "os.kill(os.getpid(), signal.SIGKILL) if first() else \(Self.transparent)")
        #expect(try drawing(once).draw(Self.request).form == .transparent)
        #expect(once.started.count == 2)
        let always = try failure(drawing: "os.kill(os.getpid(), signal.SIGKILL)")
        #expect(always?.kind == .systemLimit && always?.message.contains("was killed") == true)
    }

    /// Whether something comes true within a minute.
    private func comesTrue(_ condition: () -> Bool) async throws -> Bool {
        for _ in 0..<6000 where !condition() { try await Task.sleep(for: .milliseconds(10)) }
        return condition()
    }

    @Test("A renderer whose task is cancelled ends within a second, while it draws or opens the page", .long)
    func cancelled() async throws {
        for renderer in [
            try FakeRenderer(draw: "first(); time.sleep(60)"),
            try FakeRenderer(page: "first(); time.sleep(60)", draw: Self.transparent),
        ] {
            let task = Task.detached { _ = try drawing(renderer).draw(Self.request) }
            #expect(try await comesTrue { renderer.wasAsked })
            let start = ContinuousClock.now
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(ContinuousClock.now - start < .seconds(1))
            for number in renderer.started { #expect(kill(number, 0) == -1, "\(number) is still there") }
        }
    }

    /// A renderer that draws only with enough memory; with less, it reports that or crashes.
    private func greedy(_ bytes: Int, else refusal: String) throws -> FakeRenderer {
        try FakeRenderer(
            page:
                "import json; memory = json.loads(payload)['memory']; note('memory', memory); send('PAGE', PAGE)",
            draw: "\(Self.transparent) if memory >= \(bytes) else \(refusal)")
    }

    private static let refusal =
        "send('FAIL', b'{\"cause\": \"memory\", \"reason\": \"it takes more than there is\"}')"

    @Test(
        "A page that needs more memory than a share gets twice as much, up to all of it", .long,
        arguments: [refusal, "os.kill(os.getpid(), signal.SIGSEGV)"])
    func growing(refusal: String) throws {
        var limits = RendererLimits()
        (limits.memory, limits.jobs) = (512 << 20, 16)
        let renderer = try greedy(300 << 20, else: refusal)
        let file = DrawingFile(renderer.document, .pdf)
        let drawing = try Drawing(file, by: renderer.program, limits: limits)
        #expect(try drawing.draw(Self.request).form == .transparent)
        #expect(try drawing.draw(Self.request).form == .transparent)
        #expect(renderer.notes("memory").map { $0 >> 20 } == [64, 128, 256, 512])
        limits.memory = 256 << 20
        let failure = #expect(throws: Failure.self) {
            _ = try Drawing(file, by: renderer.program, limits: limits).draw(Self.request)
        }
        #expect(failure?.kind == .badInput)
        if refusal == Self.refusal {
            #expect(failure?.message == "cannot draw '\(file.path)': it takes more than there is")
            #expect(failure?.remedy?.contains("raise --memory") == true)
        }
    }

    @Test(
        "All renderers together take no more memory than allowed, and waiting requests get their turn",
        .long)
    func together() async throws {
        let renderer = try FakeRenderer(
            draw: "note('now', len(alive())); time.sleep(0.05); \(Self.transparent)")
        var limits = RendererLimits()
        (limits.memory, limits.jobs) = (3 * 64 << 20, 8)
        let file = DrawingFile(renderer.document, .pdf)
        let drawings = try (0..<4).map { _ in try Drawing(file, by: renderer.program, limits: limits) }
        // Threads, since a pool may have fewer than this.
        let counts = await withTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                let drawing = drawings[number % 4]
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            let drawn = (0..<5).filter { _ in (try? drawing.draw(Self.request)) != nil }
                            continuation.resume(returning: drawn.count)
                        }
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 5, count: 8))
        #expect(renderer.notes("now").max().map { $0 <= 3 } == true)
    }

    @Test("A renderer of another release, or a missing one, is reported as such", .long)
    func strangers() throws {
        for greeting in ["{\"version\": 2, \"libraries\": \"\"}", "{}", "hello"] {
            let renderer = try FakeRenderer(greeting: greeting, draw: Self.transparent)
            do {
                _ = try drawing(renderer)
                Issue.record("'\(greeting)' was taken")
            } catch let failure as Failure {
                #expect(failure.message.contains("another version of the protocol"), "\(failure)")
            }
        }
        let silent = try FakeRenderer(page: "send('PAGE', b'{\"pageCount\": 1}')", draw: Self.transparent)
        #expect(throws: Failure.self) { try drawing(silent) }
        let missing = Failure(.missingInput, "")
        do {
            _ = try Drawing(DrawingFile(silent.document, .svg), by: nil)
            Issue.record("nobody drew it")
        } catch let failure as Failure {
            #expect(failure.kind == missing.kind && failure.message.contains("'tilewright-render'"))
            #expect(failure.remedy?.contains("make companions") == true)
        }
    }

    @Test("Concurrent tasks have a renderer each, and no renderer outlives the drawing", .long)
    func poolOfRenderers() async throws {
        let renderer = try FakeRenderer(draw: "time.sleep(0.2); \(Self.transparent)")
        do {
            let drawing = try drawing(renderer)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 { group.addTask { _ = try drawing.draw(Self.request) } }
                try await group.waitForAll()
            }
        }
        #expect((1...3).contains(renderer.started.count))
        for number in renderer.started { #expect(kill(number, 0) == -1, "\(number) is still there") }
    }
}
