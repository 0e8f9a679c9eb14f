import Foundation
import TestSupport
import Testing

/// Files that differ between the machine that split a job and those that make its shards.
struct ShardSourceTests {
    @Test("A source that differs between machines is refused")
    func changedSource() throws {
        let workshop = try Workshop()
        try Program.succeed(
            ["split", "plan.png", "--bounds", Workshop.bounds, "--shards", "2", "-o", "job"],
            in: workshop.url)
        try Picture.plan(width: 300, height: 201).write(to: workshop.path("plan.png"))
        let outcome = try workshop.run(["shard", "job", "0"])
        #expect(outcome.status == 65 && outcome.errors.contains("'plan.png' differs from the file"))
        try FileManager.default.removeItem(at: workshop.file("plan.png"))
        #expect(try workshop.run(["shard", "job", "0"]).status == 66)
        #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.path("job/shards")).isEmpty)
    }

    @Test("Of a large TIFF a worker refuses what it reads itself, if a single bit of that differs", .long)
    func changedBlock() throws {
        let workshop = try Workshop()
        var bytes = Self.largeTIFF
        try Data(bytes).write(to: workshop.file("large.tif"))
        let arguments = ["large.tif", "--bounds", Workshop.bounds, "-z", "16-19"]
        try workshop.merge(arguments, shards: 4, to: [])
        let made = try Snapshot(of: workshop.file("job/shards")).contents
        bytes[8 + 60 << 20] ^= 1
        try Data(bytes).write(to: workshop.file("large.tif"))
        var refused: [Int] = []
        for index in 0..<4 {
            try FileManager.default.removeItem(at: workshop.file("job/shards/\(index).shard"))
            let outcome = try workshop.run(["shard", "job", "\(index)"])
            if outcome.status == 0 { continue }
            #expect(outcome.status == 65 && outcome.errors.contains("'large.tif' differs from the file"))
            refused.append(index)
        }
        #expect(1...3 ~= refused.count)
        // Those that are made do not depend on that bit.
        let left = try Snapshot(of: workshop.file("job/shards")).contents
        #expect(left == made.filter { file in !refused.contains { file.key == "\($0).shard" } })
    }

    /// Gray, in strips of 64 rows; somewhat larger than the files that every worker hashes whole.
    private static var largeTIFF: [UInt8] {
        let (width, height, rows) = (8192, 8256, 64)
        var file = TIFFBuilder(
            width: width, height: height, data: [UInt8](repeating: 90, count: width * height))
        file.set(273, .long, (0..<height / rows).map { 8 + $0 * rows * width })
        file.set(278, .long, [rows])
        file.set(279, .long, [Int](repeating: rows * width, count: height / rows))
        return file.bytes
    }

    @Test(
        "A worker with other libraries than where the job was split is refused",
        arguments: [
            ("\"testImage\" : \"", "another version of libjpeg"),
            ("\"testTile\" : \"", "the library that encodes png"),
            ("\"libraries\" : \"", "but the job was split with"), ("\"place\" : \"", "PROJ or its data"),
        ].some(1))
    func otherLibraries(key: String, words: String) throws {
        let workshop = try Workshop()
        try Program.succeed(
            ["split", "plan.png", "--bounds", Workshop.bounds, "--shards", "2", "-o", "job"],
            in: workshop.url)
        let job = try String(contentsOf: workshop.file("job/job.json"), encoding: .utf8)
        try workshop.write(Data(job.replacing(key, with: key + "0").utf8), to: "job/job.json")
        for command in [["shard", "job", "0"], ["shard", "job", "1"]] {
            let outcome = try workshop.run(command)
            #expect(outcome.status == 65 && outcome.errors.contains(words), "\(outcome.errors)")
        }
    }
}
