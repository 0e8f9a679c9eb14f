import Foundation
import TestSupport
import Testing

/// The list of `--pending`, which keeps what no cache knows yet.
struct PendingTests {
    private static let build = ["plan.png", "--bounds", Workshop.bounds, "--zoom", "16-17", "-o"]

    private func lines(_ workshop: Workshop, _ name: String = "pending") throws -> [String] {
        try String(contentsOf: workshop.file(name), encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test(
        "What a run adds stays until the list is taken away",
        arguments: ["out", "out.mbtiles", "out.pmtiles"])
    func keeping(output: String) throws {
        var plan = Picture.plan(width: 300, height: 200)
        let workshop = try Workshop(plan)
        let run = Self.build + [output, "--pending", "pending", "--changes", "changes"]
        try Program.succeed(run, in: workshop.url)
        let first = try lines(workshop)
        #expect(!first.isEmpty && first.allSatisfy { $0.hasPrefix("added ") })
        #expect(try lines(workshop, "changes").sorted() == first.sorted())
        // A run that finds nothing new, and one that changes tiles that no cache knows.
        try Program.succeed(run, in: workshop.url)
        #expect(try lines(workshop) == first && lines(workshop, "changes") == [])
        plan.fill(20..<30, 20..<30, (255, 0, 255, 255))
        try plan.write(to: workshop.path("plan.png"))
        try Program.succeed(run, in: workshop.url)
        #expect(try lines(workshop) == first)
        #expect(try lines(workshop, "changes").allSatisfy { $0.hasPrefix("changed ") })
        // Nothing is left to tell of what comes and goes meanwhile.
        try Program.succeed(run.map { $0 == "16-17" ? "17" : $0 }, in: workshop.url)
        #expect(try lines(workshop) == first.filter { !$0.contains(" 16/") })

        try FileManager.default.removeItem(at: workshop.file("pending"))
        try Program.succeed(run, in: workshop.url)
        let back = try lines(workshop).filter { $0.contains(" 16/") }
        #expect(back == first.filter { $0.contains(" 16/") })
        try FileManager.default.removeItem(at: workshop.file("pending"))
        try Program.succeed(["remove", output, "--all", "--pending", "pending"], in: workshop.url)
        let gone = first.map { $0.replacing("added ", with: "removed ") }
        #expect(try lines(workshop).sorted() == gone.sorted())
        try Program.succeed(run, in: workshop.url)
        #expect(try lines(workshop) == first.map { $0.replacing("added ", with: "changed ") })
    }

    @Test("A list that cannot be added to is refused before anything is built, and stays")
    func refusals() throws {
        let workshop = try Workshop()
        try workshop.write("added a".utf8, to: "cut")
        try workshop.write("{\"a\": 1}\n".utf8, to: "other")
        try workshop.write(Workshop.house(zoom: "16-17").utf8, to: "house.yaml")
        try workshop.drawFloors()
        let before = try Snapshot(of: workshop.url).contents
        for (name, status) in [
            ("cut", 65), ("other", 65), ("plan.png", 64), ("/dev/stdout", 64), ("out/a", 64),
        ] {
            for run in [Self.build + ["out"], ["house.yaml"], ["remove", "out", "--all"]] {
                // An image is an input only of a build.
                let expected = name == "plan.png" && run[0] != "plan.png" ? 65 : status
                if name == "out/a", run[0] == "house.yaml" { continue }
                let outcome = try workshop.run(run + ["--pending", name])
                #expect(outcome.status == Int32(expected), "\(run) \(name): \(outcome.errors)")
                #expect(outcome.errors.contains("'\(name)'"), "\(outcome.errors)")
                #expect(try Snapshot(of: workshop.url).contents == before)
            }
        }
    }

    /// Stops a run at each of its last system calls, as those of `Tests/Faults` count them, and takes the list
    /// away meanwhile.
    @Test(
        "A list that is taken away at any moment of a run loses nothing", .long, .needs("cc", "python3"),
        arguments: ["out", "out.pmtiles"])
    func takenAway(output: String) throws {
        var plan = Picture.plan(width: 300, height: 200)
        let workshop = try Workshop(plan)
        let shim = try KilledNewsTests.compileShim(in: workshop)
        try workshop.build(["--zoom", "16-18"], to: "before/\(output)")
        plan.fill(20..<30, 20..<30, (255, 0, 255, 255))
        try plan.write(to: workshop.path("plan.png"))
        let script = """
            import os, shutil, subprocess, sys
            output, shim, *command = sys.argv[1:]
            other = {"removed other/1.png", "added other/2.png"}
            def lines(name):
                return set(open(name).read().splitlines()) if os.path.exists(name) else set()
            def run(**environment):
                for name in (output, "pending", "taken"):
                    if os.path.isdir(name): shutil.rmtree(name)
                    elif os.path.exists(name): os.remove(name)
                (shutil.copytree if os.path.isdir("before/" + output) else shutil.copy)("before/" + output, output)
                open("pending", "w").write("".join(line + "\\n" for line in other))
                child = subprocess.Popen(command, env=os.environ | {"LD_PRELOAD": shim} | environment)
                _, status = os.waitpid(child.pid, os.WUNTRACED)
                if stopped := os.WIFSTOPPED(status):
                    os.rename("pending", "taken")
                    child.send_signal(18)
                    _, status = os.waitpid(child.pid, 0)
                assert status == 0, status
                return stopped
            run(FAULT_COUNT="calls")
            news = lines("pending") - other
            assert {line.split()[0] for line in news} == {"changed", "removed"}, news
            calls, stops = int(open("calls").read().split()[-1]), 0
            for call in range(calls, max(0, calls - 40), -1):
                stops += run(FAULT_AT=str(call), FAULT_FREEZE="1")
                told = lines("taken") | lines("pending")
                assert news | other <= told, (call, calls, news - told, other - told)
            assert stops >= 15, stops
            """
        let outcome = try Python.run(
            script,
            [output, shim, Program.path] + Self.build + [output, "--pending", "pending", "-q", "-j", "1"],
            in: workshop.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("Runs that add to one list at the same time lose nothing")
    func together() throws {
        let workshop = try Workshop()
        let count = 12
        let runs = try (0..<count).map { index in
            try ChildProcess(
                [Program.path] + Self.build + [
                    "out\(index)", "--pending", "pending", "--url", "https://example.org/\(index)", "-q",
                ], in: workshop.url)
        }
        #expect(runs.allSatisfy { $0.wait() == 0 })
        let all = try lines(workshop)
        let tiles = try Snapshot(of: workshop.file("out0")).contents.keys.filter {
            !$0.hasPrefix(".tilewright")
        }
        #expect(all.count == count * tiles.count && Set(all).count == all.count)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: workshop.url.path)
                .allSatisfy { !$0.hasSuffix("partial") })
    }
}

/// Nights with a purge after each: edits, runs and purges at random, of which some are killed or fail.
@Suite(.needs("cc"))
struct PendingNightsTests {
    /// What is built, and how a server has it.
    enum Form: String, CaseIterable { case folder, archive, building, archives }

    @Test("A cache that is only changed by purges ends up like a fresh one", arguments: Form.allCases)
    func nights(form: Form) throws {
        var nights = try Nights(form)
        let count = TestRun.isComplete ? 50 : 6
        for _ in 0..<count { try nights.pass() }
        try nights.end()
        #expect(try nights.cache == nights.served(), "\(form)")
        #expect(!nights.cache.isEmpty)
        if TestRun.isComplete { #expect(nights.deaths > 5, "runs that are never killed test little") }
    }

    private struct Nights {
        private let workshop: Workshop
        private let form: Form
        private let shim: String
        private var random: SplitMix
        /// The system calls of a run that changes everything.
        private let calls: Int
        /// What purges have taken away, and not yet done.
        private var queue: [Substring] = []
        private(set) var cache: [String: Data] = [:]
        private(set) var deaths = 0

        init(_ form: Form) throws {
            self.form = form
            workshop = try Workshop()
            shim = try KilledNewsTests.compileShim(in: workshop)
            random = SplitMix(seed: UInt64(form.rawValue.utf8.reduce(0) { $0 * 31 + Int($1) }))
            for index in 0..<4 {
                var plan = Picture.plan(width: 300, height: 200)
                plan.fill(20..<60, 40 * index..<40 * index + 30, (UInt8(60 * index), 0, 255, 255))
                try plan.write(to: workshop.path("version\(index).png"))
            }
            try Self.edit(workshop, form, &random)
            try Program.succeed(
                Self.arguments(form),
                environment: ["LD_PRELOAD=\(shim)", "FAULT_COUNT=\(workshop.path("calls"))"],
                in: workshop.url)
            let text = try String(contentsOf: workshop.file("calls"), encoding: .utf8)
            calls = try #require(text.split(separator: "\n").compactMap { Int($0) }.max())
        }

        private static func arguments(_ form: Form) -> [String] {
            let input =
                switch form {
                case .folder: ["plan.png", "--bounds", Workshop.bounds, "-o", "out"]
                case .archive: ["plan.png", "--bounds", Workshop.bounds, "-o", "out.pmtiles"]
                case .building, .archives: ["house.yaml"]
                }
            return input + ["--pending", "pending", "-q", "-j", "1"]
        }

        /// Replaces images by one of four versions, so that edits are often taken back, and floors.
        private static func edit(_ workshop: Workshop, _ form: Form, _ random: inout SplitMix) throws {
            var floors: [String] = []
            for floor in ["plan", "a", "b"] {
                try? FileManager.default.removeItem(at: workshop.file("\(floor).png"))
                try FileManager.default.copyItem(
                    at: workshop.file("version\(random.next() % 4).png"), to: workshop.file("\(floor).png"))
                if floor == "plan" || random.next() % 3 > 0 {
                    floors.append("  - {floor: \(floor), ordinal: \(floors.count), image: \(floor).png}\n")
                }
            }
            let output = form == .archives ? "\"out/{floor}.pmtiles\"" : "out"
            let text =
                "name: House\noutput: \(output)\nzoom: 16-17\nbounds: \(Workshop.bounds)\nfloors:\n"
                + floors.joined()
            try workshop.write(text.utf8, to: "house.yaml")
        }

        /// An edit, a run that may be killed, and a purge that may fail.
        mutating func pass() throws {
            if random.next() % 4 > 0 { try Self.edit(workshop, form, &random) }
            var arguments = Self.arguments(form)
            if form == .folder || form == .archive {
                arguments += ["--zoom", ["16-17", "17", "16"][Int(random.next() % 3)]]
            }
            var environment: [String] = []
            if random.next() % 2 == 0 {
                // Most calls stage tiles; what matters comes at the end.
                let call =
                    calls - Int(random.next() % UInt64(calls * 2 / 3)) / (random.next() % 2 == 0 ? 1 : 4)
                environment = ["LD_PRELOAD=\(shim)", "FAULT_AT=\(call)", "FAULT_KILL=1"]
            }
            let outcome = try Program.run(arguments, environment: environment, in: workshop.url)
            if outcome.status != 0 { deaths += 1 }
            try #require(outcome.status == 0 || !environment.isEmpty, "\(outcome.errors)")
            switch random.next() % 4 {
            case 0: break
            case 1: try take()
            default: try purge()
            }
        }

        /// A run and a purge that succeed.
        mutating func end() throws {
            let outcome = try Program.run(Self.arguments(form), in: workshop.url)
            try #require(outcome.status == 0, "\(outcome.errors)")
            try purge()
        }

        /// Moves the list into the queue.
        private mutating func take() throws {
            guard workshop.has("pending") else { return }
            try FileManager.default.moveItem(at: workshop.file("pending"), to: workshop.file("taken"))
            queue += try String(contentsOf: workshop.file("taken"), encoding: .utf8).split(separator: "\n")
            try FileManager.default.removeItem(at: workshop.file("taken"))
        }

        private mutating func purge() throws {
            try take()
            let served = try served()
            for line in queue {
                let words = line.split(separator: " ")
                try #require(words.count == 2)
                let path = try #require(String(words[1]).removingPercentEncoding)
                // A run that was killed may have told of a tile that is not there.
                cache[path] = words[0] == "removed" ? nil : served[path]
            }
            queue = []
        }

        /// What a server has, by addresses.
        func served() throws -> [String: Data] {
            if form == .archive {
                guard workshop.has("out.pmtiles") else { return [:] }
                try Program.succeed(["convert", "out.pmtiles", "view", "--force", "-q"], in: workshop.url)
                let tiles = try Snapshot(of: workshop.file("view")).tiles
                return Dictionary(uniqueKeysWithValues: tiles.map { (String($0.key.dropLast(4)), $0.value) })
            }
            guard workshop.has("out") else { return [:] }
            return try Snapshot(of: workshop.file("out")).contents.filter {
                !$0.key.contains(".tilewright")
            }
        }
    }
}
