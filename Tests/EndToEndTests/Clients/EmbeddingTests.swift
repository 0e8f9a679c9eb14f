import Foundation
import TestSupport
import Testing

/// The example of a package that uses the library.
struct EmbeddingTests {
    /// The project's files, in a folder of another name: the example finds the package by its place.
    private func copyOfProject(in scratch: TemporaryDirectory) throws -> URL {
        let (project, copy) = (SharedData.packageRoot, scratch.url.appending(path: "elsewhere"))
        let listed = try Tool.run(
            "git", ["ls-files", "--cached", "--others", "--exclude-standard"], in: project)
        try #require(listed.status == 0, "\(listed.errors)")
        for name in listed.output.split(separator: "\n").map(String.init) {
            let (file, place) = (project.appending(path: name), copy.appending(path: name))
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: file, to: place)
        }
        return copy
    }

    @Test(
        "a package elsewhere builds on the library, and makes the tiles that the program makes", .long,
        .needs("swift", "git"))
    func package() throws {
        let scratch = try TemporaryDirectory()
        let folder = try copyOfProject(in: scratch).appending(path: "Examples/Embedding")
        let outcome = try Tool.run("swift", ["run", "Embedding"], in: folder)
        try #require(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("22 tiles, 22 of them new or changed\n"))
        #expect(outcome.output.contains(", as in the folder\n"))

        let ours = scratch.url.appending(path: "ours")
        try Program.succeed(["../ground.png", "--zoom", "17-20", "-o", ours.path], in: folder)
        let tiles = try Snapshot(of: folder.appending(path: "tiles")).tiles
        #expect(tiles.count == 22)
        #expect(try Snapshot(of: ours).tiles == tiles)
    }
}
