@testable import Platform
import Foundation
import TestSupport
import Testing

/// Files that other users may put into a directory before or while this process works there.
@Suite struct ForeignFileTests {
    private let scratch: TemporaryDirectory
    private let directory: Directory

    init() throws {
        scratch = try TemporaryDirectory()
        directory = try #require(try Directory.open(scratch.url.path))
        _ = try scratch.write("mine", to: "victim")
    }

    private func victim() throws -> String {
        try String(contentsOfFile: scratch.path("victim"), encoding: .utf8)
    }

    private func names() throws -> [String] { try directory.names().sorted() }

    /// Files that are not our own regular files.
    enum Plant: CaseIterable {
        case fifo, link, hardLink, file

        func put(at path: String, victim: String) {
            let result =
                switch self {
                case .fifo: mkfifo(path, 0o666)
                case .link: symlink(victim, path)
                case .hardLink: Foundation.link(victim, path)
                case .file:
                    FileManager.default.createFile(atPath: path, contents: Data("planted".utf8))
                        ? Int32(0) : -1
                }
            #expect(result == 0)
        }
    }

    @Test("mode and owner are set on the open file, even if its name leads to another file")
    func givesAccessToOpenFile() throws {
        _ = try scratch.write("old", to: "old")
        #expect(chmod(scratch.path("old"), 0o666) == 0 && chmod(scratch.path("victim"), 0o600) == 0)
        let file = try TemporaryFile(replacing: "old", in: directory)
        #expect(rename(scratch.path("victim"), file.path) == 0)
        #expect(throws: Failure.self) { try file.publish() }
        #expect(try directory.status(of: file.name)?.permissions == 0o600)
        #expect(try file.file.status().permissions == 0o666)
        #expect(try String(contentsOfFile: scratch.path("old"), encoding: .utf8) == "old")
    }

    @Test("a new file replaces an existing file, which is not written into", arguments: Plant.allCases)
    func writesNewFile(plant: Plant) throws {
        plant.put(at: scratch.path("partial"), victim: scratch.path("victim"))
        try directory.writeFile("partial", [1, 2])
        #expect(try directory.readFile("partial", most: 9) == [1, 2])
        #expect(try victim() == "mine")
    }

    @Test("only a regular file is read, and opening a pipe does not wait")
    func readsRegularFiles() throws {
        #expect(mkfifo(scratch.path("fifo"), 0o666) == 0)
        #expect(symlink("victim", scratch.path("link")) == 0)
        for name in ["fifo", "link"] {
            let reads: [() throws -> Void] = [
                { _ = try directory.readFile(name, most: 9) }, { _ = try directory.head(of: name, count: 9) },
            ]
            for read in reads {
                let failure = try #require(throws: Failure.self) { try read() }
                #expect(failure.message.hasSuffix("it is not a regular file") && failure.remedy != nil)
            }
        }
        for path in [scratch.path("fifo"), "/dev/null"] {
            #expect(throws: SystemError.notRegular) { _ = try FileDescriptor(reading: path) }
            #expect(throws: Failure.self) { _ = try WholeFile.found(path, atMost: 9) }
            let failure = try #require(throws: Failure.self) { try InputFile.first(of: ["/none", path]) }
            #expect(failure.kind == .missingInput)
        }
        // A path that the user typed may be a link; a file that is found by its name may be one if it is only
        // read.
        #expect(try WholeFile.found(scratch.path("link"), atMost: 4) == Array("mine".utf8))
        #expect(try InputFile.first(of: [scratch.path("link")]) == scratch.path("link"))
        #expect(throws: Failure.self) { _ = try WholeFile.found(scratch.path("link"), atMost: 3) }
        #expect(throws: Failure.self) { _ = try directory.readFile("victim", most: 3) }
    }

    @Test("every call refuses a path of several names")
    func oneName() throws {
        try #require(try directory.makeSubdirectory("sub")).writeFile("file", [1])
        let calls: [(String) throws -> Void] = [
            { _ = try directory.status(of: $0) }, { _ = try directory.subdirectory($0) },
            { _ = try directory.makeSubdirectory($0) }, { try directory.writeFile($0, []) },
            { _ = try directory.readFile($0, most: 9) }, { try directory.removeFile($0) },
            { try directory.removeEmptySubdirectory($0) }, { try directory.removeTree($0) },
            { try directory.touchFile($0) }, { try directory.flushFile($0) },
            { _ = try directory.moveFile($0, to: directory, as: "other") },
            { _ = try directory.moveFile("victim", to: directory, as: $0) },
            { try directory.copyFile($0, to: directory) },
            { _ = try FileLock.acquire($0, in: directory, for: "it") },
        ]
        for name in ["sub/file", "../x", "..", "/tmp", ""] {
            for call in calls { #expect(throws: Failure.self) { try call(name) } }
        }
        #expect(try names() == ["sub", "victim"])
    }

    @Test("a lock is a regular file; a link or a pipe is refused at once")
    func locks() throws {
        for plant in [Plant.fifo, .link] {
            plant.put(at: scratch.path("lock"), victim: scratch.path("victim"))
            let failure = try #require(throws: Failure.self) {
                _ = try FileLock.acquire("lock", in: directory, for: "it")
            }
            #expect(failure.kind == .outputRefused && failure.remedy != nil)
            #expect(throws: Failure.self) { try FileLock.checkIsFree("lock", in: directory, for: "it") }
            try directory.removeFile("lock")
        }
        Plant.file.put(at: scratch.path("lock"), victim: "")
        #expect(try FileLock.acquire("lock", in: directory, for: "it") != nil)
    }

