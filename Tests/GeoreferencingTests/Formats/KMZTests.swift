import Platform
import Foundation
import TestSupport
import Testing

@testable import Georeferencing

@Suite struct KMZTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static func kml(_ name: String) -> String {
        "<kml><GroundOverlay><name>\(name)</name><LatLonBox><north>1</north><south>0</south>"
            + "<east>1</east><west>0</west></LatLonBox></GroundOverlay></kml>"
    }

    /// Archives by Python's zipfile: name and content of each file.
    private func archive(_ files: [(String, String)], deflated: Bool) throws -> String {
        let path = directory.path("overlay.kmz")
        let method = deflated ? "ZIP_DEFLATED" : "ZIP_STORED"
        var script =
            "import zipfile\nwith zipfile.ZipFile('\(path)', 'w', zipfile.\(method)) as z:\n"
        for (name, content) in files { script += "    z.writestr('\(name)', '\(content)')\n" }
        let outcome = try Python.run(script)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return path
    }

    private func name(in path: String) throws -> String {
        try KMLFile(contentsOf: path).overlay(for: "plan.png").name
    }

    private func reason(_ bytes: [UInt8]) throws -> String? {
        let path = directory.path("changed.kmz")
        try Data(bytes).write(to: URL(filePath: path))
        do {
            _ = try name(in: path)
            return nil
        } catch let failure as Failure {
            #expect(failure.kind == .badInput)
            return failure.message
        }
    }

    @Test(
        "the document of a KMZ is found, stored or deflated",
        .needs("python3"), arguments: [true, false])
    func document(deflated: Bool) throws {
        let path = try archive(
            [
                ("files/plan.png", "no image"), ("sub/first.kml", Self.kml("folder")),
                ("other.kml", Self.kml("other")), ("doc.kml", Self.kml("doc")),
            ], deflated: deflated)
        #expect(try name(in: path) == "doc")
    }

    @Test(
        "without doc.kml, the first document outside of folders is used", .long,
        .needs("python3"))
    func otherNames() throws {
        let files = [("a/x.kml", Self.kml("folder")), ("B.KML", Self.kml("root")), ("c.kml", "")]
        #expect(try name(in: archive(files, deflated: true)) == "root")
        #expect(try name(in: archive([files[0]], deflated: true)) == "folder")
        let none = try archive([("plan.png", "")], deflated: true)
        let failure = #expect(throws: Failure.self) { try KMLFile(contentsOf: none) }
        #expect(failure?.message.contains("no .kml") == true)
    }

    @Test(
        "an archive that is cut off anywhere is refused", .long, .needs("python3"))
    func truncated() throws {
        let path = try archive([("doc.kml", Self.kml("doc"))], deflated: true)
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        for count in 4..<bytes.count { #expect(try reason(Array(bytes.prefix(count))) != nil) }
        #expect(try reason(bytes) == nil)
    }

    @Test(
        "no changed byte crashes the reader or goes unnoticed in the document", .long,
        .needs("python3"))
    func changed() throws {
        let path = try archive([("doc.kml", Self.kml("doc"))], deflated: true)
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        for index in 4..<bytes.count {
            for value in [0, 0xFF, bytes[index] ^ 0x10] {
                var changed = bytes
                changed[index] = value
                _ = try reason(changed)
            }
        }
        // The first byte of the deflated data: behind 30 bytes and the name.
        var changed = bytes
        changed[30 + 7 + 20] ^= 0xFF
        #expect(try reason(changed) != nil)
    }

    @Test("an archive that is not there is missing")
    func missing() {
        let failure = #expect(throws: Failure.self) {
            _ = try ZIPArchive(path: directory.path("none.kmz"))
        }
        #expect(failure?.kind == .missingInput)
    }

    @Test("a name of several lines is one line in messages", .needs("python3"))
    func brokenName() throws {
        let path = try archive([("a\\nb.kml", Self.kml("doc"))], deflated: true)
        var changed = try [UInt8](Data(contentsOf: URL(filePath: path)))
        changed[changed.count - 22 - 46 - 7 + 10] = 12
        #expect(try reason(changed)?.contains("'a b.kml' uses an unsupported") == true)
    }

    @Test("wrong sizes and offsets are refused", .needs("python3"))
    func lies() throws {
        let path = try archive([("doc.kml", Self.kml("doc"))], deflated: true)
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        let directory = bytes.count - 22 - 46 - 7
        // Of the central directory: checksum, packed size, size, offset of the header; method.
        for (offset, word) in [(16, "checksum"), (20, "beyond"), (24, "inflated"), (42, "beyond")] {
            var changed = bytes
            changed[directory + offset + 2] = 0x20
            #expect(try reason(changed)?.contains(word) == true, "\(offset)")
        }
        var bomb = bytes
        bomb[directory + 24 + 3] = 0x7F
        #expect(try reason(bomb)?.contains("too large") == true)
        var packed = bytes
        packed[directory + 10] = 12
        #expect(try reason(packed)?.contains("unsupported compression") == true)
        var encrypted = bytes
        encrypted[directory + 8] = 1
        #expect(try reason(encrypted)?.contains("encrypted") == true)
    }
}
