import Tiling
import Foundation
import Publishing
import TestSupport
import Testing
import Tilesets

/// Snippets as compilers of their languages read them, against stubs of the SDKs' public names.
///
/// The stubs are not those of a Mac, which has some of the modules itself.
@Suite struct SnippetCompilationTests {
    private static let clients = SharedData.packageRoot
        .appending(path: "Tests/PublishingTests/Snippets/Clients")

    /// Tilesets whose code differs: each has a floor, and so names, of its own.
    private static let tilesets: [TilesetMetadata] = [
        metadata(),
        metadata(scheme: .tms, floor: "1", tileSize: 512),
        metadata(template: "{quadkey}.png", floor: "-1"),
        metadata(
            template: "100%/ü \"$(x)\\{z}\"/{x}/{y}.png", floor: "É\"\n\\(2)", name: hostileText),
        fiji(floor: "f"),
    ]

    /// Writes the snippets of a client into files: of tilesets, of one building and of two, and the code for a
    /// camera with all limits.
    private static func write(
        _ client: SnippetClient, _ ending: String, in directory: TemporaryDirectory
    ) throws -> [String] {
        let camera = try directory.write(
            ClientCamera(tiltedView, limits: someLimits, for: client).text, to: "camera.\(ending)")
        let buildings = [("one", ["Harbour Mall"]), ("two", ["East Wing", hostileText])]
        let floors = try buildings.map { file, names in
            try directory.write(
                buildingSnippet(names, for: client, url: "https://a.org/\"$(x)\\%@"), to: "\(file).\(ending)")
        }
        return try [camera] + floors
            + tilesets.enumerated().map { number, tileset in
                try directory.write(snippet(tileset, for: client), to: "snippet\(number).\(ending)")
            }
    }

    /// Writes the code for a camera without limits.
    private static func writeFreeCamera(
        _ client: SnippetClient, _ ending: String, in directory: TemporaryDirectory
    ) throws -> [String] {
        let code = ClientCamera(tiltedView, limits: CameraLimits(), for: client).text
        return [try directory.write(code, to: "free.\(ending)")]
    }

    #if os(Linux)
        @Test(
            "Swift snippets pass the type checker, in the language mode of 5 and of 6", .long,
            .needs("swiftc"),
            arguments: [
                (SnippetClient.iosSwift, ["ImageIO", "GoogleMaps", "UIKit"]),
                (.mapkitSwift, ["ImageIO", "MapKit"]),
            ])
        func swift(client: SnippetClient, modules: [String]) throws {
            let scratch = try TemporaryDirectory()
            for module in modules {
                try Self.compile(
                    "swiftc", "-emit-module", "-module-name", module, "-parse-as-library",
                    "-I", scratch.url.path, Self.clients.appending(path: module + ".swift").path,
                    "-o", scratch.path(module + ".swiftmodule"), in: scratch)
            }
            let all = try Self.write(client, "swift", in: scratch)
            let free = try Self.writeFreeCamera(client, "swift", in: scratch)
            for (mode, files) in [("5", all), ("6", all), ("6", free)] {
                try Self.compile(
                    ["swiftc", "-typecheck", "-warnings-as-errors", "-swift-version", mode]
                        + ["-parse-as-library", "-I", scratch.url.path] + files, in: scratch)
            }
        }

        /// Of a picture of 4 x 4 pixels, letters in the stand-in for Core Graphics: the first program asks for its
        /// own tile, a quarter, a pixel, and for what is not there. Farther zooms, the map does not ask for.
        @Test(
            "the code for MapKit gets a part of the ancestor's picture beyond the last zoom", .long,
            .needs("swiftc")
        )
        func mapKitRuns() throws {
            let scratch = try TemporaryDirectory()
            let tileset = metadata(limits: [TileRange(zoom: 3, columns: 3...3, rows: 5...6)])
            let address = scratch.url.absoluteString + "/{z}_{x}_{y}.png"
            _ = try scratch.write(snippet(tileset, for: .mapkitSwift, url: address), to: "snippet.swift")
            _ = try scratch.write("4 4 abcdefghijklmnop", to: "3_3_5.png")
            let program = """
                import MapKit
                let tiles = [(3, 5, 3), (7, 11, 4), (13, 22, 5), (6, 12, 4), (8, 10, 4)]
                for (x, y, z) in tiles {
                    let path = MKTileOverlayPath(x: x, y: y, z: z, contentScaleFactor: 2)
                    PlanTiles(urlTemplate: nil).loadTile(at: path) { file, error in
                        print(file.map { String(decoding: $0, as: UTF8.self) } ?? "none", error != nil)
                    }
                }
                """
            let main = try scratch.write(program, to: "main.swift")
            for (module, needs) in [("ImageIO", []), ("MapKit", ["-lImageIO"])] {
                try Self.compile(
                    ["swiftc", "-emit-library", "-emit-module", "-parse-as-library", "-I", ".", "-L", "."]
                        + ["-module-name", module, Self.clients.appending(path: module + ".swift").path]
                        + needs + ["-o", "lib\(module).so"], in: scratch)
            }
            try Self.compile(
                "swiftc", "-I", ".", "-L", ".", "-lImageIO", "-lMapKit", "snippet.swift", main, "-o", "run",
                in: scratch)
            let outcome = try Tool.run(
                "/usr/bin/env", ["LD_LIBRARY_PATH=\(scratch.url.path)", scratch.path("run")])
            #expect(
                outcome.output.split(separator: "\n") == [
                    "4 4 abcdefghijklmnop false", "4 4 kkllkkllooppoopp false", "4 4 jjjjjjjjjjjjjjjj false",
                    "none true", "none false",
                ], "\(outcome.output)\(outcome.errors)")
        }
    #endif

    @Test(
        "Objective-C snippets have no warning under -Wall -Wextra",
        .needs("clang"))
    func objectiveC() throws {
        let scratch = try TemporaryDirectory()
        let free = try Self.writeFreeCamera(.iosObjC, "m", in: scratch)
        for file in try Self.write(.iosObjC, "m", in: scratch) + free {
            try Self.compile(
                "clang", "-target", "arm64-apple-ios16", "-fsyntax-only", "-fobjc-arc", "-fblocks",
                "-nostdinc", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror",
                "-I", Self.clients.path, file, in: scratch)
        }
    }

    @Test(
        "Kotlin snippets compile without a warning", .long, .needs("kotlinc"))
    func kotlin() throws {
        let scratch = try TemporaryDirectory()
        let stubs = ["GoogleMap.kt", "model.kt", "android.kt", "json.kt", "graphics.kt", "util.kt"].map {
            Self.clients.appending(path: $0).path
        }
        let all = try Self.write(.androidKotlin, "kt", in: scratch)
        let free = try Self.writeFreeCamera(.androidKotlin, "kt", in: scratch)
        for files in [all, free] {
            try Self.compile(
                ["kotlinc", "-Werror", "-d", scratch.path("classes")] + stubs + files, in: scratch)
        }
    }

    private static func compile(_ words: String..., in directory: TemporaryDirectory) throws {
        try compile(words, in: directory)
    }

    private static func compile(_ words: [String], in directory: TemporaryDirectory) throws {
        let compiler = try #require(Tool.path(words[0]))
        let outcome = try Tool.run(compiler, Array(words.dropFirst()), in: directory.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }
}
