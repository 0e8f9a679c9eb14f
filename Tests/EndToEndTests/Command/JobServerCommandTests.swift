import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Runs beneath a make with a job server.
struct JobServerCommandTests {
    /// A make that only counts tokens.
    private final class Make {
        let flags: String
        private let tokens: [UInt8]
        private let file: Int32

        init(_ workshop: Workshop, tokens count: Int) throws {
            tokens = (0..<count).map { UInt8(97 + $0) }
            try #require(mkfifo(workshop.path("tokens"), 0o600) == 0)
            file = open(workshop.path("tokens"), O_RDWR | O_NONBLOCK)
            flags = "MAKEFLAGS= -j\(count + 1) --jobserver-auth=fifo:\(workshop.path("tokens"))"
            try #require(write(file, tokens, count) == count)
        }

        deinit { close(file) }

        /// The number of tokens that processes hold; less than 0 if they gave back too many.
        var out: Int {
            var count: Int32 = 0
            #expect(ioctl(file, UInt(FIONREAD), &count) == 0)
            return tokens.count - Int(count)
        }

        /// Expects the same tokens in the pipe as at first.
        func expectAll(_ comment: Comment) {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = max(0, read(file, &bytes, 64))
            #expect(bytes.prefix(count).sorted() == tokens, comment)
            #expect(write(file, tokens, tokens.count) == tokens.count)
        }
    }

    private static func arguments(_ output: String, zoom: String = "18-21") -> [String] {
        ["plan.png", "--bounds", Workshop.bounds, "--zoom", zoom, "-o", output]
    }

    private static func start(_ arguments: [String], _ make: Make, _ workshop: Workshop) throws
        -> ChildProcess
    {
        // A crash ends the program, instead of being described by Swift's runtime.
        let words = ["/usr/bin/env", make.flags, "SWIFT_BACKTRACE=enable=no", Program.path] + arguments
        return try ChildProcess(words, in: workshop.url)
    }

    @Test("Processes take tokens while they work, give them back, and make the same bytes")
    func sameBytes() throws {
        let workshop = try Workshop()
        let make = try Make(workshop, tokens: 2)
        let alone = try Snapshot(of: workshop.build(["--zoom", "18-20"])).contents
        let outputs = ["one", "two", "three"]
        let runs = try outputs.map { try Self.start(Self.arguments($0, zoom: "18-20"), make, workshop) }
        var most = 0
        while runs.contains(where: \.isRunning) {
            #expect((0...2).contains(make.out))
            most = max(most, make.out)
            usleep(500)
        }
        #expect(runs.allSatisfy { $0.wait() == 0 })
        // A machine with one core has no use for tokens.
        if sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1 { #expect(most > 0) }
        make.expectAll("after all")
        let tiles = alone.filter { !$0.key.hasPrefix(".tilewright/") && $0.key.hasSuffix(".png") }
        for output in outputs {
            let made = try Snapshot(of: workshop.file(output)).contents
            #expect(tiles.allSatisfy { made[$0.key] == $0.value }, "\(output)")
        }
    }

    @Test("--jobs wins: no token is taken")
    func jobs() throws {
        let workshop = try Workshop()
        let make = try Make(workshop, tokens: 2)
        let run = try Self.start(Self.arguments("out", zoom: "18-20") + ["--jobs", "4"], make, workshop)
        while run.isRunning {
            #expect(make.out == 0)
            usleep(200)
        }
        #expect(run.wait() == 0)
    }

    @Test("A failed run gives its tokens back, and so do commands that decode on all cores")
    func others() throws {
        let workshop = try Workshop()
        let make = try Make(workshop, tokens: 3)
        try workshop.build(["--zoom", "18-19"])
        let plan = try Data(contentsOf: workshop.file("plan.png"))
        try workshop.write(plan.prefix(plan.count / 2), to: "half.png")
        for (words, status) in [
            (["half.png", "--bounds", Workshop.bounds, "-o", "half"], 65), (["verify", "out"], 0),
            (["info", "plan.png", "--bounds", Workshop.bounds], 0),
            (["build", "--frobnicate"], 64),
        ] as [([String], Int32)] {
            #expect(try Self.start(words, make, workshop).wait() == status, "\(words)")
            make.expectAll("\(words)")
        }
    }

    @Test("Signals at any moment lose no token")
    func signals() throws {
        let workshop = try Workshop()
        let make = try Make(workshop, tokens: 2)
        let signals = [SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGQUIT, SIGABRT, SIGSEGV, SIGILL, SIGUSR1]
        let rounds = TestRun.isComplete ? 10 : 1
        var caught = 0
        for (round, signal) in (0..<rounds).flatMap({ round in signals.map { (round, $0) } }) {
            let runs = try (0..<2).map { number in
                try Self.start(Self.arguments("out-\(round)-\(signal)-\(number)"), make, workshop)
            }
            // The run has begun to render; a moment later, any thread may be anywhere.
            let start = ContinuousClock.now
            while make.out == 0, runs[0].isRunning, ContinuousClock.now - start < .seconds(10) { usleep(200) }
            usleep(UInt32.random(in: 0..<20_000))
            caught += make.out > 0 ? 1 : 0
            for run in runs { _ = run.end(with: signal) }
            make.expectAll("signal \(signal)")
        }
        if sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1 { #expect(caught > 0) }
    }

    @Test("make misses no token after its recipes were interrupted", .needs("make", "timeout"))
    func realMake() throws {
        let workshop = try Workshop()
        let signals = ["INT", "TERM", "QUIT", "ABRT", "HUP", "SEGV"]
        let recipes = signals.map { signal in
            let words = Self.arguments(signal).joined(separator: " ")
            return """
                \(signal):
                \t-+SWIFT_BACKTRACE=enable=no timeout -s \(signal) 0.$${RANDOM:0:1}5 '\(Program.path)' \(words)
                """
        }
        let head = "SHELL := /bin/bash\nall: \(signals.joined(separator: " ")) whole\n"
        let whole =
            "whole:\n\t+'\(Program.path)' \(Self.arguments("whole", zoom: "18-19").joined(separator: " "))\n"
        try workshop.write((head + recipes.joined(separator: "\n") + "\n" + whole).utf8, to: "Makefile")
        // Without the variables of a make that runs the tests.
        let outcome = try Tool.run(
            "/usr/bin/env", ["-u", "MAKEFLAGS", "-u", "MFLAGS", "-u", "MAKELEVEL", "make", "-rR", "-j20"],
            in: workshop.url)
        #expect(outcome.status == 0 && workshop.has("whole/tilejson.json"), "\(outcome.errors)")
        // Make's own count at its end: "INTERNAL: Exiting with 2 jobserver tokens available; should be 4!"
        #expect(!outcome.errors.contains("jobserver"), "\(outcome.errors)")
    }

    @Test(
        "A pipe that make has closed changes nothing",
        arguments: ["3,4", "5,5", "-2,-2", "fifo:/nowhere", "rubbish"])
    func closed(pipe: String) throws {
        let workshop = try Workshop()
        let words = Self.arguments("out", zoom: "17") + ["--url", "https://example.org/", "--quiet"]
        let outcome = try Tool.run(
            "/bin/bash",
            ["-c", #"exec 5<> file; export MAKEFLAGS=" -j8 --jobserver-auth=$0"; "$@""#, pipe, Program.path]
                + words,
            in: workshop.url)
        #expect(outcome.status == 0 && outcome.errors.isEmpty && outcome.output.isEmpty, "\(outcome.errors)")
    }
}
