import Foundation
import TestSupport
import Testing

/// Jobs whose sources are on another machine.
@Suite(.needs("gdal_translate", "python3"))
struct ShardAddressTests {
    @Test(
        "The merged archive is byte for byte the one that is built, from sheets, in two rounds for a palette")
    func sheets() throws {
        let workshop = try Workshop()
        try FarImage.tiled.make(in: workshop)
        try FarImage.worldFile.make(in: workshop)
        let server = try FarServer(of: workshop.file("site"))
        let list = ["plan.tif", "plan.png"].map(server.url).joined(separator: "\n") + "\n"
        try workshop.write(Data(list.utf8), to: "sheets.txt")
        let arguments = ["@sheets.txt", "-z", "16-19", "--palette", "16"]
        try Program.succeed(arguments + ["-o", "alone/tiles.pmtiles"], in: workshop.url)
        try Program.succeed(["split"] + arguments + ["--shards", "3", "-o", "far/job"], in: workshop.url)
        for round in [["--survey"], []] {
            for index in 0..<3 {
                try Program.succeed(["shard", "far/job", "\(index)"] + round, in: workshop.url)
            }
            let output = round.isEmpty ? ["-o", "merged/tiles.pmtiles"] : round
            try Program.succeed(["merge", "far/job"] + output, in: workshop.url)
        }
        let archives = try ["merged", "alone"].map {
            try Data(contentsOf: workshop.file($0 + "/tiles.pmtiles"))
        }
        #expect(archives[0] == archives[1])
        // Copies of sources are scratch files.
        let files = try Snapshot(of: workshop.file("far")).contents.keys
        #expect(
            files.allSatisfy { $0.hasSuffix(".shard") || $0.hasSuffix(".survey") || $0.hasSuffix(".json") },
            "\(files.sorted())")
    }

    @Test("Of many sheets, one that is missing is named, and the others are each asked for once")
    func missing() throws {
        let workshop = try Workshop()
        try FarImage.tiled.make(in: workshop)
        let site = workshop.file("site")
        let names = (0..<20).map { "\($0).tif" }
        for name in names {
            try FileManager.default.copyItem(
                at: site.appending(path: "plan.tif"), to: site.appending(path: name))
        }
        let server = try FarServer(of: site)
        func split(_ names: [String]) throws -> Tool.Outcome {
            try workshop.run(["split"] + names.map(server.url) + ["--shards", "2", "-o", "job"])
        }
        #expect(try split(names).status == 0)
        let heads = try server.requests().filter { $0.bounds?.lowerBound == 0 }
        #expect(Set(heads.map(\.file)).count == heads.count, "\(heads.map(\.file))")
        let outcome = try split(names.prefix(7) + ["none.tif"] + names.suffix(13))
        #expect(
            outcome.status == 66 && outcome.errors.contains("'\(server.url("none.tif"))'"),
            "\(outcome.errors)"
        )
    }

    @Test("The job has the address, and what the server says of the file, in place of hashes of its parts")
    func version() throws {
        let workshop = try Workshop()
        try FarImage.tiled.make(in: workshop)
        let bytes = try Data(contentsOf: workshop.file("site/plan.tif"))
        let server = try FarServer(of: workshop.file("site"))
        try split(server, in: workshop)
        let job = try Job(in: workshop)
        let source = try #require(job.images.first?.sources.first)
        #expect(source.path == server.url("plan.tif") && source.size == bytes.count && source.parts == nil)
        // The tag is the server's: whatever it is, it is in quotes (RFC 9110, 8.8.3).
        let version = try #require(source.version)
        #expect(version.hasPrefix("\(bytes.count) \"") && version.hasSuffix("\""))
        #expect(try server.requests(for: "plan.tif").count <= 2)
    }

    @Test("A file of the same size is refused if its tag or date is another", arguments: ["strong", "none"])
    func replaced(tag: String) throws {
        let workshop = try Workshop()
        try FarImage.tiled.make(in: workshop)
        let server = try FarServer(of: workshop.file("site"), ["--etag", tag])
        try split(server, in: workshop)
        try Program.succeed(["shard", "job", "0"], in: workshop.url)
        var bytes = try Data(contentsOf: workshop.file("site/plan.tif"))
        bytes[bytes.count - 1] ^= 1
        try workshop.write(bytes, to: "site/plan.tif")
        let later = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: 100)]
        try FileManager.default.setAttributes(later, ofItemAtPath: workshop.path("site/plan.tif"))
        for command in [["shard", "job", "1"], ["merge", "job", "-o", "tiles"]] {
            let outcome = try workshop.run(command)
            let isRefused = outcome.errors.contains("'\(server.url("plan.tif"))' differs from the file")
            #expect(outcome.status == 65 && isRefused, "\(outcome.errors)")
        }
        #expect(!workshop.has("tiles"))
    }

    @Test("An unchanged far sheet's shards are reused, and only that of a changed one is made again")
    func earlier() throws {
        let workshop = try Workshop()
        try FarImage.tiled.make(in: workshop)
        let server = try FarServer(of: workshop.file("site"))
        try split(server, in: workshop)
        for index in 0..<2 { try Program.succeed(["shard", "job", "\(index)"], in: workshop.url) }
        let again = try Program.succeed(
            ["split", server.url("plan.tif"), "--shards", "2", "-o", "next", "--earlier", "job"],
            in: workshop.url)
        #expect(
            again.output.split(separator: "\n").count { $0.hasSuffix(", reused") } == 2, "\(again.output)")
        let later = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: 100)]
        var bytes = try Data(contentsOf: workshop.file("site/plan.tif"))
        bytes.append(0)
        try workshop.write(bytes, to: "site/plan.tif")
        try FileManager.default.setAttributes(later, ofItemAtPath: workshop.path("site/plan.tif"))
        let changed = try Program.succeed(
            ["split", server.url("plan.tif"), "--shards", "2", "-o", "last", "--earlier", "job"],
            in: workshop.url)
        #expect(!changed.output.contains("reused"), "\(changed.output)")
    }

    @Test("An address with a query is refused, with the way out and without the query")
    func query() throws {
        let workshop = try Workshop()
        try FarImage.tiled.make(in: workshop)
        let server = try FarServer(of: workshop.file("site"))
        let outcome = try workshop.run([
            "split", server.url("plan.tif") + "?X-Amz-Signature=SECRET", "--shards", "2", "-o", "job",
        ])
        let text = outcome.output + outcome.errors
        #expect(
            outcome.status == 64 && text.contains("s3://BUCKET/KEY") && !text.contains("SECRET"), "\(text)")
        let requests = try server.requests()
        #expect(!workshop.has("job") && requests.isEmpty)
    }

    private func split(_ server: FarServer, in workshop: Workshop) throws {
        try Program.succeed(
            ["split", server.url("plan.tif"), "--shards", "2", "-o", "job"], in: workshop.url)
    }

    /// What `job.json` says of sources.
    private struct Job: Decodable {
        struct Source: Decodable {
            var path: String
            var size: Int
            var parts, version: String?
        }

        struct Image: Decodable { var sources: [Source] }

        var images: [Image]

        init(in workshop: Workshop) throws {
            self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: workshop.file("job/job.json")))
        }
    }
}
