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
        .appending(path: "Tests/Clients/ObjectiveC")

    /// Tilesets whose code differs: each has a floor, and so names, of its own.
    private static let tilesets: [TilesetMetadata] = [
        metadata(),
        metadata(scheme: .tms, floor: "1", tileSize: 512),
        metadata(template: "{quadkey}.png", floor: "-1"),
        metadata(
            template: "100%/ü \"$(x)\\{z}\"/{x}/{y}.png", floor: "É\"\n\\(2)", name: hostileText),
        fiji(floor: "f"),
    ]

    /// Numbers without fractions.
    private static let wholeDegrees = CameraView(
        CameraPosition(target: Point(x: 2, y: 1), zoom: 17, bearing: 0, tilt: 0))

    /// Writes the snippets of a client into files: of tilesets, of one building and of two, and the code for a
    /// camera with all limits.
    private static func write(
        _ client: SnippetClient, _ ending: String, in directory: TemporaryDirectory
    ) throws -> [String] {
        let camera = try directory.write(
            ClientCamera(wholeDegrees, limits: someLimits, for: client).text, to: "camera.\(ending)")
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
            arguments: [SnippetClient.iosSwift, .mapkitSwift])
        func swift(client: SnippetClient) throws {
            let scratch = try TemporaryDirectory()
            let root = SharedData.packageRoot
            let outcome = try Tool.run(
                "/bin/sh", [root.appending(path: "Tests/Clients/Swift/stand_ins.sh").path, scratch.url.path])
            try #require(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            let libraries = root.appending(path: "Sources/SystemLibraries/CTileArchives").path
            let all = try Self.write(client, "swift", in: scratch)
            let free = try Self.writeFreeCamera(client, "swift", in: scratch)
            // New projects of Xcode 26 isolate all code to the main actor.
            let isolated = ["-default-isolation", "MainActor"]
            let modes = [["5"], ["6"], ["5"] + isolated, ["6"] + isolated]
            for (mode, files) in modes.map({ ($0, all) }) + [(["6"], free)] {
                try Self.compile(
                    ["swiftc", "-typecheck", "-warnings-as-errors", "-swift-version"] + mode
                        + ["-parse-as-library", "-I", scratch.url.path, "-I", libraries] + files, in: scratch)
            }
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

    private static func compile(_ words: String..., in directory: TemporaryDirectory) throws {
        try compile(words, in: directory)
    }

    private static func compile(_ words: [String], in directory: TemporaryDirectory) throws {
        let compiler = try #require(Tool.path(words[0]))
        let outcome = try Tool.run(compiler, Array(words.dropFirst()), in: directory.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }
}
