import Foundation
import TestSupport
import Testing

#if os(Linux)
    /// The Swift code for a building, in a program with stand-ins for the SDK, over a real network.
    @Suite(.long, .needs("swiftc", "python3", "env"))
    struct SwiftFloorsTests {
        private let site: Workshop

        /// A folder as `build` leaves it. The ground floor has one of two tiles; of the first, nothing comes.
        init() throws {
            site = try Workshop()
            let manifest = """
                name: Harbour Mall
                output: tiles
                floors: [{floor: 0, image: plan.png}]
                """
            try site.write(manifest.utf8, to: "building.yaml")
            try FileManager.default.createDirectory(
                at: site.file("tiles/3/3"), withIntermediateDirectories: true)
            try site.write(Self.picture.utf8, to: "tiles/3/3/5.png")
            let first = Self.index
            try site.write(first.utf8, to: "tiles/building.json")
            try site.write(first.replacing("Ground", with: "Entrance").utf8, to: "tiles/second.json")
            try site.write("{\"version\": 2}".utf8, to: "tiles/third.json")
        }

        /// A picture of 4 x 4 pixels, as the stand-in for Core Graphics has them.
        private static let picture = "4 4 abcdefghijklmnop"

        private static let index = """
            {"version": 1, "name": "Harbour Mall", "bounds": [-45, -66, 0, -40],
            "camera": {"target": [-22.5, -55.5], "zoom": 2.5}, "floors": [
            {"floor": "0", "label": "Ground floor", "shortName": "0", "ordinal": 0, "default": true,
            "tiles": "{z}/{x}/{y}.png", "scheme": "xyz", "bounds": [0, 0, 1, 1], "minzoom": 3, "maxzoom": 3,
            "limits": [[3, 3, 5, 3, 6]], "tileSize": 256, "format": "png", "digest": "0123456789"},
            {"floor": "1", "label": "First floor", "shortName": "1", "ordinal": 1,
            "tiles": "../gate?{z}/{x}/{y}", "scheme": "xyz", "bounds": [0, 0, 1, 1], "minzoom": 3,
            "maxzoom": 3, "limits": [[3, 3, 5, 3, 5]], "tileSize": 256, "format": "png", "digest": "1123456789"}]}
            """

        @Test(
            "it asks for tiles that exist, enlarges the last ones, cancels those of another floor, and tells of errors"
        )
        func runs() throws {
            let server = try WebServer(of: site.url, log: site.file("server.log"))
            let code = try Program.succeed(
                ["snippet", "building.yaml", "--for", "ios-swift", "--url", "\(server.address)/tiles"],
                in: site.url)
            try site.write(code.output.utf8, to: "floors.swift")
            try compile()
            let outcome = try Tool.run(
                "/usr/bin/env", ["LD_LIBRARY_PATH=\(site.url.path)", site.path("run"), site.path("tiles")])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(
                outcome.output.split(separator: "\n") == [
                    "floors Harbour Mall [\"0\", \"1\"] 0", "there is no floor '9'",
                    // 3/3/6 is in the limits, and not on the server: it was transparent.
                    "3/3/5 \(Self.picture)", "3/4/5 never", "3/3/6 never", "3/3/4 never",
                    // Beyond the last zoom: a quarter, a pixel, and nothing of what is not there or too far.
                    "4/7/11 4 4 kkllkkllooppoopp", "4/6/10 4 4 aabbaabbeeffeeff",
                    "5/13/22 4 4 jjjjjjjjjjjjjjjj", "6/26/44 4 4 jjjjjjjjjjjjjjjj", "4/8/10 never",
                    "4/6/12 never", "7/52/88 never",
                    "camera -55.5 -22.5 2.5", "limits 2.0 6.0 -66.0 -45.0 -40.0 0.0",
                    "change 1", "change 0", "late later true", "old true later", "new \(Self.picture)",
                    "removed true",
                    "change 0", "reloaded [\"Entrance floor\", \"First floor\"]",
                    "\(server.address)/tiles/building.json: version 2 needs newer code 0",
                ], "\(outcome.output)")
            let asked = Set(try server.requests().map(\.path).filter { $0.hasSuffix(".png") })
            #expect(asked == ["/tiles/3/3/5.png", "/tiles/3/3/6.png"])
        }

        private func compile() throws {
            let tests = SharedData.packageRoot.appending(path: "Tests")
            let clients = tests.appending(path: "PublishingTests/Snippets/Clients")
            let library = ["-emit-library", "-emit-module", "-parse-as-library", "-I", ".", "-L", "."]
            for (module, needs) in [("ImageIO", []), ("GoogleMaps", ["ImageIO"]), ("UIKit", ["GoogleMaps"])] {
                try swiftc(
                    library + ["-module-name", module, clients.appending(path: module + ".swift").path]
                        + needs.map { "-l\($0)" } + ["-o", "lib\(module).so"])
            }
            try swiftc([
                "-swift-version", "6", "-parse-as-library", "-I", ".", "-L", ".", "-lImageIO", "-lGoogleMaps",
                "-lUIKit",
                "floors.swift",
                tests.appending(path: "EndToEndTests/Support/Floors/switch_floors.swift").path,
                "-o", "run",
            ])
        }

        private func swiftc(_ arguments: [String]) throws {
            let outcome = try Tool.run("swiftc", arguments, in: site.url)
            try #require(outcome.status == 0, "\(outcome.errors)")
        }
    }
#endif
