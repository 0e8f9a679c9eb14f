import Foundation
import TestSupport
import Testing

/// README and articles, as far as a program can say whether they are true.
struct ShownCommandsTests {
    @Test(
        "All commands that README and articles show run, and say what is shown", .long,
        .needsPython("tomllib"),
        .needs("gdal_translate"), .needs("heif-enc"), .needs("avifenc"), .needs("cwebp"),
        .needs("rsvg-convert"),
        .needs("seq"), .needs("xargs"))
    func commands() throws {
        let script = SharedData.packageRoot.appending(path: ".documentation/run_blocks.py")
        let outcome = try Tool.run(
            try #require(Python.path(with: ["tomllib"])), ["-B", script.path, Program.path])
        #expect(outcome.status == 0, "\(outcome.errors)")
        // The renderer is not in every build.
        let hasRenderer = FileManager.default.isExecutableFile(atPath: "\(Program.path)-render")
        let leftOut = outcome.output.split(separator: "\n").filter { $0.contains("left out") }
        #expect(leftOut.allSatisfy { !hasRenderer && $0.contains("tilewright-render") }, "\(leftOut)")
    }
}
