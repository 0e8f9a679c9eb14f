import Foundation
import TestSupport
import Testing

/// What is said of a build's size before it, against what it writes.
struct EstimateTests {
    private struct Document: Decodable {
        struct Zoom: Decodable { var zoom, bytes: Int }
        struct Estimate: Decodable {
            var bytes: Int
            var spread: [Int]
            var memory: Int
            var seconds: Double
        }
        var zooms: [Zoom]
        var estimate: Estimate
    }

    /// A drawing in a corner of a large empty sheet, with a photograph's noise in another.
    private static let sheet: Picture = {
        var sheet = Picture(width: 2200, height: 1500, colour: (255, 255, 255, 255))
        sheet.paste(.plan(width: 900, height: 600), at: (60, 50))
        sheet.paste(.noise(width: 300, height: 200), at: (1800, 1200))
        return sheet
    }()

    private func estimate(_ workshop: Workshop, _ options: [String]) throws -> Document {
        let info = ["info", "--json", "plan.png", "--bounds", Workshop.bounds] + options
        let output = try Program.succeed(info, in: workshop.url).output
        return try JSONDecoder().decode(Document.self, from: Data(output.utf8))
    }

    @Test(
        "The bytes that are announced are those that are written, within 0.7 to 1.4", .long,
        arguments: [
            [], ["--format", "jpeg"], ["--format", "webp"], ["--format", "webp", "--lossless"],
            ["--palette", "16"], ["--format", "auto"], ["--tile-size", "512"], ["--resampling", "nearest"],
            ["-z", "14-21"], ["--background", "#ffffff"],
        ])
    func bytes(options: [String]) throws {
        let workshop = try Workshop(Self.sheet)
        let said = try estimate(workshop, options)
        var bytes: [Int: Int] = [:]
        let out = try workshop.build(options)
        for tile in try Snapshot(of: out).tiles.keys {
            let zoom = try #require(tile.split(separator: "/").first.flatMap { Int($0) })
            bytes[zoom, default: 0] += try Data(contentsOf: out.appending(path: tile)).count
        }
        let written = bytes.values.reduce(0, +)
        let ratio = Double(said.estimate.bytes) / Double(written)
        #expect(0.7...1.4 ~= ratio, "\(options): \(said.estimate.bytes) of \(written)")
        #expect(
            said.estimate.spread[0] < said.estimate.bytes && said.estimate.bytes < said.estimate.spread[1])
        #expect(said.zooms.map(\.zoom) == bytes.keys.sorted())
        #expect(abs(said.zooms.reduce(0) { $0 + $1.bytes } - said.estimate.bytes) <= said.zooms.count)
    }

    @Test(
        "The estimate of a large sheet comes from the parts that are not empty",
        .long
    )
    func largeSheet() throws {
        var sheet = Picture(width: 5000, height: 3600, colour: (255, 255, 255, 255))
        sheet.paste(.plan(width: 1300, height: 900), at: (300, 2300))
        let workshop = try Workshop(sheet)
        for options in [[], ["--format", "jpeg"]] {
            let said = try estimate(workshop, options)
            let out = try workshop.build(options + ["--force"])
            let written = try Snapshot(of: out).tiles.keys.reduce(0) {
                try $0 + Data(contentsOf: out.appending(path: $1)).count
            }
            let ratio = Double(said.estimate.bytes) / Double(written)
            #expect(0.7...1.4 ~= ratio, "\(options): \(said.estimate.bytes) of \(written)")
        }
    }

    @Test("The same plan has the same answer each time, whatever the number of jobs", .long)
    func isRepeatable() throws {
        let workshop = try Workshop(Self.sheet)
        let runs = try (1...3).map { try estimate(workshop, ["-z", "14-21", "-j", "\($0)"]) }
        for run in runs {
            #expect(run.estimate.bytes == runs[0].estimate.bytes)
            #expect(run.estimate.spread == runs[0].estimate.spread)
            #expect(run.zooms.map(\.bytes) == runs[0].zooms.map(\.bytes))
        }
    }

    @Test("The estimate of a damaged image fails like a build", .long)
    func damaged() throws {
        let workshop = try Workshop(Self.sheet)
        let file = try Data(contentsOf: workshop.file("plan.png"))
        try workshop.write(file.prefix(file.count / 2), to: "plan.png")
        let outcome = try workshop.run(["info", "plan.png", "--bounds", Workshop.bounds])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("plan.png"))
    }
}

extension Picture {
    /// Puts another picture into this one.
    fileprivate mutating func paste(_ other: Picture, at corner: (column: Int, row: Int)) {
        for row in 0..<other.height {
            let from = row * other.width * 4..<(row + 1) * other.width * 4
            let to = ((corner.row + row) * width + corner.column) * 4
            rgba.replaceSubrange(to..<to + from.count, with: other.rgba[from])
        }
    }
}
