import Foundation
import TestSupport
import Testing

#if os(Linux)
    /// The Swift code for apps, in programs with stand-ins for Apple's and Google's modules.
    @Suite(.long, .needs("swiftc", "python3", "env"))
    struct AppLayersTests {
        private let site: Workshop
        private let clients = SharedData.packageRoot.appending(path: "Tests/Clients/Swift")
        private let archives = SharedData.packageRoot.appending(path: "Sources/SystemLibraries/CTileArchives")

        /// A building with two floors in archives, and the stand-ins.
        init() throws {
            site = try Workshop()
            let manifest = """
                name: Harbour Mall
                output: "tiles/{floor}.pmtiles"
                bounds: [\(Workshop.bounds)]
                floors:
                - {floor: 0, image: plan.png, zoom: 16-17, default: true}
                - {floor: 1, image: plan.png, zoom: 16-18}
                """
            try site.write(manifest.utf8, to: "building.yaml")
            try Program.succeed(["build", "building.yaml"], in: site.url)
            let outcome = try Tool.run(
                "/bin/sh", [clients.appending(path: "stand_ins.sh").path, site.url.path])
            try #require(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        }

        /// Compiles code that `snippet` prints with a program that uses it, and runs it.
        ///
        /// - Returns: the lines that it prints.
        private func run(
            _ snippet: [String], with programs: [String], _ arguments: [String] = []
        ) throws -> [String] {
            let code = try Program.succeed(["snippet"] + snippet, in: site.url)
            try site.write(code.output.utf8, to: "snippet.swift")
            let modules = [
                "ImageIO", "CoreGraphics", "GoogleMaps", "UIKit", "SwiftUI", "MapKit", "TilewrightTiles",
            ]
            let isMain = programs.contains("use_overlay.swift")
            if let main = programs.last, isMain {
                try site.write(Data(contentsOf: clients.appending(path: main)), to: "main.swift")
            }
            let files = isMain ? ["main.swift"] : programs.map { clients.appending(path: $0).path }
            let outcome = try Tool.run(
                "swiftc",
                ["-swift-version", "6", "-I", ".", "-L", ".", "-I", archives.path]
                    + (isMain ? [] : ["-parse-as-library"])
                    + modules.map { "-l\($0)" } + ["snippet.swift"] + files + ["-o", "run"], in: site.url)
            try #require(outcome.status == 0, "\(outcome.errors)")
            let result = try Tool.run(
                "/usr/bin/env", ["LD_LIBRARY_PATH=\(site.url.path)", site.path("run")] + arguments)
            #expect(result.status == 0, "\(result.errors)")
            return result.output.split(separator: "\n").map(String.init)
        }

        /// The plan is seen from the first zoom with tiles to three beyond the last one.
        @Test(
            "a building is seen at every zoom that the limits of the camera allow, at three densities",
            arguments: [true, false])
        func floors(isInApp: Bool) throws {
            let server = try RangeServer(of: site.url)
            // The stand-in for the bundle is the folder of the program.
            let place = isInApp ? ["--local"] : ["--url", "\(server.address)/tiles"]
            let lines = try run(
                ["building.yaml", "--for", "ios-swift"] + place,
                with: ["use_floors.swift", "map_tries.swift"])
            #expect(
                lines == [
                    "floors Harbour Mall [\"0\", \"1\"] 0",
                    "scale 1 16.0 21.0 []", "scale 2 16.0 21.0 []", "scale 3 16.0 21.0 []",
                    "outside never never",
                    "both 2 true", "one 1 1 []", "removed true",
                ])
            #expect(try (server.behave("ok") > 0) != isInApp)
        }

        @Test(
            "a tileset is seen at every zoom that the limits of the camera allow, at three densities",
            arguments: [
                (["--local"], 20), (["--local", "--enlarge-to", "17"], 17), (["--url", "@/0.pmtiles"], 20),
                (["--url", "@/folder"], 17), (["--url", "@/folder", "--enlarge-to", "18"], 18),
            ])
        func tiles(options: [String], last: Int) throws {
            try site.build(["--zoom", "16-17", "--tile-size", "512"], to: "folder")
            let server = try RangeServer(of: site.url)
            let isFolder = options.contains("@/folder")
            let words = options.map {
                $0.replacing("@/0", with: "\(server.address)/tiles/0").replacing("@", with: server.address)
            }
            let lines = try run(
                [isFolder ? "folder" : "tiles/0.pmtiles", "--for", "ios-swift", "--type-name", "PlanTiles"]
                    + words.map { $0 == "--local" ? "--local=tiles/0.pmtiles" : $0 },
                with: ["use_tiles.swift", "map_tries.swift"])
            #expect(lines == (1...3).map { "scale \($0) 16.0 \(last).0 []" })
        }

        @Test("MapKit gets pictures, parts of the last ones, and transparent tiles where there is none")
        func overlay() throws {
            try site.build(["--zoom", "16-17"], to: "folder")
            let lines = try run(
                ["folder", "--for", "mapkit-swift", "--local"], with: ["use_overlay.swift"],
                ["17/66264/45561", "19/265058/182246", "17/0/0", "24/0/0"])
            #expect(
                lines == [
                    "zooms 16 22 256.0", "17/66264/45561 picture", "19/265058/182246 enlarged",
                    "17/0/0 transparent", "24/0/0 transparent",
                ])
        }
    }
#endif
