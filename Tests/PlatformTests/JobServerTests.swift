import Foundation
import Platform
import Synchronization
import TestSupport
import Testing

/// Jobs that several processes share. The test is the make: it fills a pipe with tokens and counts them.
struct JobServerTests {
    /// A make with some tokens, whose pipe has a name.
    private final class Make: Sendable {
        let flags: String
        let tokens: [UInt8]
        private let scratch: TemporaryDirectory
        private let file: Int32

        init(tokens count: Int, name: String = "pipe") throws {
            scratch = try TemporaryDirectory()
            tokens = (0..<count).map { UInt8(97 + $0) }
            try #require(mkfifo(scratch.path(name), 0o600) == 0)
            file = open(scratch.path(name), O_RDWR | O_NONBLOCK)
            let path = scratch.path(name).replacingOccurrences(of: " ", with: "\\ ")
            flags = "k -j --jobserver-auth=fifo:\(path) -- X=--jobserver-auth=3,4"
            add(tokens)
        }

        func add(_ tokens: [UInt8]) { #expect(write(file, tokens, tokens.count) == tokens.count) }

        deinit { close(file) }

        var server: JobServer { get throws { try #require(JobServer(makeFlags: flags)) } }

        /// The number of tokens in the pipe.
        var count: Int {
            var count: Int32 = 0
            #expect(ioctl(file, UInt(FIONREAD), &count) == 0)
            return Int(count)
        }

        /// Takes all tokens out of the pipe, and expects them to be the first ones.
        func expectAll(sourceLocation: SourceLocation = #_sourceLocation) {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = max(0, read(file, &bytes, 64))
            #expect(bytes.prefix(count).sorted() == tokens, sourceLocation: sourceLocation)
        }
    }

    /// Units at work.
    private final class Units: Sendable {
        private let counts = Mutex((now: 0, most: 0, done: 0))
        private let over = Atomic(false)
        /// Whether units that wait shall end.
        var isOver: Bool { over.load(ordering: .relaxed) }
        var now: Int { counts.withLock(\.now) }
        var most: Int { counts.withLock(\.most) }
        var done: Int { counts.withLock(\.done) }

        func finish() { over.store(true, ordering: .relaxed) }

        func begin() {
            counts.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
            }
        }

        func end() {
            counts.withLock { counts in
                counts.now -= 1
                counts.done += 1
            }
        }
    }

    /// Waits for something, at most ten seconds.
    private static func wait(until condition: () -> Bool) async throws {
        for _ in 0..<10_000 where !condition() { try await Task.sleep(for: .milliseconds(1)) }
        #expect(condition())
    }

    @Test(
        "as many units as tokens and one more for each process, and all tokens come back",
        arguments: [0, 1, 3, 20])
    func sharing(tokens: Int) async throws {
        let make = try Make(tokens: tokens, name: "a pipe")
        // Two servers in one process are two processes for the make.
        let servers = [try make.server, try make.server]
        let units = Units()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<400 {
                group.addTask {
                    try await servers[number % 2].with {
                        units.begin()
                        await Task.yield()
                        units.end()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(units.done == 400 && units.most <= tokens + 2)
        make.expectAll()
    }

    @Test("a unit begins when another process gives its token back, and takes none while it runs alone")
    func later() async throws {
        let make = try Make(tokens: 0)
        let (server, units) = (try make.server, Units())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    try await server.with {
                        units.begin()
                        try await Self.wait { units.isOver }
                        units.end()
                    }
                }
            }
            try await Self.wait { units.now == 1 }
            try await Task.sleep(for: .milliseconds(50))
            #expect(units.now == 1)
            make.add([120, 121])
            try await Self.wait { units.now == 2 }
            #expect(make.count == 1)
            units.finish()
            try await group.waitForAll()
        }
        #expect(make.count == 2)
    }

    @Test("tokens come back after errors, and a cancelled task waits no longer")
    func errors() async throws {
        struct Problem: Error {}
        let make = try Make(tokens: 1)
        let (server, units) = (try make.server, Units())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await #expect(throws: Problem.self) {
                        try await server.with {
                            await Task.yield()
                            throw Problem()
                        }
                    }
                }
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    try await server.with {
                        units.begin()
                        try await Self.wait { units.isOver }
                    }
                }
            }
            try await Self.wait { units.now == 2 }
            let waiting = Task { try await server.with {} }
            try await Task.sleep(for: .milliseconds(20))
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            units.finish()
            try await group.waitForAll()
        }
        // Nobody waits, so the token stays where it is.
        try await Task.sleep(for: .milliseconds(20))
        make.expectAll()
    }

    @Test(
        "a loop runs on as many threads as there are tokens, and once for each number", arguments: [0, 1, 5])
    func loop(tokens: Int) throws {
        let make = try Make(tokens: tokens)
        let server: JobServer? = try make.server
        let units = Units()
        let sum = Atomic(0)
        server.concurrentPerform(iterations: 100) { number in
            units.begin()
            usleep(100)
            sum.wrappingAdd(number, ordering: .relaxed)
            units.end()
        }
        #expect(units.done == 100 && sum.load(ordering: .relaxed) == 4950 && units.most <= tokens + 1)
        make.expectAll()
    }

    #if os(Linux)
        @Test("an inherited pipe stays as it is, and the last option counts")
        func inherited() async throws {
            var numbers: [Int32] = [0, 0]
            try #require(pipe(&numbers) == 0)
            defer { numbers.forEach { close($0) } }
            #expect(write(numbers[1], "+", 1) == 1)
            let flags = fcntl(numbers[0], F_GETFL)
            for option in ["auth", "fds"] {
                let text = " -j2 --jobserver-auth=-2,-2 --jobserver-\(option)=\(numbers[0]),\(numbers[1])"
                let server = try #require(JobServer(makeFlags: text))
                #expect(server.withTokens(atMost: 2) { $0 } == 1)
                #expect(fcntl(numbers[0], F_GETFL) == flags && flags & O_NONBLOCK == 0)
            }
            #expect(
                JobServer(makeFlags: "--jobserver-auth=\(numbers[0]),\(numbers[1]) --jobserver-auth=-2,-2")
                    == nil)
        }
    #endif

    @Test("what is no pipe of a make is passed over")
    func unusable() throws {
        let scratch = try TemporaryDirectory()
        // Nobody reads from it.
        try #require(mkfifo(scratch.path("dead"), 0o600) == 0)
        var (one, other): ([Int32], [Int32]) = ([0, 0], [0, 0])
        try #require(pipe(&one) == 0 && pipe(&other) == 0)
        let file = open(try scratch.write("++", to: "file"), O_RDWR)
        defer { (one + other + [file]).forEach { close($0) } }
        let pairs = [
            "\(one[0]),\(other[1])", "\(one[1]),\(one[0])", "\(one[0]),\(one[0])", "\(one[1]),\(one[1])",
            "\(file),\(file)", "\(one[0]),\(file)", "\(file),\(one[1])", "\(one[0]),4000", "4000,4001",
            "-1,-1",
            "-2,-2", "", ",", "\(one[0])", "\(one[0]),\(one[1]),5", "a,b", "99999999999,3", "fifo:",
            "fifo:/dev/null", "fifo:" + scratch.path("file"), "fifo:" + scratch.path("dead"),
            "fifo:" + scratch.path("none"), "fifo:" + scratch.url.path, "sem:name",
        ]
        for pair in pairs { #expect(JobServer(makeFlags: "-j --jobserver-auth=\(pair)") == nil, "\(pair)") }
        for flags in [
            "", "n", "-- --jobserver-auth=\(one[0]),\(one[1])", "jobserver-auth=\(one[0]),\(one[1])",
        ] {
            #expect(JobServer(makeFlags: flags) == nil, "\(flags)")
        }
    }
}
