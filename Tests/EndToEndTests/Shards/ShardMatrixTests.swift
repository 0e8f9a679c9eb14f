import Foundation
import TestSupport
import Testing

/// Every kernel, size and format, of every kind of source, in 1, 3, 8 and 50 shards.
@Suite(.long, .needs("gdal_translate", "gdalwarp"))
struct ShardMatrixTests {
    private static let kernels = ["nearest", "bilinear", "cubic", "lanczos", "area", "mode"]
    private static let formats = [
        ["--format", "png"], ["--format", "jpeg"], ["--format", "webp"], ["--palette", "32"],
    ]

    enum Source: CaseIterable {
        case upright, turned, utm, sheets
    }

    @Test("The merged tilesets are those of one run", arguments: Source.allCases, kernels)
    func sameBytes(source: Source, kernel: String) throws {
        let workshop = try Workshop(.plan(width: 400, height: 300))
        let arguments =
            try Self.arguments(source, in: workshop) + [
                "--resampling", kernel, "--overview-resampling", kernel,
            ]
        for size in ["256", "512"] {
            for format in Self.formats {
                try Self.expectSame(arguments + format + ["--tile-size", size], in: workshop)
            }
        }
    }

    private static func expectSame(_ arguments: [String], in workshop: Workshop) throws {
        let names = ["tree", "tiles.pmtiles", "tiles.mbtiles"]
        for name in names {
            try Program.succeed(arguments + ["-o", "alone/" + name, "--force"], in: workshop.url)
        }
        let alone = try contents(of: "alone", in: workshop)
        for count in [1, 3, 8, 50] {
            try make(arguments, shards: count, in: workshop)
            for name in names {
                try Program.succeed(["merge", "job", "-o", "merged/" + name, "--force"], in: workshop.url)
            }
            let merged = try contents(of: "merged", in: workshop)
            let differences = Set(alone.keys).union(merged.keys).filter { alone[$0] != merged[$0] }
            #expect(
                differences.isEmpty,
                "\(arguments.joined(separator: " ")), \(count) shards: \(differences.sorted().prefix(5))")
            try FileManager.default.removeItem(at: workshop.file("merged"))
        }
        try FileManager.default.removeItem(at: workshop.file("alone"))
    }

    /// All files, a database as the tree that it converts to.
    private static func contents(of folder: String, in workshop: Workshop) throws -> [String: Data] {
        try Program.succeed(
            ["convert", folder + "/tiles.mbtiles", folder + "/database"], in: workshop.url)
        try FileManager.default.removeItem(at: workshop.file(folder + "/tiles.mbtiles"))
        return try Snapshot(of: workshop.file(folder)).contents
    }

    private static func make(_ arguments: [String], shards: Int, in workshop: Workshop) throws {
        try? FileManager.default.removeItem(at: workshop.file("job"))
        try Program.succeed(
            ["split"] + arguments + ["--shards", "\(shards)", "-o", "job"], in: workshop.url)
        let rounds = arguments.contains("--palette") ? [["--survey"], []] : [[]]
        for round in rounds {
            for index in 0..<shards {
                try Program.succeed(
                    ["shard", "job", "\(index)", "-j", "\(1 + index % 2)"] + round, in: workshop.url)
            }
            if round == ["--survey"] { try Program.succeed(["merge", "job", "--survey"], in: workshop.url) }
        }
    }

    private static func arguments(_ source: Source, in workshop: Workshop) throws -> [String] {
        switch source {
        case .upright: return ["plan.png", "--bounds", Workshop.bounds, "-z", "13-18"]
        case .turned:
            let corners = "2,48.001 2.002,48.002 2.003,48.0005 2.001,47.9995"
            return ["plan.png", "--corners", corners, "-z", "13-18"]
        case .utm:
            let translate = [
                "-q", "-a_srs", "EPSG:4326", "-a_ullr", "2", "48.002", "2.003", "48", "plan.png", "flat.tif",
            ]
            _ = try Tool.run("gdal_translate", translate, in: workshop.url)
            let warp = [
                "-q", "-overwrite", "-t_srs", "EPSG:32631", "-co", "TILED=YES", "-co", "BLOCKXSIZE=64", "-co",
                "BLOCKYSIZE=64", "flat.tif", "utm.tif",
            ]
            #expect(try Tool.run("gdalwarp", warp, in: workshop.url).status == 0)
            return ["utm.tif", "-z", "13-18"]
        case .sheets: return try sheets(in: workshop) + ["-z", "13-18"]
        }
    }

    /// Sixteen sheets with transparent margins, which overlap.
    private static func sheets(in workshop: Workshop) throws -> [String] {
        var names: [String] = []
        for index in 0..<16 {
            let sheet = Picture.plan(width: 110 + index, height: 80)
            let name = "sheet\(index)"
            try sheet.write(to: workshop.path(name + ".png"))
            let (x, y) = (Double(index % 4) * 90, Double(index / 4) * 70)
            let cell = 0.003 / 400
            let numbers = [cell, 0, 0, -cell, 2 + (x + 0.5) * cell, 48.002 - (y + 0.5) * cell]
            try workshop.write(Data(numbers.map { "\($0)\n" }.joined().utf8), to: name + ".pgw")
            names.append(name + ".png")
        }
        return names + ["--crs", "EPSG:4326"]
    }
}
