import Foundation
import TestSupport
import Testing

/// A job on a far image that is made in parts.
@Suite(.needs("gdal_translate", "python3"))
struct FarShardTests {
    @Test("The merged tileset is that of a local build, and each shard reads its part of the image")
    func shards() throws {
        let workshop = try Workshop()
        try workshop.makeNoise(width: 1500, height: 1000)
        let size = try Data(contentsOf: workshop.file("site/noise.tif")).count
        let options = ["-z", "17-19"]
        try Program.succeed(["site/noise.tif", "-o", "near"] + options, in: workshop.url)
        let server = try FarServer(of: workshop.file("site"))
        try Program.succeed(
            ["split", server.url("noise.tif"), "--shards", "6", "-o", "job"] + options, in: workshop.url)
        var asked = try server.requests(for: "noise.tif")
        #expect(asked.bytes < size / 4, "split read \(asked.bytes) of \(size)")
        var parts: [Int] = []
        for index in 0..<6 {
            try Program.succeed(["shard", "job", "\(index)"], in: workshop.url)
            let all = try server.requests(for: "noise.tif")
            parts.append(Array(all.dropFirst(asked.count)).bytes)
            asked = all
        }
        #expect(parts.allSatisfy { $0 < size / 2 }, "\(parts) of \(size)")
        #expect(parts.reduce(0, +) < size * 2, "\(parts) of \(size)")
        try Program.succeed(["merge", "job", "-o", "merged"], in: workshop.url)
        #expect(
            try Snapshot(of: workshop.file("merged")).tiles == Snapshot(of: workshop.file("near")).tiles)
    }

    @Test("A shard whose source is another one by now is refused")
    func changed() throws {
        let workshop = try Workshop()
        try FarImage.tiled.make(in: workshop)
        let server = try FarServer(of: workshop.file("site"))
        try Program.succeed(
            ["split", server.url("plan.tif"), "--shards", "2", "-o", "job"], in: workshop.url)
        try Picture.plan(width: 301, height: 200).write(to: workshop.path("plan.png"))
        try FarImage.tiled.make(in: workshop)
        let outcome = try workshop.run(["shard", "job", "0"])
        #expect(outcome.status == 65 && outcome.errors.contains("differs from the file"), "\(outcome.errors)")
        try FileManager.default.removeItem(at: workshop.file("site/plan.tif"))
        #expect(try workshop.run(["shard", "job", "0"]).status == 66)
        #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.path("job/shards")).isEmpty)
    }

    @Test("A job does not hold a signed address's secret")
    func secret() throws {
        let workshop = try Workshop()
        try FarImage.tiled.make(in: workshop)
        let server = try FarServer(of: workshop.file("site"))
        let outcome = try workshop.run([
            "split", server.url("plan.tif") + "?X-Amz-Signature=SECRET", "--shards", "2", "-o", "job",
        ])
        #expect(!(outcome.output + outcome.errors).contains("SECRET"))
        if workshop.has("job") {
            for (name, bytes) in try Snapshot(of: workshop.file("job")).contents {
                #expect(bytes.range(of: Data("SECRET".utf8)) == nil, "\(name)")
            }
        }
    }
}
