import Testing
import Tiling

@testable import Tilesets

@Suite struct TilesetManifestTests {
    private func names(_ template: String, _ scheme: TileScheme = .xyz) throws -> TileNames {
        try TileNames(
            TileTemplate(template), fileExtension: "png", floor: "EG 1", scheme: scheme)
    }

    @Test("a manifest comes back from its bytes")
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
            ], sideFiles: ["metadata-EG 1.json", "tilejson-EG 1.json"],
            unfinishedJob: ContentHash(of: "job"), job: ContentHash(of: "made"))
        #expect(TilesetManifest(decoding: manifest.encoded, floor: "EG 1") == manifest)
        #expect(manifest.sections[0].records.sorted.map(\.coordinate.zoom) == [0, 30])
    }

    @Test(
        "a manifest whose hash is right is still not believed everything",
        arguments: [
            ("tiles 0 xyz {z}/{x}/{y}.png", true),
            ("tiles 0 xyz ../{z}/{x}/{y}.png", false),
            ("tiles 0 xyz /etc/{z}/{x}/{y}.png", false),
            ("tiles 0 xyz index.html", false),
            ("tiles 1 xyz {z}/{x}/{y}.png", false),
            ("tiles -1 xyz {z}/{x}/{y}.png", false),
            ("tiles 9223372036854775807 xyz {z}/{x}/{y}.png", false),
            ("tiles 0 abc {z}/{x}/{y}.png", false),
            ("files 0", false),
        ])
    func forged(line: String, isRead: Bool) {
        var bytes = Array("tilewright manifest 1\n\(line)\n\n".utf8)
        withUnsafeBytes(of: ContentHash(of: bytes)) { bytes.append(contentsOf: $0) }
        #expect((TilesetManifest(decoding: bytes, floor: nil) != nil) == isRead)
    }
}
