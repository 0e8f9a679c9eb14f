import Platform
import Foundation
import TestSupport
import Testing
import Tiling

@testable import TilewrightKit

/// Jobs from another machine: whatever their numbers and names are, work on them ends with one line.
@Suite struct ShardJobTests {
    private let site: Site
    private var job: String { site.path("job") }

    init() throws { site = try Site() }

    /// Splits the plan into two shards.
    private func split(palette: Int? = nil, zooms: ClosedRange<Int> = 14...16) throws -> [String: Any] {
        var encoding = TileEncoding()
        encoding.palette = palette
        let pyramid = PyramidRequest(zoom: ZoomRange(zooms), encoding: encoding)
        try JobSplit([site.image()], pyramid: pyramid, shards: 2).write(to: job)
        let json = try JSONSerialization.jsonObject(with: Data(site.bytes("job/job.json")))
        return try #require(json as? [String: Any])
    }

    private func write(_ object: Any) throws {
        try site.write(JSONSerialization.data(withJSONObject: object), to: "job/job.json")
    }

    /// Makes both shards of the job in the folder, and merges them.
    ///
    /// - Returns: the failure; nil if all succeeded.
    private func work() async throws -> Failure? {
        var resources = BuildResources()
        resources.maxTiles = 10_000
        resources.maxPixels = 100_000_000
        do {
            for index in 0..<2 { _ = try await ShardBuild(job: job, index: index).run(resources: resources) }
            var output = OutputRequest(site.path("out.pmtiles"))
            output.force = true
            _ = try await ShardMerge(job: job, output: output, resources: resources).run()
            return nil
        } catch let failure as Failure { return failure }
    }

    @Test("tiles of a new image go to the shards of an earlier job, which keep theirs")
    func grown() throws {
        _ = try split(zooms: 15...17)
        let east = Site.box.width * 2
        let box = BoundingBox(
            minX: Site.box.minX + east, minY: Site.box.minY, maxX: Site.box.maxX + east, maxY: Site.box.maxY)
        let images = [site.image(), site.image(at: PositionRequest(.bounds(box)))]
        let pyramid = PyramidRequest(zoom: ZoomRange(15...17))
        try JobSplit(images, pyramid: pyramid, shards: 2, earlier: job).write(to: site.path("next"))
        let (before, after) = (try ShardJob(in: job), try ShardJob(in: site.path("next")))
        #expect(after.cut == before.cut && after.shards.count == 2)
        for (old, new) in zip(before.shards, after.shards) {
            #expect(Array(new.tiles.prefix(old.tiles.count)) == old.tiles)
        }
        // The tiles under both images, each with one owner.
        let owned = after.shards.flatMap(\.tiles).flatMap { limits in
            limits.rows.flatMap { row in
                limits.columns.map { TileCoordinate(zoom: limits.zoom, column: $0, row: row) }
            }
        }
        let corners = [Point(x: box.maxX, y: box.minY), Point(x: Site.box.minX, y: Site.box.maxY)]
        for place in corners + [Point(x: box.minX, y: box.maxY)] {
            #expect(owned.contains(TileCoordinate(of: place, zoom: after.cut)))
        }
        #expect(Set(owned).count == owned.count)
        expectRefusal(.usage, "not among the zooms of this job") {
            let finer = PyramidRequest(zoom: ZoomRange(after.cut + 1...after.cut + 2))
            return try JobSplit(images, pyramid: finer, shards: 2, earlier: job)
        }
    }

    /// Each value of a document, replaced by another one.
    private func mutations(_ value: Any, with replace: (Any) -> [Any]) -> [Any] {
        if let object = value as? [String: Any] {
            return object.keys.sorted().flatMap { key in
                mutations(object[key] ?? "", with: replace).map { new in
                    var changed = object
                    changed[key] = new
                    return changed as Any
                }
            }
        }
        if let list = value as? [Any], !list.isEmpty {
            return list.indices.flatMap { index in
                mutations(list[index], with: replace).map { new in
                    var changed = list
                    changed[index] = new
                    return changed as Any
                }
            }
        }
        return replace(value)
    }

    /// Values that no job has.
    private var numbers: [Any] { [-1, 31, 64, 1 << 31, Int.max, Int.min, 1e300, 0.5] }
    private var others: [Any] { ["", "x", "/dev/zero", ".", [Any](), NSNull(), -1, true] }

