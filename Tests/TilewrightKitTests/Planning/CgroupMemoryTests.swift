@testable import TilewrightKit
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The layouts are those of cgroups(7).
struct CgroupMemoryTests {
    private let site: Site

    init() throws { site = try Site() }

    private func group(_ memberships: [String], files: [String: String]) throws -> CgroupMemory {
        let scratch = try TemporaryDirectory()
        for (path, text) in files {
            let url = scratch.url.appending(path: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        return CgroupMemory(memberships: memberships, root: scratch.url.path)
    }

    @Test("With version 2, the smallest limit of a process's groups counts")
    func second() throws {
        let files = [
            "user/job/memory.max": "max\n", "user/memory.max": "104857600\n",
            "memory.max": "209715200\n", "other/memory.max": "5\n",
        ]
        #expect(try group(["0::/user/job"], files: files).memory == 100 << 20)
    }

    @Test("In a container, its own limit at the root counts")
    func container() throws {
        #expect(try group(["0::/"], files: ["memory.max": "1000000\n"]).memory == 1_000_000)
        let files = ["memory/memory.limit_in_bytes": "2000000\n"]
        #expect(try group(["4:cpu,memory:/docker/1234"], files: files).memory == 2_000_000)
    }

    @Test("Without a limit in any file, there is no limit")
    func unbounded() throws {
        let files = [
            "memory/memory.limit_in_bytes": "9223372036854771712\n", "a/memory.max": "max\n",
        ]
        #expect(try group(["4:memory:/", "0::/a"], files: files).memory == nil)
        #expect(try group(["", "x", "0::", "3:cpu:/"], files: [:]).memory == nil)
    }

    @Test("Pixels get three quarters of a container's memory, or all but the program's own if that is less")
    func budget() throws {
        var resources = BuildResources()
        let roomy = try group(["0::/"], files: ["memory.max": "\(1 << 30)\n"])
        #expect(resources.memoryBudget(in: roomy) == 3 << 28)
        // 64 MiB, of which the program takes 32.
        let small = try group(["0::/"], files: ["memory.max": "\(64 << 20)\n"])
        #expect(resources.memoryBudget(in: small) == 32 << 20)
        resources.memory = 1 << 20
        #expect(resources.memoryBudget(in: roomy) == 1 << 20)
        #expect(resources.memoryBudget(in: try group([], files: [:])) == 1 << 20)
    }

    @Test("A build that needs more memory than the container has is refused")
    func memory() throws {
        let plan = try TilesetBuild(site.request()).plan
        let small = try group(["0::/"], files: ["memory.max": "\(33 << 20)\n"])
        expectRefusal(.systemLimit, "the limit of this process's control group") {
            try plan.builder.checkMemory(in: small)
        }
        let roomy = try group(["0::/"], files: ["memory.max": "\(1 << 40)\n"])
        #expect(throws: Never.self) { try plan.builder.checkMemory(in: roomy) }
    }
}
