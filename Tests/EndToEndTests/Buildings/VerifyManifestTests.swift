import Foundation
import TestSupport
import Testing

/// `verify` with a manifest: floors compared with what they claim, with the index, and with each other.
struct VerifyManifestTests {
    private let site: Workshop

    init() throws {
        site = try Workshop()
        try site.drawFloors()
        try write(Self.manifest)
    }

    private static let manifest = Workshop.house(zoom: "15-17")

    private func write(_ manifest: String) throws { try site.write(manifest.utf8, to: "house.yaml") }

    private func build(_ options: String...) throws {
        try Program.succeed(["house.yaml"] + options, in: site.url)
    }

    /// The faults that are found, or nothing.
    private func faults(_ options: String...) throws -> [String] {
        let outcome = try site.run(["verify", "house.yaml"] + options)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(outcome.status == (lines.isEmpty ? 0 : 1), "\(outcome.errors)")
        return lines
    }

    @Test("A building has no faults after its build, in a folder and in archives", .long)
    func fresh() throws {
        try build()
        #expect(try faults() == [])
        #expect(try faults("--floor", "B1") == [])
        // The index of a building belongs to its folder.
        try Program.succeed(["verify", "tiles"], in: site.url)
        try write(
            Self.manifest.replacing("output: tiles", with: "output: \"tiles/{floor}.pmtiles\"")
                .replacing("template: \"L{floor}_{z}_{x}_{y}.{ext}\"\n", with: ""))
        try FileManager.default.removeItem(at: site.file("tiles"))
        try build()
        #expect(try faults() == [])
        var archive = try Data(contentsOf: site.file("tiles/0.pmtiles"))
        archive[archive.count - 1] ^= 0x40
        try archive.write(to: site.file("tiles/0.pmtiles"))
        let damage = try faults()
        #expect(damage.contains { $0.hasPrefix("tiles/0.pmtiles: ") }, "\(damage)")
    }

    @Test("A manifest without built floors is an error with a remedy")
    func nothing() throws {
        let outcome = try site.run(["verify", "house.yaml"])
        #expect(
            outcome.status == 66 && outcome.errors.contains("nothing is built there"), "\(outcome.errors)")
    }

    @Test("Damaged tiles, and floors that are not built")
    func damage() throws {
        try build("--only", "1,0")
        #expect(try faults() == ["floor 'B1': is not built: run the build again"])
        let basement = try site.run(["verify", "house.yaml", "--floor", "B1"])
        #expect(
            basement.status == 66 && basement.errors.contains("cannot check floor 'B1': it is not built"))
        #expect(try faults("--floor", "1") == [])
        try build()
        let tile = try #require(
            Snapshot(of: site.file("tiles")).tiles.keys.filter { $0.hasPrefix("L0_17") }.min())
        try FileManager.default.removeItem(at: site.file("tiles/\(tile)"))
        #expect(try faults() == ["tile \(tile): is missing"])
    }

    @Test("An index that is missing or does not match the tiles")
    func index() throws {
        try build()
        let index = site.file("tiles/building.json")
        let text = try String(contentsOf: index, encoding: .utf8)
        try FileManager.default.removeItem(at: index)
        #expect(try faults() == ["tiles/building.json: is missing: run the build again"])
        try text.replacing("Basement", with: "Cellar").write(to: index, atomically: true, encoding: .utf8)
        #expect(
            try faults() == [
                "tiles/building.json: its entry for floor 'B1' does not match the tileset: "
                    + "run the build again"
            ])
        try text.write(to: index, atomically: true, encoding: .utf8)
        try write(Self.manifest.split(separator: "\n").filter { !$0.contains("B1") }.joined(separator: "\n"))
        #expect(
            try faults() == ["tiles/building.json: names a floor 'B1', which the manifest does not name"])
    }

    @Test("Ordinals that occur twice, and floors far from the others")
    func comparison() throws {
        try write(
            Self.manifest.replacing(
                "ordinal: -1, image: b1.png",
                with: "ordinal: 0, image: b1.png, bounds: [3, 48, 3.003, 48.002]"
            ))
        try build()
        let found = try faults()
        #expect(found.count == 2, "\(found)")
        #expect(found.first == "floor '0': has the ordinal 0, like floor 'B1'")
        // One degree of longitude there, less the plan's own width: 111.32 km times the cosine of 48 degrees.
        #expect(found.last?.hasPrefix("floor 'B1': is 74.3 km away from the other") == true, "\(found)")
    }

    @Test("Floors whose zooms were common, and are not", .long)
    func zooms() throws {
        try build()
        try write(Self.manifest.replacing("15-17", with: "15-18"))
        try build("--only", "1")
        let found = try faults()
        #expect(
            found.contains(
                "floor 'B1': has the zooms 15-17, but floor '1' has 15-18: build all floors again"),
            "\(found)")
        // A floor that says otherwise is as it says.
        try write(Self.manifest.replacing("image: 1.png", with: "image: 1.png, zoom: 15-18"))
        try build()
        #expect(try faults() == [])
        try write(Self.manifest.replacing("image: 1.png", with: "image: 1.png, tile-size: 512"))
        #expect(try faults().contains { $0.contains("has tiles of 256 pixels, but the manifest says 512") })
    }
}
