import Foundation
import TestSupport
import Testing

/// Whatever the system refuses, nothing is half done, and the same command succeeds once it is granted.
@Suite(.disabled(if: Program.isSanitized, "a sanitizer's own runtime ends without it"))
struct LimitTests {
    /// Runs a shell command in which `$0` is the program.
    private func shell(_ command: String, in workshop: Workshop) throws -> Tool.Outcome {
        try Tool.run("/bin/sh", ["-c", command, Program.path], in: workshop.url)
    }

    /// Runs under a limit and then without. The dynamic linker ends with 127; where the runtime of Swift or libdispatch are
    /// refused what they need, they end the program by a signal.
    private func check(_ limit: String, in workshop: Workshop) throws {
        let expected = try Snapshot(of: workshop.build(to: "expected")).contents
        // Under such a limit, Swift's program that prints a backtrace can wait for ever.
        let command =
            "export SWIFT_BACKTRACE=enable=no; ulimit -c 0; \(limit); "
            + "\"$0\" plan.png --bounds \(Workshop.bounds) -o out; exit $?"
        let outcome = try shell(command, in: workshop)
        // A shell says 128 and the number of the signal.
        let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGSEGV].map { 128 + $0 }
        #expect(([0, 71, 127] + signals).contains(outcome.status), "\(limit): \(outcome)")
        if outcome.status == 71 {
            let errors = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }
            #expect(errors.count == 1, "\(limit): \(outcome.errors)")
        }
        #expect(try Snapshot(of: workshop.build()).contents == expected)
    }

    #if os(Linux)
        @Test(
            "Memory that is not granted leaves nothing half done",
            arguments: [30, 45, 60, 80, 100, 130, 200, 400])
        func addresses(megabytes: Int) throws {
            try check("ulimit -v \(megabytes * 1000)", in: try Workshop())
        }
    #endif

    @Test("A low limit of open files leaves no partial output", arguments: [4, 5, 8, 12, 20, 26, 40])
    func files(count: Int) throws {
        try check("ulimit -n \(count)", in: try Workshop())
    }

    @Test("A file size limit is an error of one line", arguments: [0, 1])
    func fileSize(blocks: Int) throws {
        let workshop = try Workshop()
        let expected = try Snapshot(of: workshop.build(to: "expected")).contents
        // Counts of coverage would be cut off too, and could not be read.
        let outcome = try shell(
            "export LLVM_PROFILE_FILE=/dev/null; "
                + "(ulimit -f \(blocks); exec \"$0\" plan.png --bounds \(Workshop.bounds) -o out) 2>&1 | cat",
            in: workshop)
        #expect(outcome.output.hasPrefix("error: cannot write"), "\(outcome)")
        #expect(outcome.output.contains("file too large"))
        #expect(try Snapshot(of: workshop.build()).contents == expected)
    }

    @Test("A program has ended even if one that it started runs on")
    func leftBehind() throws {
        let start = ContinuousClock.now
        #expect(try Tool.run("/bin/sh", ["-c", "sleep 20 & exit 3"]).status == 3)
        #expect(ContinuousClock.now - start < .seconds(15))
    }

    @Test("A build continues if its messages are not read")
    func readerOfErrorsIsGone() throws {
        let workshop = try Workshop()
        let expected = try Snapshot(of: workshop.build(to: "expected")).contents
        let outcome = try shell(
            "{ \"$0\" plan.png --bounds \(Workshop.bounds) -o out --progress json; echo $? >s; }"
                + " 2>&1 >/dev/null | true; cat s", in: workshop)
        #expect(outcome.output == "0\n")
        #expect(try Snapshot(of: workshop.file("out")).contents == expected)
    }

    @Test("If a result cannot be written, the run ends with an error, not with a signal", .long)
    func readerOfResultsIsGone() throws {
        let outcome = try shell(
            "{ sleep 0.2; \"$0\" info plan.png --bounds \(Workshop.bounds); echo $? >s; } | true;"
                + " sleep 0.5; cat s", in: try Workshop())
        #expect(outcome.output == "74\n")
        #expect(outcome.errors.hasPrefix("error: cannot write to standard output: broken pipe"))
    }

    @Test("No file of the output gets the number of a stream that is closed")
    func closedStreams() throws {
        let workshop = try Workshop()
        let expected = try Snapshot(of: workshop.build(to: "expected")).contents
        for streams in ["<&-", "2>&-", ">&- 2>&-", "<&- 2>&-", "<&- >&- 2>&-"] {
            let outcome = try shell(
                "rm -rf out; \"$0\" plan.png --bounds \(Workshop.bounds) -o out --verbose "
                    + "--progress json \(streams)", in: workshop)
            #expect(outcome.status == 0)
            #expect(try Snapshot(of: workshop.file("out")).contents == expected, "\(streams)")
        }
    }

    @Test("The limit of open files is raised if the system allows it")
    func softLimit() throws {
        let outcome = try shell(
            "ulimit -S -n 20 && exec \"$0\" info plan.png --bounds \(Workshop.bounds)", in: try Workshop())
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test(
        "In a folder that somebody removed nothing can be made",
        arguments: [("out", 73, "no such file"), ("a.pmtiles", 75, "another program keeps removing it")]
            as [(String, Int32, String)])
    func removedFolder(output: String, status: Int32, reason: String) throws {
        let workshop = try Workshop()
        let outcome = try shell(
            """
            P=$PWD/plan.png; mkdir gone; cd gone; rmdir ../gone
            exec "$0" "$P" --bounds \(Workshop.bounds) -o \(output)
            """, in: workshop)
        #expect(outcome.status == status)
        #expect(
            outcome.errors.hasPrefix("error: cannot create ") && outcome.errors.contains(reason),
            "\(outcome.errors)")
    }
}