    @Test("absurd numbers and names are a failure, not a trap", .long, .timeLimit(.minutes(5)))
    func absurd() async throws {
        let sound = try split()
        #expect(try await work() == nil)
        // All of them in a long run.
        let step = TestRun.isComplete ? 1 : 7
        let changed = mutations(sound) { value in
            value is String ? others : numbers
        }
        #expect(changed.count > 300)
        for index in stride(from: 0, to: changed.count, by: step) {
            try? FileManager.default.removeItem(atPath: site.path("job/shards"))
            try write(changed[index])
            if let failure = try await work() {
                #expect(!failure.message.contains("\n"))
                #expect(
                    [.badInput, .missingInput, .usage].contains(failure.kind), "\(failure), \(changed[index])"
                )
            }
        }
    }

    @Test("sets of absurd numbers are refused even if they are consistent", .long)
    func windows() async throws {
        var job = try split()
        var whole = try #require(job["whole"] as? [String: Any])
        whole["finest"] = 30
        whole["window"] = ["columns": [0, 256 << 30], "rows": [0, 256 << 30]]
        job["whole"] = whole
        try write(job)
        let failure = try #require(try await work())
        #expect(failure.message.contains("--max-pixels allows"), "\(failure)")
        job = try split()
        job["shards"] = [Any](repeating: (job["shards"] as? [Any])?[0] ?? "", count: 100_001)
        try write(job)
        #expect(try await work()?.message.contains("its numbers do not fit together") == true)
    }

    @Test("a job that is too large is not read, and the remedy says how to make it smaller")
    func large() async throws {
        _ = try split()
        let file = try FileHandle(forWritingTo: URL(filePath: site.path("job/job.json")))
        try file.truncate(atOffset: 5 << 30)
        try file.close()
        let failure = try #require(try await work())
        #expect(failure.kind == .badInput)
        #expect(
            failure.message.hasSuffix(
                "job.json': it is larger than 256 MiB, too large for a file of its kind"))
        #expect(failure.remedy == "split fewer images, or into fewer shards")
    }

    @Test("work does not wait for a pipe in place of a file", .timeLimit(.minutes(1)))
    func pipes() async throws {
        for name in ["job/job.json", "plan.png", "job/shards/0.shard"] {
            _ = try split()
            try? FileManager.default.removeItem(atPath: site.path(name))
            #expect(mkfifo(site.path(name), 0o600) == 0)
            let failure = try await work()
            if name.hasSuffix("shard") {
                #expect(failure == nil, "a shard that is none is made again")
            } else {
                #expect(
                    failure?.message.hasSuffix("it is not a regular file") == true,
                    "\(name): \(failure as Any)")
            }
            try? FileManager.default.removeItem(atPath: site.path(name))
            try site.draw("plan.png", width: 300, height: 200)
        }
    }

    @Test("an image that is not a source of the job is not read")
    func strangers() async throws {
        var job = try split()
        var images = try #require(job["images"] as? [[String: Any]])
        images[0]["sources"] = [Any]()
        job["images"] = images
        try write(job)
        #expect(try await work()?.message.contains("which is not one of its sources") == true)
    }

    @Test("a palette without colours, with too many, or of an absurd size is refused")
    func palettes() async throws {
        _ = try split(palette: 8)
        for index in 0..<2 { _ = try await ShardBuild(job: job, index: index, survey: true).run() }
        try await ShardMerge.chooseColors(of: job)
        let json = try JSONSerialization.jsonObject(with: Data(site.bytes("job/palette.json")))
        let sound = try #require(json as? [String: Any])
        for colors in [[], [[Int]](repeating: [1, 2, 3, 4], count: 300), [[1, 2, 3]], [[1, 2, 3, 256]]] {
            var changed = sound
            changed["colors"] = colors
            try site.write(JSONSerialization.data(withJSONObject: changed), to: "job/palette.json")
            #expect(try await work()?.message.contains("it is damaged or of another job") == true)
        }
        let file = try FileHandle(forWritingTo: URL(filePath: site.path("job/palette.json")))
        try file.truncate(atOffset: 5 << 30)
        try file.close()
        #expect(try await work()?.message.contains("it is larger than 1 MiB") == true)
    }

    @Test("a shard of more tiles than allowed is neither made nor merged")
    func tooManyTiles() async throws {
        _ = try split(zooms: 14...18)
        #expect(try await work() == nil)
        var resources = BuildResources()
        resources.maxTiles = 1
        let build = try ShardBuild(job: job, index: 0)
        // The shard exists, but has more tiles.
        let made = await #expect(throws: Failure.self) { try await build.run(resources: resources) }
        #expect(made?.kind == .usage)
        try FileManager.default.removeItem(atPath: site.path("job/shards/0.shard"))
        let making = await #expect(throws: Failure.self) { try await build.run(resources: resources) }
        #expect(making?.message.contains("--max-tiles allows 1") == true)
    }
}
