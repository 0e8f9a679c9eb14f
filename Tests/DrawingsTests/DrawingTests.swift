import Diagnostics
import Drawings
import RenderProtocol
import TestSupport
import Testing
import Tiling

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What becomes of a renderer that does not do what it should.
@Suite(.needs("python3"))
struct DrawingTests {
    private static let request = DrawRequest(
        PixelWindow(columns: 0..<3, rows: 0..<2), by: .identity,
        clip: BoundingBox(minX: 0, minY: 0, maxX: 100, maxY: 50), thinnestLine: 1, palestLine: 1,
        isOneOfMany: true, isAliased: false)

    private static let transparent = "send('PIXL', bytes(4))"

    private func drawing(_ renderer: FakeRenderer, seconds: Int = 60) throws -> Drawing {
        var limits = RendererLimits()
        (limits.seconds, limits.patience) = (seconds, 1)
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
        #expect(renderer.started.count == 1)
    }

    @Test("A renderer that crashes, hangs, talks rubbish or ends is one failure that says which")
    func failures() throws {
        let crash = try failure(drawing: "os.kill(os.getpid(), signal.SIGSEGV)")
        #expect(crash?.kind == .badInput && crash?.message.contains("crashed on it (signal 11)") == true)
        let spent = try failure(drawing: "os.kill(os.getpid(), signal.SIGXCPU)")
        #expect(spent?.kind == .badInput && spent?.message.contains("more than 60 s") == true)
        let hung = try failure(drawing: "time.sleep(60)", seconds: 1)
        #expect(hung?.kind == .badInput && hung?.message.contains("more than 1 s") == true)
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

    @Test("What a renderer says of a document is said with the document's name and the way out")
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

    @Test("A renderer that somebody kills is replaced once")
    func killed() throws {
        let once = try FakeRenderer(
            draw: "os.kill(os.getpid(), signal.SIGKILL) if first() else \(Self.transparent)")
        #expect(try drawing(once).draw(Self.request).form == .transparent)
        #expect(once.started.count == 2)
        let always = try failure(drawing: "os.kill(os.getpid(), signal.SIGKILL)")
        #expect(always?.kind == .systemLimit && always?.message.contains("was killed") == true)
    }

    @Test("A renderer of another release, or none at all, is said to be that")
    func strangers() throws {
        for greeting in ["{\"version\": 2, \"libraries\": \"\"}", "{}", "hello"] {
            let renderer = try FakeRenderer(greeting: greeting, draw: Self.transparent)
            do {
                _ = try drawing(renderer)
                Issue.record("'\(greeting)' was taken")
            } catch let failure as Failure {
                #expect(failure.message.contains("does not speak the protocol"), "\(failure)")
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

    @Test("Tasks side by side have a renderer each, and none outlives the drawing")
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