    @Test("removal by a path from a document stays below the directory, and follows no link")
    func removesBelow() throws {
        let sub = try #require(try directory.makeSubdirectory("sub"))
        try sub.writeFile("file", [1])
        #expect(symlink(".", scratch.path("sub/here")) == 0)
        try directory.removeFile(at: #require(ContainedPath("sub/none")))
        try directory.removeFile(at: #require(ContainedPath("none/file")))
        #expect(throws: Failure.self) {
            try directory.removeFile(at: #require(ContainedPath("sub/here/file")))
        }
        #expect(try sub.status(of: "file") != nil)
        try directory.removeFile(at: #require(ContainedPath("sub/file")))
        #expect(try sub.status(of: "file") == nil)
    }

    // Temporary files

    @Test("temporary files have different names, and planted files are not touched")
    func temporaryFiles() throws {
        let files = try (0..<3).map { _ in try TemporaryFile(replacing: "plan", in: directory) }
        #expect(Set(files.map(\.name)).count == 3)
        for file in files { #expect(file.name.hasPrefix("plan.") && TemporaryFile.isOne(file.name)) }
        try files[0].file.write([7])
        files[1].discard()
        try files[0].publish()
        #expect(try directory.readFile("plan", most: 9) == [7])
        #expect(try names() == ["plan", "victim", files[2].name].sorted())
        files[2].discard()
    }

    @Test("files of killed runs are removed, but neither locked files nor those of other programs")
    func abandoned() throws {
        let live = try TemporaryFile(replacing: "plan", in: directory)
        let left = "plan.0123456789abcdef.tilewright-partial"
        let others = [
            "plan.0123456789ABCDEF.tilewright-partial", "plan.0123.tilewright-partial",
            "plan2.0123456789abcdef.tilewright-partial", "plan.tilewright-partial",
        ]
        for name in others + [left] { _ = try scratch.write("", to: name) }
        let fifo = "plan.1123456789abcdef.tilewright-partial"
        #expect(mkfifo(scratch.path(fifo), 0o666) == 0)
        try TemporaryFile.removeAbandoned(of: "plan", in: directory)
        #expect(try names() == (others + ["victim", live.name, fifo]).sorted())
        live.discard()
    }

    @Test("a name of 255 bytes has temporary files, too", arguments: ["x", "ü", "日"])
    func longName(character: String) throws {
        let name = String(repeating: character, count: 255 / character.utf8.count)
        let file = try TemporaryFile(replacing: name, in: directory)
        try file.file.write([1])
        try file.publish()
        #expect(try directory.readFile(name, most: 9) == [1])
        _ = try TemporaryFile(replacing: name, in: directory)
        try TemporaryFile.removeAbandoned(of: name, in: directory)
        #expect(try names().count == 2, "it is let go of, and was not locked any more")
    }

    // Modes and owners

    private func mode(_ name: String) throws -> UInt32? { try directory.status(of: name)?.permissions }

    @Test(
        "a replaced file keeps its mode, and a new file has the mode that umask leaves",
        arguments: [
            0o600, 0o640, 0o666, 0o444, 0o755,
        ])
    func keepsMode(permissions: Int) throws {
        let usual = try mode("victim")
        #expect(chmod(scratch.path("victim"), mode_t(permissions)) == 0)
        try WholeFile.write([1], to: scratch.path("victim"))
        #expect(try mode("victim") == UInt32(permissions))
        let new = try directory.makeFile("new")
        try new.write([2])
        try directory.giveAccess(of: "victim", to: new)
        #expect(try directory.moveFile("new", to: directory, as: "victim"))
        #expect(try mode("victim") == UInt32(permissions))
        #expect(try directory.readFile("victim", most: 9) == [2])
        try WholeFile.write([1], to: scratch.path("other"))
        #expect(try mode("other") == usual)
        // A link has no mode to keep.
        #expect(symlink("victim", scratch.path("link")) == 0)
        let file = try TemporaryFile(replacing: "link", in: directory)
        try file.publish()
        #expect(try mode("link") == usual)
    }

    @Test("other users cannot read the replacement of a private file while it is written")
    func privateWhileWritten() throws {
        #expect(chmod(scratch.path("victim"), 0o600) == 0)
        let file = try TemporaryFile(replacing: "victim", in: directory)
        #expect(try mode(file.name) == 0o600)
        try file.publish()
    }

    @Test(
        "root gives a file back to its owner", .enabled(if: geteuid() == 0, "only root may give a file away"))
    func keepsOwner() throws {
        #expect(chown(scratch.path("victim"), 65534, 65533) == 0)
        try WholeFile.write([1], to: scratch.path("victim"))
        let owner = try directory.status(of: "victim")?.owner
        #expect(owner == FileStatus.Owner(user: 65534, group: 65533))
        #expect(try directory.status(of: "victim")?.isOurs == false)
    }
}
