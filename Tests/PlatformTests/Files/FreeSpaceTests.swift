import Foundation
import TestSupport
import Testing

@testable import Platform

@Suite struct FreeSpaceTests {
    @Test(
        "what is free is what stat says, also for a path that is not there yet", .needs("stat"))
    func free() throws {
        let directory = try TemporaryDirectory()
        let outcome = try Tool.run("stat", ["-f", "-c", "%a %S %d", directory.url.path])
        let numbers = outcome.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(numbers.count == 3)
        for path in ["", "a", "a/b/c.pmtiles"] {
            let free = try #require(FreeSpace(at: directory.path(path)))
            // Other programs write meanwhile.
            let expected = Double(numbers[0] * numbers[1])
            #expect(abs(Double(free.bytes) - expected) < 0.1 * expected + 1e8)
            #expect((free.files == nil) == (numbers[2] == 0))
        }
    }

    @Test("free space below a file is that next to it, and unknown without a path")
    func noDirectory() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("x", to: "file")
        #expect(FreeSpace(at: file + "/a/b")?.device == FreeSpace(at: directory.url.path)?.device)
        #expect(FreeSpace(at: directory.path(String(repeating: "x", count: 300))) == nil)
    }

    @Test(
        "a file system that does not count its files has no limit for them",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self"), "there is no /proc"))
    func uncounted() throws {
        let outcome = try Tool.run("stat", ["-f", "-c", "%c", "/proc"])
        try #require(outcome.output == "0\n")
        let free = try #require(FreeSpace(at: "/proc"))
        #expect(free.files == nil)
    }
}
