import Foundation
import TestSupport
import Testing

/// Results that do not arrive are errors, and closed streams do no harm.
struct StandardStreamTests {
    /// Runs a shell command in which `$0` is the program.
    private func shell(_ command: String, in workshop: Workshop) throws -> Tool.Outcome {
        try Tool.run("/bin/sh", ["-c", command, Program.path], in: workshop.url)
    }

    @Test(
        "A result that cannot be written is an error",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"),
        arguments: [
            ("info plan.png", "> /dev/full"), ("plan.png -o out --dry-run", "> /dev/full"),
            ("info plan.png", ">&-"), ("plan.png -o out --dry-run", "<&- >&-"),
        ])
    func lostResult(command: String, redirection: String) throws {
        let workshop = try Workshop()
        let outcome = try shell(
            "\"$0\" \(command) --bounds \(Workshop.bounds) \(redirection)", in: workshop)
        #expect(outcome.status == 74)
        #expect(outcome.errors.hasPrefix("error: cannot write to standard output: "))
        #expect(!workshop.has("out"))
    }

    @Test(
        "So are the program's own reports",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"),
        arguments: [
            "--help", "-h", "help", "help build", "build --help", "build -h", "--version",
            "--version --verbose",
            "--generate-completion-script bash", "--generate-completion-script zsh",
            "--generate-completion-script=fish", "--generate-completion-script", "--experimental-dump-help",
            "build --help-hidden", "---completion verify --", "snippet --help", "serve --help",
        ].some(4))
    func lostHelp(words: String) throws {
        let workshop = try Workshop()
        for program in [Program.path, Program.path + "-serve"] {
            let usual = try Tool.run(
                "/bin/sh", ["-c", "SHELL=/bin/bash \"$0\" \(words)", program], in: workshop.url)
            // The server is one command, and does not know all of these.
            if usual.status != 0 || usual.output.isEmpty { continue }
            let outcome = try Tool.run(
                "/bin/sh", ["-c", "SHELL=/bin/bash \"$0\" \(words) > /dev/full", program], in: workshop.url)
            #expect(outcome.status == 74)
            #expect(
                outcome.errors == "error: cannot write to standard output: no space left on device\n",
                "\(outcome.errors)")
        }
    }

    @Test(
        "So are the renderer's own reports", .needsRenderer,
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"),
        arguments: ["--help", "--version", "--check", "--nonsense"])
    func rendererNotice(word: String) throws {
        let outcome = try shell("\"$0-render\" \(word) > /dev/full", in: Workshop())
        #expect(outcome.status == 74)
        // When coverage is measured, the renderer says that its sandbox forbids the file of counts.
        let errors = outcome.errors.split(separator: "\n").filter { !$0.hasPrefix("LLVM Profile Error") }
        #expect(
            errors == ["error: cannot write to standard output: no space left on device"],
            "\(outcome.errors)")
    }

    @Test(
        "If faults cannot be printed, the run ends with an error of the streams",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
    func lostFaults() throws {
        let workshop = try Workshop()
        try workshop.build()
        for name in ["a", "b"] { try workshop.write([1], to: "out/\(name)") }
        let outcome = try shell("\"$0\" verify out > /dev/full", in: workshop)
        #expect(outcome.status == 74)
        let errors = outcome.errors.split(separator: "\n")
        #expect(errors == ["error: cannot write to standard output: no space left on device"])
    }

    @Test("A build with all streams closed makes the same files")
    func closedStreams() throws {
        let workshop = try Workshop()
        let expected = try workshop.build(to: "expected")
        let outcome = try shell(
            "\"$0\" plan.png --bounds \(Workshop.bounds) -o out --progress json <&- >&- 2>&-",
            in: workshop)
        #expect(outcome.status == 0)
        #expect(try Snapshot(of: workshop.file("out")) == Snapshot(of: expected))
    }
}
