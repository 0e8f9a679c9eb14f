@testable import Platform
import Foundation
import TestSupport
import Testing

/// Calls that find something else than expected. The expected errors are those of POSIX.
@Suite struct DirectoryTests {
    private let scratch: TemporaryDirectory
    private let directory: Directory
    /// A name that is too long for every file system: NAME_MAX is 255.
    private let longName = String(repeating: "x", count: 300)

    init() throws {
        scratch = try TemporaryDirectory()
        directory = try #require(try Directory.open(scratch.url.path))
    }

    /// The kind of a failure, and its text after the last colon.
    private func failure(_ body: () throws -> Void) throws -> (kind: Failure.Kind, reason: String) {
        let failure = try #require(throws: Failure.self) { try body() }
        let reason = failure.message.components(separatedBy: ": ").last ?? ""
        #expect(failure.message.hasPrefix("cannot ") && failure.message.contains("'"))
        return (failure.kind, reason)
    }

    @Test("a missing file is nil or false, not an error")
    func absent() throws {
        #expect(try Directory.open(scratch.path("none")) == nil)
        #expect(try directory.subdirectory("none") == nil)
        #expect(try directory.status(of: "none") == nil)
        #expect(try directory.readFile("none", most: 1 << 20) == nil)
        #expect(try !directory.removeFile("none"))
        #expect(try !directory.removeEmptySubdirectory("none"))
        #expect(try !directory.moveFile("none", to: directory, as: "other"))
        try directory.touchFile("none")
        try directory.removeTree("none")
        #expect(try directory.names().isEmpty)
    }

    @Test("a name that is too long is an error of each call, which says what was tried")
    func tooLong() throws {
        let name = longName
        let calls: [(String, () throws -> Void)] = [
            // If it cannot be opened, its status is read, to report why.
            ("look up", { _ = try directory.subdirectory(name) }),
            ("create folder", { _ = try directory.makeSubdirectory(name) }),
            ("look up", { _ = try directory.status(of: name) }),
            ("write", { try directory.writeFile(name, []) }),
            ("read", { _ = try directory.readFile(name, most: 1 << 20) }),
            ("write", { _ = try directory.moveFile("a", to: directory, as: name) }),
            ("set the time of", { try directory.touchFile(name) }),
            ("remove", { try directory.removeFile(name) }),
            ("remove folder", { try directory.removeEmptySubdirectory(name) }),
            ("flush", { try directory.flushFile(name) }),
        ]
        try directory.writeFile("a", [1])
        for (attempt, call) in calls {
            let failure = try #require(throws: Failure.self) { try call() }
            #expect(failure.kind == .outputRefused, "\(attempt)")
            #expect(failure.message.hasPrefix("cannot \(attempt) '\(scratch.url.path)/"), "\(failure)")
            #expect(failure.message.contains(": file name too long"), "\(failure)")
        }
    }

