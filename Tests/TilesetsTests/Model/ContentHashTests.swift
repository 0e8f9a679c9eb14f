@testable import Platform
import Foundation
import TestSupport
import Testing

@testable import Tilesets

/// Expected values: `xxhash.xxh3_128_hexdigest` of python-xxhash 3, on the same bytes.
@Suite struct ContentHashTests {
    private static func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 * 7 % 251) } }

    @Test("hashes are those of XXH3-128")
    func values() {
        #expect(ContentHash(of: [UInt8]()).hex == "99aa06d3014798d86001c324468d497f")
        #expect(ContentHash(of: "a").hex == "a96faf705af16834e6c632b61e964e1f")
    }

    @Test(
        "a file's hash does not depend on the size of the pieces",
        arguments: [
            (0, "99aa06d3014798d86001c324468d497f"),
            (1 << 20, "63c6b140bb692ff5931fb38ab0469ad0"),
            (3_000_000, "4e46536e7998c1ac8cf647b0a14f596a"),
        ].some(1))
    func files(count: Int, hex: String) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("pattern")
        try Data(Self.pattern(count)).write(to: URL(filePath: path))
        #expect(try ContentHash(ofFile: path).hex == hex)
    }

    @Test("a missing file and a directory are failures that name the path")
    func failures() throws {
        let directory = try TemporaryDirectory()
        let missing = try #require(throws: Failure.self) {
            try ContentHash(ofFile: directory.path("none"))
        }
        #expect(missing.kind == .missingInput)
        #expect(missing.message.contains(directory.path("none")))
        let unreadable = try #require(throws: Failure.self) {
            try ContentHash(ofFile: directory.url.path)
        }
        #expect(unreadable.kind == .inputOutput)
    }

    @Test(
        "only 32 hexadecimal digits are a hash",
        arguments: [
            ("99aa06d3014798d86001c324468d497f", true), ("99aa06d3014798d86001c324468d497", false),
            ("99aa06d3014798d86001c324468d497g", false), ("g9aa06d3014798d86001c324468d497f", false),
            ("", false),
        ])
    func digits(text: String, isHash: Bool) {
        #expect(ContentHash(hex: text)?.hex == (isHash ? text : nil))
    }

    @Test("a file of a directory that cannot be read is a failure that names it")
    func fileInside() throws {
        let scratch = try TemporaryDirectory()
        let directory = try #require(try Directory.open(scratch.url.path))
        let failure = try #require(throws: Failure.self) { try directory.hash(ofFile: "none") }
        #expect(failure.message == "cannot read '\(scratch.path("none"))': no such file or directory")
    }
}
