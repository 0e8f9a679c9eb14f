import Foundation
import TestSupport
import Testing

/// The Kotlin file and the JavaScript module, which do the same as the Swift library, in tests in their own languages.
@Suite(.long)
struct AppLanguagesTests {
    private static let tests = SharedData.packageRoot.appending(path: "Tests/Clients")
    /// Of the Python module kotlin-jupyter-kernel: a folder with a compiler of Kotlin.
    static let kotlin = MapLibraries.folder(of: "run_kotlin_kernel").map { $0 + "/jars" }

    @Test("the JavaScript module in Node", .needs("node"))
    func node() throws {
        let outcome = try Tool.run(
            "/usr/bin/env",
            ["TILEWRIGHT=\(Program.path)", "node", "--test", Self.tests.appending(path: "Web/test.mjs").path])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test(
        "the code for web clients in a browser",
        .enabled(if: Browser.isPresent, "not installed: chromium"),
        .enabled(if: MapLibraries.leaflet != nil, "not installed: Debian's libjs-leaflet"),
        .enabled(if: MapLibraries.maplibre != nil, "not installed: python3 with maplibre"),
        .enabled(if: MapLibraries.openlayers != nil, "not installed: python3 with mapproxy"))
    func pages() throws {
        let folders = [
            "LEAFLET": MapLibraries.leaflet, "MAPLIBRE": MapLibraries.maplibre,
            "OPENLAYERS": MapLibraries.openlayers,
        ]
        let outcome = try Tool.run(
            "/usr/bin/env",
            folders.map { "\($0)=\($1?.path ?? "")" } + [
                "TILEWRIGHT=\(Program.path)", Python.path() ?? "python3",
                Self.tests.appending(path: "Web/test_pages.py").path,
            ])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test(
        "the Kotlin file and the code for Android on a JVM", .needs("java", "python3"),
        .enabled(if: kotlin != nil, "not installed: python3 with kotlin-jupyter-kernel"))
    func jvm() throws {
        let scratch = try TemporaryDirectory()
        let outcome = try Tool.run(
            "python3",
            [
                Self.tests.appending(path: "Kotlin/run.py").path, Self.kotlin ?? "", Program.path,
                scratch.path("data"),
            ])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }
}
