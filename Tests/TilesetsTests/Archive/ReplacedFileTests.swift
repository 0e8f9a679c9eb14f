import Platform
import Foundation
import TestSupport
import Testing
import Tiling

@testable import Tilesets

/// An archive takes its place only as it was written.
@Suite struct ReplacedFileTests {
    @Test("a file that replaces the temporary file is not published")
    func replaced() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("plan.pmtiles")
        let file = try ArchiveFile(path, force: false) { _ in true }
        let temporary = try file.temporary()
        try FileManager.default.removeItem(atPath: temporary.path)
        _ = try directory.write("somebody else's", to: temporary.name)
        #expect(throws: Failure.self) { try file.commit(fsync: false) }
        #expect(try directory.files() == [temporary.name])
    }

    @Test("a temporary file that was removed or replaced by a link is not published")
    func linked() throws {
        let directory = try TemporaryDirectory()
        for isLink in [false, true] {
            let file = try ArchiveFile(directory.path("plan.pmtiles"), force: false) { _ in true }
            let temporary = try file.temporary()
            try FileManager.default.removeItem(atPath: temporary.path)
            let victim = try directory.write("mine", to: "victim")
            if isLink { #expect(symlink(victim, temporary.path) == 0) }
            try temporary.file.write([1, 2, 3])
            let gone = try #require(throws: Failure.self) { try file.commit(fsync: false) }
            #expect(gone.kind == .inputOutput && gone.message.hasSuffix("its temporary file is gone"))
            #expect(try String(contentsOfFile: victim, encoding: .utf8) == "mine")
            if isLink { try FileManager.default.removeItem(atPath: temporary.path) }
        }
        #expect(try directory.files() == ["victim"])
    }

    @Test("a file planted under the name of the lock or of a temporary file becomes no archive")
    func planted() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("plan.pmtiles")
        // An earlier version wrote into a file of this name; it is a lock, of whatever content.
        let lock = try directory.write("planted", to: "plan.pmtiles.tilewright-partial")
        #expect(chmod(lock, 0o666) == 0)
        _ = try directory.write("planted", to: "plan.pmtiles.0123456789abcdef.tilewright-partial")
        let file = try ArchiveFile(path, force: false) { _ in true }
        #expect(try directory.files() == ["plan.pmtiles.tilewright-partial"])
        try file.temporary().file.write([1])
        try file.commit(fsync: false)
        #expect(try directory.files() == ["plan.pmtiles"])
        let usual = FileStatus(at: try directory.write("", to: "usual"))
        #expect(FileStatus(at: path)?.permissions == usual?.permissions)
        try directory.remove("usual")

        for plant in [{ mkfifo($0, 0o666) }, { symlink("plan.pmtiles", $0) }, { mkdir($0, 0o777) }] {
            #expect(plant(lock) == 0)
            let failure = try #require(throws: Failure.self) {
                try ArchiveFile(path, force: false) { _ in true }
            }
            #expect(failure.kind == .outputRefused && failure.message.contains("it is not a regular file"))
            #expect(remove(lock) == 0)
        }
    }

    @Test("an archive whose folder is renamed meanwhile is written there, with an error")
    func moved() throws {
        let directory = try TemporaryDirectory()
        let file = try ArchiveFile(directory.path("a/plan.pmtiles"), force: false) { _ in true }
        try FileManager.default.moveItem(
            atPath: directory.path("a"), toPath: directory.path("b"))
        try file.temporary().file.write([1, 2, 3])
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
                try other?.temporary().file.write([1, 2, 3])
                if end == .announcement { throw Untold() }
            }
        }
        let names = try site.names()
        #expect(names.count == 2 && names.contains("plan.\(kind).tilewright-partial"))
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

    @Test("a run that ended is not ended again, even if another run has the name")
    func endedOnce() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("plan.pmtiles")
        let file = try ArchiveFile(path, force: false) { _ in true }
        try file.commit(fsync: false)
        let next = try ArchiveFile(path, force: false) { _ in true }
        file.discard()
        try next.temporary().file.write([1])
        try next.commit(fsync: false)
        #expect(try Array(Data(contentsOf: URL(filePath: path))) == [1])
    }
}
