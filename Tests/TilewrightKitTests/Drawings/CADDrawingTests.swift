import Foundation
import Platform
import TestSupport
import Testing

@testable import TilewrightKit

/// What becomes of the answers of `tilewright-cad`, and of its process.
@Suite(.needs("python3"))
struct CADDrawingTests {
    private let folder: TemporaryDirectory
    private let drawing: String

    init() throws {
        folder = try TemporaryDirectory()
        drawing = try folder.write(FakeCAD.drawing, to: "plan.dxf")
    }

    private var limits: CADLimits {
        var limits = CADLimits(RendererLimits())
        (limits.seconds, limits.patience) = (60, 1)
        return limits
    }

    private func draw(
        _ answer: String = FakeCAD.plain, limits: CADLimits? = nil,
        _ change: (inout CADRequest) -> Void = { _ in }
    ) throws -> CADDrawing {
        let program = folder.path("tilewright-cad")
        try FakeCAD.install(FakeCAD.script(answer), at: program)
        var request = CADRequest(path: drawing)
        change(&request)
        return try CADDrawing(
            request, limits: limits ?? self.limits, scratch: folder.url.path,
            by: CompanionProgram(path: program))
    }

    private func failure(_ answer: String, limits: CADLimits? = nil) -> Failure? {
        do {
            _ = try draw(answer, limits: limits)
            Issue.record("a page was drawn by: \(answer)")
            return nil
        } catch { return error as? Failure }
    }

    @Test("A page is drawn into a scratch file, and the request says all that decides it")
    func page() throws {
        let page = try draw {
            ($0.layout, $0.layers, $0.scale, $0.isOnDark) = ("A1", ["WALLS", "É"], 50, true)
        }
        #expect(page.libraries == "fake 1, other 2" && page.page.layout == "A1" && page.page.scale == 50)
        #expect(try Data(contentsOf: URL(filePath: page.pdf.path)).starts(with: Data("%PDF".utf8)))
        let request = try #require(FakeCAD.requests(in: folder.url).first)
        #expect(request["version"] as? Int == 1 && request["path"] as? String == drawing)
        #expect(request["layers"] as? [String] == ["WALLS", "É"] && request["layout"] as? String == "A1")
        #expect(
            request["unit"] is NSNull && request["scale"] as? Double == 50
                && request["is_on_dark"] as? Bool == true)
        #expect(request["seconds"] as? Int == 60 && request["memory"] as? Int == 1 << 30)
        #expect((request["head"] as? String)?.hasPrefix("999") == true)
        let given = try #require(request["folder"] as? String)
        #expect(FileManager.default.fileExists(atPath: given + "/plan.dxf"))
        _ = try draw()
        let usual = try #require(FakeCAD.requests(in: folder.url).last)
        for name in ["layout", "layers", "scale"] { #expect(usual[name] is NSNull, "\(name)") }
        // Neither the PDF nor the request is left in the folder.
        #expect(try folder.files().filter { $0.contains("scratch") } == [])
    }

