#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// What the system shows of itself is not everywhere: a chroot, or a container that was hardened, has no /proc.
    @Suite(
        .enabled(if: mayHide, "this process may not mount a file system"),
        .disabled(if: Program.isSanitized, "a sanitizer reads /proc itself"))
    struct WithoutProcTests {
        private let workshop: Workshop

        init() throws { workshop = try Workshop() }

        /// Runs a shell command in which `$0` is the program and nothing is in some folders; files of this program that
        /// the command leaves are there afterwards.
        private func shell(_ command: String, hiding folders: String = "/proc") throws -> Tool.Outcome {
            let hidden = folders.split(separator: " ").map { "mount -t tmpfs none \($0) && " }.joined()
            return try Tool.run(
                "unshare", ["-m", "/bin/sh", "-c", hidden + command, Program.path], in: workshop.url)
        }

        @Test("The words of the command line are read, and the same is built")
        func build() throws {
            let expected = try workshop.build(to: "expected")
            let outcome = try shell(
                "\"$0\" plan.png --bounds \(Workshop.bounds) -o out && \"$0\" plan.png --bounds \(Workshop.bounds) "
                    + "-o a.pmtiles --memory 1K && \"$0\" info out && \"$0\" verify a.pmtiles")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.hasPrefix("tileset    out: a folder\n"), "\(outcome.output)")
            #expect(try Snapshot(of: workshop.file("out")) == Snapshot(of: expected))
            let names = try FileManager.default.contentsOfDirectory(atPath: workshop.url.path)
            #expect(names.sorted() == ["a.pmtiles", "expected", "out", "plan.png"])
        }

        @Test(
            "Help, versions and completions are those of other systems; what is not UTF-8 is refused",
            arguments: [
                "\"$0\" --help", "\"$0\" help build", "\"$0\" --version", "\"$0-serve\" --version",
                "\"$0\" --generate-completion-script bash", "\"$0-serve\" --help", "\"$0\" nonsense",
                "\"$0\" build --nonsense", "\"$0\" \"$(printf 'caf\\351.png')\"",
                "test ! -e \"$0-render\" || \"$0-render\" --version",
            ].some(4))
        func words(command: String) throws {
            let usual = try Tool.run("/bin/sh", ["-c", command, Program.path], in: workshop.url)
            let hidden = try shell(command)
            #expect(hidden.status == usual.status)
            #expect(hidden.output == usual.output)
            #expect(hidden.errors == usual.errors)
        }

        @Test("Programs next to the program are found there", .needsServer)
        func serveFound() throws {
            try workshop.build()
            let outcome = try shell(
                """
                (timeout 20 "$0" serve out --listen 127.0.0.1:0 2>&1 & echo $! >pid; wait $!) | \
                while read -r line; do echo "$line"; case "$line" in listening*) kill $(cat pid) ;; esac; done
                """)
            #expect(outcome.output.contains("listening on http://127.0.0.1:"), "\(outcome)")
        }

        // libdispatch looks for its threads in /proc as soon as it has some: one run in forty ended with 70.
        @Test("Commands that take threads at once have them", arguments: (1...20).some(1))
        func threads(turn: Int) throws {
            try workshop.build(to: "expected")
            let outcome = try shell("for i in 1 2 3 4 5; do \"$0\" info expected || exit $?; done")
            #expect(outcome.status == 0, "\(outcome.errors)")
        }

        @Test(
            "Documents are drawn, also where there is no /dev", .needsRenderer,
            arguments: ["/proc", "/proc /dev"].some(1))
        func drawnDocuments(folders: String) throws {
            let drawing =
                "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='200'>"
                + "<rect width='200' height='100' fill='red'/></svg>"
            try workshop.write(drawing.utf8, to: "plan.svg")
            let expected = try workshop.build(of: "plan.svg", to: "expected")
            let outcome = try shell(
                "\"$0\" plan.svg --bounds \(Workshop.bounds) -o out", hiding: folders)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try Snapshot(of: workshop.file("out")) == Snapshot(of: expected))
        }

        @Test("Points come from standard input")
        func standardInput() throws {
            try workshop.write(
                ([SavedRows.header] + SavedRows.rows).joined(separator: "\n").utf8, to: "saved.points")
            let outcome = try shell("cat saved.points | \"$0\" place plan.png --take -")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(workshop.has("plan.png.points"))
        }
    }

    /// Whether we may hide a folder from a process of ours: root may, though not in most containers.
    private let mayHide =
        (try? Tool.run("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/proc"]).status) == 0
#endif
