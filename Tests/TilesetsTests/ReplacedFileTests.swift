import Diagnostics
import Foundation
import TestSupport
import Testing

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
}
