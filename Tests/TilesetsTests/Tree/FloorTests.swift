import Platform
import Foundation
import TestSupport
import Testing
import Tiling

@testable import Tilesets

@Suite struct FloorTests {
    private let site: Site

    init() throws { site = try Site() }

    @Test("a tileset that is being written is busy, other floors are not")
    func busy() throws {
        let template = "{floor}/{z}/{x}/{y}.png"
        let first = try TreeWriter(site.options(template: template, floor: "1"))
        let failure = try #require(throws: Failure.self) {
            try TreeWriter(site.options(template: template, floor: "1"))
        }
        #expect(failure.kind == .busy)
        #expect(failure.message == "another run is writing floor '1' in '\(site.path)'")
        let second = try TreeWriter(site.options(template: template, floor: "2"))
        _ = try first.finish(documents())
        _ = try second.finish(documents())
        try site.build([tile(1, 1, 1)], site.options(template: template, floor: "1"))
    }

    @Test("a floor called like the tileset without a floor is another tileset")
    func names() throws {
        try site.build([tile(1, 1, 1)], site.options())
        try site.build([], site.options(floor: "tileset"))
        #expect(try site.files() == ["1/1/1.png": "1/1/1 "])
    }

    @Test("a floor neither replaces nor removes another floor's files")
    func conflict() throws {
        try site.build([tile(1, 1, 1)], site.options(floor: "1"))
        let failure = try #require(throws: Failure.self) {
            try site.build([tile(1, 1, 1)], site.options(floor: "2"))
        }
        #expect(failure.kind == .outputRefused)
        try site.build([tile(1, 0, 1)], site.options(floor: "2", job: "next"))
        #expect(try site.files() == ["1/1/1.png": "1/1/1 ", "1/0/1.png": "1/0/1 "])
    }

    @Test(
        "floors that are built at once, into directories they share, are all complete", .long,
        .timeLimit(.minutes(10)))
    func concurrent() async throws {
        // Directories z/x are shared, made by all, and left empty by whoever shrinks first.
        for round in 0..<20 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for floor in 0..<4 {
                    group.addTask { [site] in
                        let options = try site.options(
                            template: "{z}/{x}/{floor}_{y}.png", floor: "\(floor)",
                            job: "\(round)")
                        if (round + floor) % 3 == 0 {
                            try TreeWriter(options).discard()
                        }
                        let columns = 0..<((round + floor) % 2 == 0 ? 16 : 1)
                        try site.build(columns.map { tile(4, $0, 3) }, options)
                    }
                }
                try await group.waitForAll()
            }
            let expected = (0..<4).map { (round + $0) % 2 == 0 ? 16 : 1 }.reduce(0, +)
            #expect(try site.files().count == expected)
            if round % 5 == 4 { try FileManager.default.removeItem(atPath: site.path) }
        }
    }
}
