import Foundation
import TestSupport
import Testing

/// The example apps, made as their reader would.
@Suite(.long, .needs("make"))
struct AppExamplesTests {
    private let scratch: TemporaryDirectory
    private let folder: URL

    /// A copy of the examples, with links to what else they use.
    init() throws {
        scratch = try TemporaryDirectory()
        let files = FileManager.default
        let (root, examples) = (SharedData.packageRoot, scratch.url.appending(path: "Examples"))
        folder = examples.appending(path: "Apps")
        try files.copyItem(at: root.appending(path: "Examples"), to: examples)
        for name in ["Sources", "Tests"] {
            try files.createSymbolicLink(
                at: scratch.url.appending(path: name), withDestinationURL: root.appending(path: name))
        }
        try make(["clean"])
    }

    @discardableResult
    private func make(_ arguments: [String] = []) throws -> Tool.Outcome {
        let outcome = try Tool.run("make", ["TILEWRIGHT=\(Program.path)"] + arguments, in: folder)
        try #require(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        return outcome
    }

    private func files(in path: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: path).path))
    }

    @Test("make writes floors and code into the apps, once, and make clean removes them")
    func made() throws {
        let (iOS, android) = ("iOS/HarbourMall.swiftpm", "Android/app/src/main")
        let apps = [iOS, "\(android)/kotlin"]
        let before = try apps.map(files)
        try make()
        let floors: Set = ["0.pmtiles", "1.pmtiles", "2.pmtiles", "building.json"]
        for path in ["\(iOS)/floors", "\(android)/assets/floors"] { #expect(try files(in: path) == floors) }
        let code = [["HarbourMallFloors.swift", "floors"], ["HarbourMallFloors.kt", "TilewrightTiles.kt"]]
        #expect(try zip(apps, before).map { try files(in: $0).subtracting($1) } == code.map(Set.init))
        #expect(try files(in: "Web").isSuperset(of: ["floors", "index.html"]))
        #expect(try files(in: "Web/floors").isSuperset(of: ["0", "1", "2", "building.json"]))

        #expect(try !make().output.contains(Program.path), "nothing is made again")
        try make(["clean"])
        #expect(try apps.map(files) == before)
    }

    #if os(Linux)
        @Test("the iOS app compiles", .needs("swiftc"))
        func checked() throws {
            #expect(try make(["check"]).output.contains("The code of the iOS app compiles.\n"))
        }
    #endif
}
