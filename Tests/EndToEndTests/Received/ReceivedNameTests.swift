import Foundation
import TestSupport
import Testing

/// Names in folders and documents that somebody else made lead nowhere but below their folder, in every command that
/// reads them.
@Suite struct ReceivedNameTests {
    private let site: ReceivedSite

    init() throws { site = try ReceivedSite() }

    static let foreignSides = [
        "../victims/victim.txt", "../victims/tilejson.json", "sub/../../victims/victim.txt",
        "/SITE/victims/victim.txt",
        "..", ".", "16/../../victims/victim.txt", ".tilewright/tileset/lock", "notes.txt", "../plan.png",
    ]

    @Test(
        "a list of files that calls something else a document is refused by that name",
        arguments: foreignSides.some(1))
    func foreignSide(name: String) throws {
        let name = name.replacing("/SITE", with: site.path(""))
        try site.write("mine".utf8, to: "tiles/notes.txt")
        try site.sign(adding: ["side \(name)"])
        try site.refuseAll(ReceivedSite.ofTiles, status: 65, "lists '\(name.prefix(60))")
        let forced = try site.run([
            "plan.png", "--bounds", Workshop.bounds, "--zoom", "16", "-o", "tiles", "--force",
        ])
        #expect(forced.status == 0)
        #expect(FileManager.default.fileExists(atPath: site.path("tiles/notes.txt")))
    }

    @Test(
        "a list of files whose tiles are elsewhere is damaged",
        arguments: [
            "../victims/{z}/{x}/{y}.png", "/SITE/victims/{z}_{x}_{y}.png",
            "../victims/other/tiles/{z}/{x}/{y}.png",
            "{z}/../../victims/{x}/{y}.png", ".tilewright/{z}/{x}/{y}.png",
        ].some(1))
    func templates(template: String) throws {
        let template = template.replacing("/SITE", with: site.path(""))
        try site.sign(adding: ["tiles 0 xyz \(template)"])
        try site.refuseAll(ReceivedSite.readsTiles, status: 65, "is damaged")
        try site.refuseAll(["remove tiles --all"], status: 73, "is damaged")
    }

    @Test(
        "a TileJSON whose tiles are elsewhere is not followed",
        arguments: [
            "../victims/other/tiles/{z}/{x}/{y}.png", "/SITE/victims/other/tiles/{z}/{x}/{y}.png",
            "..{z}/../{x}/{y}.png",
        ].some(1))
    func tileJSON(address: String) throws {
        try site.remove("tiles/.tilewright")
        try site.edit(
            "tiles/tilejson.json", "\"{z}/{x}/{y}.png\"",
            "\"\(address.replacing("/SITE", with: site.path("")))\"")
        try site.runAll(ReceivedSite.readsTiles)
        let outcome = try site.run(["tile", "tiles", "16/33132/22780", "-o", "seen.png"])
        #expect(outcome.status != 0 && !FileManager.default.fileExists(atPath: site.path("seen.png")))
    }

    /// What an index says, and what somebody writes in its place; and the word by which it is refused.
    static let indexes: [(building: String, old: String, new: String, word: String)] = [
        ("shelf", "\"0.pmtiles\"", "\"../victims/plan.pmtiles\"", "'../victims/plan.pmtiles'"),
        ("shelf", "\"0.pmtiles\"", "\"%2e%2e/victims/plan.pmtiles\"", "'../victims/plan.pmtiles'"),
        ("shelf", "\"0.pmtiles\"", "\"/SITE/victims/plan.pmtiles\"", "it names '/"),
        ("shelf", "\"0.pmtiles\"", "\"sub/../../victims/plan.pmtiles\"", "'sub/../../victims/plan.pmtiles'"),
        ("shelf", "\"floor\": \"1\"", "\"floor\": \"../../../../vic\"", "vic' cannot be the name"),
        ("house", "\"floor\": \"1\"", "\"floor\": \"../victims/other\"", "'../victims/other'"),
        ("house", "\"floor\": \"1\"", "\"floor\": \"a\\u001b[2Jb\"", "'a [2Jb' cannot be the name"),
        ("house", "\"tilejson-1.json\"", "\"../victims/tilejson.json\"", "'../victims/tilejson.json'"),
        ("house", "\"floor\": \"1\"", "\"floor\": \"0\"", "it names '0' twice"),
        ("shelf", "\"1.pmtiles\"", "\"0.pmtiles\"", "it names '0.pmtiles' twice"),
    ]

