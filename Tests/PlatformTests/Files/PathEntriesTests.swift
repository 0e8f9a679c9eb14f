import Foundation
import TestSupport
import Testing

@testable import Platform

/// The names by which a file is found, in a folder `out` that has a link `elsewhere`.
struct PathEntriesTests {
    private let scratch: TemporaryDirectory

    init() throws {
        scratch = try TemporaryDirectory()
        let manager = FileManager.default
        for folder in ["out/a", "in"] {
            try manager.createDirectory(atPath: scratch.path(folder), withIntermediateDirectories: true)
        }
        try Data().write(to: scratch.url.appending(path: "out/a/b"))
        try Data().write(to: scratch.url.appending(path: "in/c"))
        for (link, target) in [
            ("elsewhere", "out"), ("in/to-b", "../out/a/b"), ("in/to-to-b", "to-b"), ("out/to-c", "../in/c"),
            ("out/to-a", "a"), ("in/loop", "loop"), ("out/absolute", scratch.path("in/c")),
            ("in/dangling", "none"),
        ] { try manager.createSymbolicLink(atPath: scratch.path(link), withDestinationPath: target) }
    }

    @Test(
        "Names of links and of the file are found, whatever path leads to the folder",
        arguments: [
            ("out/a/b", ["a/b"]), ("out/./a//b", ["a/b"]), ("in/../out/a/b", ["a/b"]),
            ("elsewhere/a/b", ["a/b"]),
            ("in/to-b", ["a/b"]), ("in/to-to-b", ["a/b"]), ("out/to-c", ["to-c"]),
            ("out/to-a/b", ["to-a", "a/b"]),
            ("out/absolute", ["absolute"]), ("in/c", []), ("in/loop", []), ("in/dangling", []),
            ("out/new", ["new"]),
            ("out/none/new", []), ("", []), ("out", []),
        ])
    func paths(path: String, expected: [String]) {
        for folder in ["out", "elsewhere", "out/a/.."] {
            #expect(PathEntries(scratch.path(path)).paths(below: scratch.path(folder)) == expected)
        }
        #expect(PathEntries(scratch.path(path)).paths(below: scratch.path("none")) == [])
    }

    @Test("Two paths to a file are the same by either kind of link")
    func sameFiles() throws {
        try FileManager.default.linkItem(atPath: scratch.path("in/c"), toPath: scratch.path("in/hard"))
        for (one, other, isSame) in [
            ("in/c", "in/hard", true), ("out/to-c", "in/hard", true), ("in/c", "out/a/b", false),
            ("in/none", "in/none", true), ("in/none", "in/c", false),
        ] {
            #expect(OutputFile.areSame(scratch.path(one), scratch.path(other)) == isSame)
        }
    }
}
