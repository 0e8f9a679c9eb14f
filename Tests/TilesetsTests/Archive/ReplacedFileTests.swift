import Diagnostics
import Files
import Foundation
import TestSupport
import Testing
import Tiling

@testable import Tilesets

/// An archive takes its place only as it was written.
@Suite struct ReplacedFileTests {
    @Test("what somebody puts in the place of a temporary file is not published")
    func replaced() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("plan.pmtiles")
        let file = try ArchiveFile(path, force: false) { _ in true }
        try FileManager.default.removeItem(atPath: file.temporaryPath)
        _ = try directory.write("somebody else's", to: "plan.pmtiles.tilewright-partial")
        #expect(throws: Failure.self) { _ = try file.open() }
        #expect(throws: Failure.self) { try file.commit(fsync: false) }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a temporary file that is gone, or a link now, is not written to")
    func linked() throws {
        let directory = try TemporaryDirectory()
        let file = try ArchiveFile(directory.path("plan.pmtiles"), force: false) { _ in true }
        try FileManager.default.removeItem(atPath: file.temporaryPath)
        let gone = try #require(throws: Failure.self) { _ = try file.open() }
        #expect(gone.kind == .inputOutput && gone.message.hasSuffix("its temporary file is gone"))
        let victim = try directory.write("mine", to: "victim")
        #expect(symlink(victim, file.temporaryPath) == 0)
        let link = try #require(throws: Failure.self) { _ = try file.open() }
        #expect(link.kind == .outputRefused)
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "mine")
        try file.discard()
    }

    @Test("an archive whose folder is given another name meanwhile arrives there, and that is said")
    func moved() throws {
        let directory = try TemporaryDirectory()
        let file = try ArchiveFile(directory.path("a/plan.pmtiles"), force: false) { _ in true }
        try FileManager.default.moveItem(
            atPath: directory.path("a"), toPath: directory.path("b"))
        try file.open().write([1, 2, 3])
        let failure = try #require(throws: Failure.self) { try file.commit(fsync: false) }
        #expect(failure.kind == .inputOutput && failure.message.contains("moved or replaced"))
        let arrived = try Data(contentsOf: URL(filePath: directory.path("b/plan.pmtiles")))
        #expect(Array(arrived) == [1, 2, 3])
    }

    /// What can end a run after another one has begun.
    enum End: CaseIterable { case commit, announcement }

    @Test(
        "a run that fails leaves the file that another run has begun meanwhile",
        arguments: ArchiveKind.allCases, End.allCases)
    func otherRun(kind: ArchiveKind, end: End) throws {
        struct Untold: Error {}
        let site = try ArchiveSite(kind)
        let partial = site.path + ".tilewright-partial"
        var archive = try site.open()
        try archive.write(tile(3, 4, 2))
        let documents = ArchiveSite.documents(archive.contents, name: "plan")
        var other: ArchiveFile?
        #expect(throws: (any Error).self) {
            _ = try archive.finish(documents) { _ in
                try FileManager.default.removeItem(atPath: partial)
                other = try ArchiveFile(site.path, force: false) { _ in true }
                try other?.open().write([1, 2, 3])
                if end == .announcement { throw Untold() }
            }
        }
        #expect(try site.names() == ["plan.\(kind).tilewright-partial"])
        try #require(other).commit(fsync: false)
        #expect(try site.bytes == [1, 2, 3])
    }

    @Test(
        "an archive that cannot have its name leaves nothing", arguments: ArchiveKind.allCases)
    func takenName(kind: ArchiveKind) throws {
        let site = try ArchiveSite(kind)
        var archive = try site.open()
        try archive.write(tile(3, 4, 2))
        let documents = ArchiveSite.documents(archive.contents, name: "plan")
        #expect(throws: Failure.self) {
            _ = try archive.finish(documents) { _ in
                try FileManager.default.createDirectory(
                    atPath: site.path, withIntermediateDirectories: false)
            }
        }
        #expect(try site.names() == ["plan.\(kind)"])
    }

    @Test("what ended is not ended again, whoever has the name then")
    func endedOnce() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("plan.pmtiles")
        let file = try ArchiveFile(path, force: false) { _ in true }
        try file.commit(fsync: false)
        let next = try ArchiveFile(path, force: false) { _ in true }
        try file.discard()
        try next.open().write([1])
        try next.commit(fsync: false)
        #expect(try Array(Data(contentsOf: URL(filePath: path))) == [1])
    }
}