    @Test(
        "an index with names outside its folder is refused, and the name reported", arguments: indexes.some(1)
    )
    func namesInIndex(building: String, old: String, new: String, word: String) throws {
        try site.edit("\(building)/building.json", old, new.replacing("/SITE", with: site.path("")))
        try site.refuseAll(
            ReceivedSite.reads(building)
                + ["\(building).yaml", "remove \(building) --all"].filter {
                    // An archive is removed by its own name.
                    !($0.hasPrefix("remove shelf"))
                }, status: 65, word)
        let verified = try site.run(["verify", "\(building).yaml"])
        #expect(verified.status == 1 && (verified.output + verified.errors).contains(word), "\(verified)")
        try site.runAll(ReceivedSite.ofBuilding(building))
        #expect(try site.run(["\(building).yaml", "--force"]).status == 0)
        #expect(try site.run(["verify", "\(building).yaml"]).status == 0)
    }

    @Test("removing a floor that the manifest lacks does not remove another building's archive")
    func strays() throws {
        // It is ours, and it is what the index says: but not beside it.
        try site.edit("shelf.yaml", "  - {floor: 1, ordinal: 1, image: 1.png}\n", "")
        try site.edit("shelf/building.json", "\"1.pmtiles\"", "\"../victims/plan.pmtiles\"")
        try site.refuseAll(["shelf.yaml"], status: 65, "'../victims/plan.pmtiles'")
        #expect(FileManager.default.fileExists(atPath: site.path("shelf/1.pmtiles")))
    }

    /// Addresses of indexes that are not below the folder of the campus.
    private static let indexesOutside = [
        "../victims/building.json", "/SITE/victims/building.json", "a/../../victims/building.json", "..",
    ]

    @Test("a campus does not lead out of its folder", arguments: indexesOutside.some(1))
    func campus(index: String) throws {
        let index = try writeCampus(index)
        try site.refuseAll(ReceivedSite.reads("house"), status: 65, "'\(index.prefix(60))")
    }

    @Test(
        "a campus that leads out of its folder is not served", .needsServer, arguments: indexesOutside.some(1)
    )
    func serveCampus(index: String) throws {
        _ = try writeCampus(index)
        #expect(throws: (any Error).self) { try TileServer(["house"], in: URL(filePath: site.path(""))) }
    }

    /// Makes the received folder a campus with such an index.
    ///
    /// - Returns: the address of the index in it.
    private func writeCampus(_ index: String) throws -> String {
        let building = try site.bytes("house/building.json")
        let generator = String(decoding: building, as: UTF8.self).split(separator: "\n").suffix(2)
            .joined(separator: "\n")
        let index = index.replacing("/SITE", with: site.path(""))
        let text =
            "{\n  \"version\": 1,\n  \"name\": \"Campus\",\n  \"buildings\": [{\"name\": \"A\", "
            + "\"index\": \"\(index)\", \"bounds\": [2, 48, 3, 49], \"floors\": [\"0\"]}],\n\(generator)\n"
        try site.write(text.utf8, to: "house/campus.json")
        return index
    }

    @Test("a served folder gives out nothing that is not below it", .needsServer, arguments: indexes.some(4))
    func served(building: String, old: String, new: String, word: String) throws {
        try site.edit("\(building)/building.json", old, new.replacing("/SITE", with: site.path("")))
        let outcome = try site.run(["serve", "--listen", "127.0.0.1:0", building])
        #expect(outcome.status == 65 && outcome.errors.contains(word), "\(outcome)")
    }

    @Test("a job reads its sources, and no other file that it names", .long)
    func job() throws {
        try site.write("0.00001\n0\n0\n-0.00001\n2\n48\n".utf8, to: "plan.pgw")
        let split = [
            "split", "plan.png", "--world-file", "plan.pgw", "--crs", "EPSG:4326", "--zoom", "16-17",
            "--shards",
            "1", "-o", "job",
        ]
        #expect(try site.run(split).status == 0)
        let job = try site.bytes("job/job.json")
        let edits: [(old: String, new: String)] = [
            ("\"_0\" : \"plan.pgw\"", "\"_0\" : \"victims/victim.txt\""),
            ("\"path\" : \"plan.png\",\n        \"position\"", "\"path\" : \"0.png\",\n        \"position\""),
            ("\"empty\" : \"skip\"", "\"cutline\" : \"victims/victim.txt\",\n    \"empty\" : \"skip\""),
        ]
        for (old, new) in edits {
            try site.write(job, to: "job/job.json")
            try site.edit("job/job.json", old, new)
            try site.refuseAll(["shard job 0"], status: 65, "is not one of its sources")
        }
        try site.write(job, to: "job/job.json")
        #expect(try site.run(["shard", "job", "0"]).status == 0)
        try site.edit("job/job.json", edits[0].old, edits[0].new)
        try site.refuseAll(["merge job -o merged"], status: 65, "is not one of its sources")
    }
}