    @Test("A failure has the drawing's name, its reason and a way out")
    func failures() throws {
        for (cause, kind, remedy) in [
            ("damaged", Failure.Kind.badInput, "AUDIT"), ("no_layout", .badInput, nil),
            ("no_layer", .badInput, nil), ("memory", .badInput, "--memory"),
            ("time", .badInput, "TILEWRIGHT_RENDER_SECONDS"), ("request", .systemLimit, "report"),
            ("system", .systemLimit, "--check"),
        ] {
            let failure = failure("say({'failure': {'cause': '\(cause)', 'reason': 'a clause'}})")
            #expect(failure?.message == "cannot read '\(drawing)': a clause")
            #expect(failure?.kind == kind && (failure?.remedy == nil) == (remedy == nil))
            if let remedy { #expect(failure?.remedy?.contains(remedy) == true) }
        }
    }

    @Test("A process that crashes, hangs, uses up its time or ends is a failure that says so")
    func ends() throws {
        let crash = failure("os.kill(os.getpid(), signal.SIGSEGV)")
        #expect(crash?.kind == .badInput && crash?.message.contains("crashed on it (signal 11)") == true)
        let spent = failure("os.kill(os.getpid(), signal.SIGXCPU)")
        #expect(spent?.message.contains("timed out (limit: 60 s)") == true)
        #expect(spent?.remedy?.contains("TILEWRIGHT_RENDER_SECONDS") == true)
        let killed = failure("os.kill(os.getpid(), signal.SIGKILL)")
        #expect(killed?.kind == .systemLimit && killed?.message.contains("was killed") == true)
        let left = failure("sys.exit(3)")
        #expect(left?.kind == .systemLimit && left?.message.contains("ended with status 3") == true)
        var short = limits
        short.seconds = 1
        let hung = failure("time.sleep(60)", limits: short)
        #expect(hung?.kind == .badInput && hung?.message.contains("limit: 1 s") == true)
        let numbers = FakeCAD.requests(in: folder.url).compactMap { $0["number"] as? Int32 }
        #expect(numbers.count == 5)
        for number in numbers { #expect(kill(number, 0) == -1, "\(number) is still there") }
    }

    @Test(
        "An answer that violates the protocol, or cannot be true, is refused",
        arguments: [
            "pass", "print('Hello')", "say([])", "say({'page': {}})",
            "say({'progress': {'stage': 'reading', 'share': 2}})",
            "say(page(width=-1))", "say(page(height=float('nan')))", "say(page(scale=0))",
            "say(page(width=1e9))",
            "say(page(units_from_points=[1, 0, 0, 1, 0, 0]))", "say(page(units_from_points=[1, 0, 0]))",
            "say(page(metres_per_unit=float('inf')))", "say(page(layers=['WALLS']))",
            "say(page(files=['a.dxf']))",
            "say(page(entities=-1))", "say(page(missing_fonts=['a'] * 100001))", "say(page()); say(page())",
            "say(page(geodata=dict(crs='EPSG:4326', design_point=[0], reference_point=[0, 0], metres_from_units=[1] * 4)))",
            "say({'failure': {'cause': 'bad luck', 'reason': 'a'}})", "sys.stdout.write('a' * (17 << 20))",
        ])
    func lies(answer: String) {
        let failure = failure("write(pdf()); \(answer)")
        #expect(failure?.kind == .systemLimit && failure?.message.contains("version of the protocol") == true)
    }

    @Test("A program that is not tilewright-cad, or does not run, is refused")
    func otherPrograms() throws {
        for script in [
            "#!/bin/sh\necho tilewright-cad, protocol 2, ezdxf 9\n", "#!/bin/sh\nexit 1\n", "#!/none\n",
        ] {
            let program = folder.path("other-\(script.count)")
            try FakeCAD.install(script, at: program)
            let failure = #expect(throws: Failure.self) {
                _ = try CADDrawing(
                    CADRequest(path: drawing), limits: limits, scratch: folder.url.path,
                    by: CompanionProgram(path: program))
            }
            #expect(failure?.kind == .systemLimit && failure?.remedy != nil)
        }
        let missing = #expect(throws: Failure.self) {
            _ = try CADDrawing(CADRequest(path: drawing), limits: limits, scratch: folder.url.path, by: nil)
        }
        #expect(
            missing?.kind == .missingInput && missing?.remedy?.contains("plot the drawing to a PDF") == true)
    }

    @Test("A drawing that changes while it is read is an error")
    func changed() {
        let failure = failure("open(request['path'], 'a').write(' '); \(FakeCAD.plain)")
        #expect(failure?.message.contains("changed while it was read") == true)
    }

    @Test("The process ends when its task is cancelled, with all that it has started")
    func cancelled() async throws {
        let answer =
            "import subprocess; child = subprocess.Popen(['sleep', '1200']); "
            + "open(folder + '/child', 'w').write(str(child.pid)); child.wait()"
        // On a busy machine, this task may sleep for long.
        var long = limits
        long.patience = 20
        let task = Task.detached { [long] in _ = try draw(answer, limits: long) }
        func number() -> Int32? {
            (try? String(contentsOfFile: folder.path("child"), encoding: .utf8)).flatMap { Int32($0) }
        }
        for _ in 0..<3000 where number() == nil { try await Task.sleep(for: .milliseconds(10)) }
        let child = try #require(number())
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // Its parent is gone: the system's first process collects it soon.
        var isThere = true
        for _ in 0..<500 where isThere {
            try await Task.sleep(for: .milliseconds(10))
            isThere = isRunning(child)
        }
        #expect(!isThere)
    }

    /// Whether a process exists that has not ended.
    private func isRunning(_ number: Int32) -> Bool {
        let status = try? Tool.run("/bin/ps", ["-o", "stat=", "-p", "\(number)"])
        return status?.output.first.map { !"Z ".contains($0) } ?? false
    }

    @Test("Larger drawings get more time, and what is read is told")
    func time() throws {
        #expect(limits.seconds(forBytes: 1000) == 60 && limits.seconds(forBytes: 105_000_000) == 1110)
        #expect(CADLimits.estimate(bytes: 100_000_000) == 150)
    }
}
