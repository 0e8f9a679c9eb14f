import Platform
import Testing
import Tiling

@testable import Tilesets

@Suite struct TilesetManifestTests {
    private func names(_ template: String, _ scheme: TileScheme = .xyz) throws -> TileNames {
        try TileNames(
            TileTemplate(template), fileExtension: "png", floor: "EG 1", scheme: scheme)
    }

    @Test("a manifest is decoded as it was encoded")
    func roundTrip() throws {
        let tiles = [
            TileCoordinate(zoom: 30, column: 1 << 30 - 1, row: 5),
            .init(zoom: 0, column: 0, row: 0),
        ]
        let records = tiles.map { TileRecord($0, size: 1_000_000, hash: ContentHash(of: "\($0)")) }
        let manifest = TilesetManifest(
            sections: [
                .init(names: try names(" a b/{floor}/{z}/{x}/{y}.{ext}"), records: .init(records)),
                .init(names: try names("{quadkey}.{ext}", .tms), records: .init([])),
            ], sideFiles: ["metadata-EG 1.json", "tilejson-EG 1.json"].compactMap { ContainedPath($0) },
            unfinishedJob: ContentHash(of: "job"), job: ContentHash(of: "made"))
        #expect(try TilesetManifest(decoding: manifest.encoded, floor: "EG 1") == manifest)
        #expect(manifest.sections[0].records.sorted.map(\.coordinate.zoom) == [0, 30])
    }

    @Test("a hash that begins like the end of the header does not end the header")
    func endInHash() throws {
        // Of 256 hashes, one begins with a line feed.
        for number in 0..<5000 {
            var bytes = Array("tilewright manifest 1\nmade \(number)\n".utf8)
            let hash = withUnsafeBytes(of: ContentHash(of: bytes)) { Array($0) }
            guard hash.first == UInt8(ascii: "\n") else { continue }
            bytes += hash
            #expect(throws: TilesetManifest.Damage.damaged) {
                try TilesetManifest(decoding: bytes, floor: nil)
            }
            return
        }
        Issue.record("no hash begins with a line feed")
    }

    @Test(
        "a manifest with a valid hash is still checked",
        arguments: [
            ("tiles 0 xyz {z}/{x}/{y}.png", true),
            ("tiles 0 xyz ../{z}/{x}/{y}.png", false),
            ("tiles 0 xyz /etc/{z}/{x}/{y}.png", false),
            ("tiles 0 xyz index.html", false),
            ("tiles 0 xyz \(String(repeating: "b/", count: 600)){z}/{x}/{y}.png", false),
            ("tiles 1 xyz {z}/{x}/{y}.png", false),
            ("tiles -1 xyz {z}/{x}/{y}.png", false),
            ("tiles 9223372036854775807 xyz {z}/{x}/{y}.png", false),
            ("tiles 0 abc {z}/{x}/{y}.png", false),
            ("files 0", false),
            ("side tilejson.json", true),
            ("side metadata-1.json", true),
            ("side doc-17-66-41.kml", true),
            ("side ../victim.txt", false),
            ("side /etc/passwd", false),
            ("side ../tilejson.json", false),
            ("side x/../tilejson.json", false),
            ("side notes.txt", false),
            ("side doc.docx", false),
            ("side .tilewright/tileset/manifest", false),
            ("told https://example.org/\u{1B}[2J", false),
        ])
    func forged(line: String, isRead: Bool) {
        var bytes = Array("tilewright manifest 1\n\(line)\n\n".utf8)
        withUnsafeBytes(of: ContentHash(of: bytes)) { bytes.append(contentsOf: $0) }
        #expect(((try? TilesetManifest(decoding: bytes, floor: nil)) != nil) == isRead)
    }

    @Test("a manifest that lists another file as a document is refused with its name")
    func foreignName() throws {
        var bytes = Array("tilewright manifest 1\nside ../victim.txt\n\n".utf8)
        withUnsafeBytes(of: ContentHash(of: bytes)) { bytes.append(contentsOf: $0) }
        let damage = try #require(throws: TilesetManifest.Damage.self) {
            try TilesetManifest(decoding: bytes, floor: nil)
        }
        let failure = damage.failure(reading: "manifest", toReplace: "tiles")
        #expect(failure.kind == .badInput && failure.message.contains("'../victim.txt'"))
    }

    @Test("a manifest of a newer program is refused in a line, also with force", arguments: [false, true])
    func newer(force: Bool) throws {
        let site = try Site()
        try site.write("tilewright manifest 2\nanything", to: ".tilewright/tileset/manifest")
        let failure = try #require(throws: Failure.self) {
            try TreeWriter(site.options(force: force))
        }
        #expect(failure.kind == .outputRefused && failure.message.contains("a newer tilewright wrote it"))
        #expect(try site.text("tiles/.tilewright/tileset/manifest") == "tilewright manifest 2\nanything")
    }

    /// A record as the manifest has it, of 32 bytes: zoom 3, and a column.
    private static func record(column: UInt8) -> [UInt8] {
        [3, 0, 0, 0, column, 0, 0, 0] + [UInt8](repeating: 0, count: 24)
    }

    /// Files whose hash is right, and whether they are read.
    static let files: [(text: String, records: [UInt8], isRead: Bool)] = [
        ("tilewright manifest 1\n\n", [], true), ("tilewright manifest 1\n", [], false),
        ("tilewright manifest 2\n\n", [], false), ("\n\n", [], false),
        ("tilewright manifest 1\nside\n\n", [], false), ("tilewright manifest 1\n\n", [0], false),
        ("tilewright manifest 1\ntiles 1 xyz {z}/{x}/{y}.png\n\n", record(column: 7), true),
        ("tilewright manifest 1\ntiles 1 xyz {z}/{x}/{y}.png\n\n", record(column: 8), false),
        ("tilewright manifest 1\ntiles 1 xyz {z}/{x}/{y}.png\n\n", record(column: 7) + [0], false),
    ]

    @Test("bytes that are left over, missing or not a tile are damage", arguments: files)
    func damaged(text: String, records: [UInt8], isRead: Bool) {
        var bytes = Array(text.utf8) + records
        withUnsafeBytes(of: ContentHash(of: bytes)) { bytes.append(contentsOf: $0) }
        #expect(((try? TilesetManifest(decoding: bytes, floor: nil)) != nil) == isRead)
    }
}
