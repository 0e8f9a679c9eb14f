@testable import Platform
import Foundation
import TestSupport
import Testing

/// Files that are read and written as a whole, and streams.
@Suite struct WholeFileTests {
    private let scratch: TemporaryDirectory

    init() throws { scratch = try TemporaryDirectory() }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted()
    }

    @Test("a file is read as it was written, and replaces the old file")
    func readBack() throws {
        let path = scratch.path("file")
        #expect(try WholeFile.read(path) == nil)
        for bytes in [[1, 2, 3], [], [4]] as [[UInt8]] {
            try WholeFile.write(bytes, to: path)
            #expect(try WholeFile.read(path) == bytes)
            #expect(try names() == ["file"])
        }
    }

    @Test("a link stays, and its target is written")
    func link() throws {
        let path = scratch.path("link")
        try WholeFile.write([1], to: scratch.path("file"))
        #expect(symlink("file", path) == 0)
        try WholeFile.write([2], to: path)
        #expect(try WholeFile.read(scratch.path("file")) == [2])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "file")
    }

    @Test("a link or a pipe is refused if the user did not type the path")
    func untyped() throws {
        try WholeFile.write([1], to: scratch.path("file"))
        #expect(symlink("file", scratch.path("link")) == 0)
        #expect(mkfifo(scratch.path("fifo"), 0o666) == 0)
        for name in ["link", "fifo"] {
            let failure = try #require(throws: Failure.self) {
                try WholeFile.write([2], to: scratch.path(name), isTyped: false)
            }
            #expect(failure.kind == .outputRefused && failure.message.hasSuffix("it is not a regular file"))
        }
        #expect(try WholeFile.read(scratch.path("file")) == [1])
        try WholeFile.write([2], to: scratch.path("file"), isTyped: false)
        #expect(try WholeFile.read(scratch.path("file")) == [2])
    }

    @Test("a file that cannot be made is an error with a reason, and nothing is left")
    func refused() throws {
        #expect(symlink("none", scratch.path("lost")) == 0)
        try FileManager.default.createDirectory(
            atPath: scratch.path("directory/inner"), withIntermediateDirectories: true)
        let before = try names()
        for (name, reason) in [
            ("none/file", "there is no folder '\(scratch.path("none"))'"),
            ("lost", "it is a symbolic link to nothing"), ("directory", "is a directory"),
        ] {
            let path = scratch.path(name)
            let failure = try #require(throws: Failure.self) { try WholeFile.write([1], to: path) }
            #expect(failure.kind == .outputRefused)
            #expect(failure.message == "cannot write '\(path)': \(reason)")
            #expect(try names() == before)
        }
    }

    @Test("a file that cannot be read is a missing input")
    func unreadable() throws {
        for path in [scratch.path(String(repeating: "x", count: 300)), scratch.url.path] {
            let failure = try #require(throws: Failure.self) { _ = try WholeFile.read(path) }
            #expect(failure.kind == .missingInput)
            #expect(failure.message.hasPrefix("cannot read '\(path)': "))
            #expect(throws: Failure.self) { _ = try InputFile.bytes(of: path, atMost: 10) }
        }
    }

    @Test("a pipe is written to, and stays a pipe")
    func pipe() throws {
        let path = scratch.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let reader = try FileDescriptor(opening: path, flags: O_RDWR | O_NONBLOCK)
        try WholeFile.write([1, 2, 3], to: path)
        var bytes = [UInt8](repeating: 0, count: 3)
        #expect(try bytes.withUnsafeMutableBytes { try reader.read(into: $0) } == 3)
        #expect(bytes == [1, 2, 3])
        #expect(try names() == ["pipe"])
    }

    @Test("an open file is read to its end, in as many pieces as it comes in")
    func openPipe() throws {
        // Less than the capacity of a pipe, so that it can be filled before it is read, but in two pieces.
        let pipe = Pipe()
        let bytes = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
        try pipe.fileHandleForWriting.close()
        let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        #expect(try WholeFile.read(path) == bytes)
    }

    @Test("an endless stream is an error, and does not fill the memory")
    func endless() throws {
        let failure = try #require(throws: Failure.self) { _ = try WholeFile.read("/dev/zero") }
        #expect(failure.message == "cannot read '/dev/zero': file too large")
    }

    @Test("a number that is not an open file is an error")
    func closed() throws {
        let failure = try #require(throws: Failure.self) { try WholeFile.write([1], to: "/dev/fd/9999") }
        #expect(failure.message == "cannot write '/dev/fd/9999': bad file descriptor")
    }

    @Test(
        "some paths name open files",
        arguments: [
            ("/dev/stdout", true), ("/dev/stderr", true), ("/dev/fd/7", true), ("/dev/null", true),
            ("/proc/self/fd/3", true), ("/dev/fd/x", false), ("/dev/stdoutx", false), ("/", false),
        ])
    func streams(path: String, isStream: Bool) { #expect(WholeFile.isStream(path) == isStream) }

    @Test(
        "an error about a limit of the system says how to raise it",
        arguments: [
            (ENOSPC, Failure.Kind.inputOutput, "free some space"), (EFBIG, .inputOutput, "'ulimit -f'"),
            (EMFILE, .systemLimit, "'ulimit -n'"), (ENFILE, .systemLimit, "'ulimit -n'"),
        ])
    func remedies(code: Int32, kind: Failure.Kind, remedy: String) {
        let failure = SystemError(code: code).failure("write 'x'")
        #expect(failure.kind == kind && failure.remedy?.contains(remedy) == true)
        #expect(SystemError(code: EIO).failure("write 'x'").remedy == nil)
    }
}