    @Test("a file in the place of a directory is refused, and so is a link")
    func wrongKind() throws {
        try directory.writeFile("file", [1, 2])
        #expect(symlink("file", scratch.path("link")) == 0)
        #expect(symlink("none", scratch.path("lost")) == 0)
        #expect(
            try failure { _ = try directory.subdirectory("file") } == (.outputRefused, "not a directory"))
        #expect(
            try failure { _ = try directory.subdirectory("link") }
                == (.outputRefused, "it is a symbolic link"))
        #expect(
            try failure { _ = try Directory.open(scratch.path("lost")) }
                == (.outputRefused, "it is a symbolic link to nothing"))
        // A link is not followed when it is read, and has its own time.
        #expect(try failure { _ = try directory.readFile("link", most: 1 << 20) }.kind == .outputRefused)
        try directory.touchFile("lost")
        #expect(try directory.readFile("file", most: 1 << 20) == [1, 2])
    }

    @Test("a directory is not removed as a file, nor one that is not empty")
    func removal() throws {
        let inner = try #require(try directory.makeSubdirectory("a"))
        try inner.writeFile("file", [1])
        #expect(throws: Failure.self) { try directory.removeFile("a") }
        #expect(try !directory.removeEmptySubdirectory("a"))
        #expect(try inner.readFile("file", most: 1 << 20) == [1])
        // Everything in a tree is removed: a file, a link but not its target, a directory.
        #expect(symlink("a", scratch.path("link")) == 0)
        try directory.removeTree("link")
        #expect(try inner.readFile("file", most: 1 << 20) == [1])
        try directory.writeFile("file", [2])
        try directory.removeTree("file")
        try directory.removeTree("a")
        #expect(try directory.names().isEmpty)
    }

    @Test("nothing can be made in a directory that was removed")
    func removedDirectory() throws {
        let inner = try #require(try directory.makeSubdirectory("a"))
        #expect(inner.isInPlace)
        try directory.removeTree("a")
        #expect(!inner.isInPlace)
        #expect(try inner.makeSubdirectory("b") == nil)
        try directory.writeFile("file", [1])
        #expect(try !directory.moveFile("file", to: inner, as: "file"))
        #expect(throws: Failure.self) { try inner.checkPlace(of: "out") }
    }

    @Test(
        "a file is copied to another disk",
        .enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm"), "there is no other disk"))
    func otherDisk() throws {
        let folder = "/dev/shm/tilewright-\(UUID())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let other = try #require(try Directory.open(folder))
        // More than is copied at a time.
        let bytes = (0..<(1 << 20) + 5).map { UInt8(truncatingIfNeeded: $0 * 7) }
        try directory.writeFile("a", bytes)
        try directory.copyFile("a", to: other)
        #expect(try other.readFile("a", most: 2 << 20) == bytes)
        #expect(try other.names() == ["a"])
        // It is another file.
        try directory.writeFile("a", [1])
        #expect(try other.readFile("a", most: 2 << 20) == bytes)
    }

    @Test("a file that is missing or a link is not copied, and leaves nothing behind")
    func noCopy() throws {
        let other = try #require(try directory.makeSubdirectory("other"))
        #expect(symlink("file", scratch.path("link")) == 0)
        for (name, reason) in [("none", "no such file or directory"), ("link", "not a regular file")] {
            let found = try failure { try directory.copyFile(name, to: other) }
            #expect(found.reason.hasSuffix(reason), "\(found)")
        }
        #expect(try other.names().isEmpty)
    }

    @Test("the time of another file is copied if that file exists")
    func time() throws {
        try directory.writeFile("old", [1])
        let new = try directory.makeFile("new")
        let past = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes(
            [.modificationDate: past], ofItemAtPath: scratch.path("old"))
        try directory.copyTime(of: "none", to: new)
        try directory.copyTime(of: "old", to: new)
        let attributes = try FileManager.default.attributesOfItem(atPath: scratch.path("new"))
        #expect(attributes[.modificationDate] as? Date == past)
        #expect(try failure { try directory.flushFile("none") }.reason == "no such file or directory")
    }
}

/// Locks on files; flock(2).
@Suite struct FileLockTests {
    private let scratch: TemporaryDirectory
    private let directory: Directory

    init() throws {
        scratch = try TemporaryDirectory()
        directory = try #require(try Directory.open(scratch.url.path))
    }

    @Test("while one run holds a lock, all others fail with its owner")
    func busy() throws {
        let lock = try #require(try FileLock.acquire("lock", in: directory, for: "the tiles"))
        for attempt in [
            { _ = try FileLock.acquire("lock", in: directory, for: "the tiles") },
            { try FileLock.checkIsFree("lock", in: directory, for: "the tiles") },
        ] {
            let failure = try #require(throws: Failure.self) { try attempt() }
            #expect(failure.kind == .busy && failure.message == "another run is writing the tiles")
        }
        lock.release()
        try FileLock.checkIsFree("lock", in: directory, for: "the tiles")
        #expect(try FileLock.acquire("lock", in: directory, for: "the tiles") != nil)
    }

    @Test(
        "a lock file that cannot be made is an error that says so",
        .enabled(if: getuid() != 0, "root may read every file"))
    func forbidden() throws {
        try #require(chmod(scratch.url.path, 0o555) == 0)
        defer { chmod(scratch.url.path, 0o755) }
        let failure = try #require(throws: Failure.self) {
            _ = try FileLock.acquire("lock", in: directory, for: "the tiles")
        }
        #expect(failure.kind == .outputRefused && failure.message.hasSuffix("permission denied"))
    }

    @Test("a lock is on a file, not on its name")
    func replaced() throws {
        let lock = try #require(try FileLock.acquire("lock", in: directory, for: "the tiles"))
        #expect(try lock.isStill("lock", in: directory))
        try directory.removeFile("lock")
        #expect(try !lock.isStill("lock", in: directory))
        try directory.writeFile("lock", [])
        #expect(try !lock.isStill("lock", in: directory))
    }

    @Test("a link is not locked, and there is no lock if its file cannot be made")
    func refused() throws {
        #expect(symlink("file", scratch.path("link")) == 0)
        for attempt in [
            { _ = try FileLock.acquire("link", in: directory, for: "the tiles") },
            { try FileLock.checkIsFree("link", in: directory, for: "the tiles") },
        ] {
            let failure = try #require(throws: Failure.self) { try attempt() }
            #expect(failure.message.hasPrefix("cannot lock '\(scratch.url.path)/link': "))
        }
        try FileLock.checkIsFree("none", in: directory, for: "the tiles")
        let inner = try #require(try directory.makeSubdirectory("a"))
        try directory.removeTree("a")
        #expect(try FileLock.acquire("lock", in: inner, for: "the tiles") == nil)
    }
}
