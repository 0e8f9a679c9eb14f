import Foundation
import Platform
@testable import Stores
import Synchronization
import TestSupport
import Testing

/// Answers that no honest server sends: nothing crashes or hangs, and no wrong byte passes.
struct HostileAnswerTests {
    private struct Answer {
        var name: String
        /// Which of open, read and download must fail: `o`, `r`, `d`.
        var failing: String
    }

    private static func answers() throws -> [Answer] {
        let outcome = try Tool.run(
            Python.path() ?? "python3", [TestServer.script("hostile_answers.py"), "--list"])
        return outcome.output.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            return Answer(name: String(words[0]), failing: String(words[1]))
        }
    }

    @Test(.needsPython()) func noAnswerPassesOrHangs() throws {
        let answers = try Self.answers()
        #expect(answers.count >= 60)
        let server = try TestServer("hostile_answers.py")
        let store = try TestServer.store(["TILEWRIGHT_TIMEOUT": "1"])
        let jobs = answers.flatMap { answer in "ord".map { (answer, $0) } }
        let run = Run(jobs: jobs)
        let group = DispatchGroup()
        // The answers take much time and no work: more threads than cores.
        for _ in 0..<48 {
            group.enter()
            Thread.detachNewThread {
                while let (answer, operation) = run.next() {
                    let start = ContinuousClock.now
                    let problem = Self.problem(answer, operation, store, server)
                    let seconds = (ContinuousClock.now - start).seconds
                    if let problem { run.note("\(answer.name) \(operation): \(problem)") }
                    if seconds > 40 { run.note("\(answer.name) \(operation): \(seconds) s") }
                }
                group.leave()
            }
        }
        group.wait()
        #expect(run.problems == [])
    }

    /// What threads share.
    private final class Run: Sendable {
        private let state: Mutex<(jobs: [(Answer, Character)], problems: [String])>

        init(jobs: [(Answer, Character)]) { state = Mutex((jobs, [])) }

        func next() -> (Answer, Character)? { state.withLock { $0.jobs.popLast() } }

        func note(_ problem: String) { state.withLock { $0.problems.append(problem) } }

        var problems: [String] { state.withLock { $0.problems } }
    }

    /// What is wrong with an operation on an answer; nil if all is well.
    private static func problem(
        _ answer: Answer, _ operation: Character, _ store: Store, _ server: TestServer
    ) -> String? {
        let version = StoredVersion(size: 1000, entityTag: "\"v\"")
        do {
            let address = try server.address(answer.name)
            let bytes: [UInt8]? =
                switch operation {
                case "o": try store.open(address, first: 100)?.head
                case "r": try store.bytes(0..<100, of: address, version)
                default: try store.downloaded(address, atMost: 100_000).1
                }
            if answer.failing.contains(operation) { return "it passes with \(bytes?.count ?? -1) bytes" }
            let right = [UInt8](repeating: UInt8(ascii: "x"), count: operation == "d" ? 1000 : 100)
            return bytes == right ? nil : "wrong bytes"
        } catch let failure as Failure {
            if !answer.failing.contains(operation) { return "\(failure)" }
            let isPlain = !failure.message.utf8.contains { $0 < 0x20 || $0 == 0x7F }
            return isPlain && failure.message.utf8.count < 600 ? nil : "the message is not a line: \(failure)"
        } catch { return "\(error)" }
    }
}
