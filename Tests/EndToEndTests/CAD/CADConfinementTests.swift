import Foundation
import TestSupport
import Testing

/// What the process that reads CAD drawings cannot do.
@Suite(.needsCAD)
struct CADConfinementTests {
    #if os(Linux)
        @Test("The check reports that only drawing is allowed")
        func check() throws {
            let outcome = try Tool.run(CADEnvironment.program, ["--check"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            for what in ["network", "writing files", "other programs", "other processes"] {
                #expect(outcome.output.contains("\(what): forbidden\n"))
            }
            #expect(outcome.output.contains("threads: work\n"))
        }

        @Test("A drawing's folder and Python's can be read, and only open files can be written")
        func actions() throws {
            let scratch = try TemporaryDirectory()
            let outcome = try CADEnvironment.run("confined.py", [scratch.url.path])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let lines = outcome.output.split(separator: "\n").map(String.init)
            #expect(lines.filter { !$0.hasPrefix("read another") } == Self.expected)
            // A system without Landlock forbids none of these.
            let others = lines.filter { $0.hasPrefix("read another") }.map {
                $0.hasSuffix(": PermissionError")
            }
            #expect(others == [true, true, true] || others == [false, false, false])
            #expect(try Data(contentsOf: scratch.url.appending(path: "readable/file")) == Data("text".utf8))
            #expect(try scratch.files().filter { $0.hasPrefix("readable/") }.count == 3)
        }

        private static let expected = """
            threads: 1
            read in the folder: text
            list the folder: 4
            read an open file: OSError
            write a file that is open: writt
            write a new file: PermissionError
            write a file: PermissionError
            open the output by its name: PermissionError
            truncate a file: OSError
            remove a file: OSError
            rename a file: OSError
            make a folder: OSError
            make a link: OSError
            set permissions: OSError
            fork: PermissionError
            start a program: PermissionError
            use the network: OSError
            signal another process: OSError
            take too much memory: MemoryError
            raise the limit: ValueError
            compute: 8000000
            draw a picture: (2, 2)
            read a font: 2
            import a module: 3
            start a thread: allowed
            """.split(separator: "\n").map(String.init)
    #endif
}
