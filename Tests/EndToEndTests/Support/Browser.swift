import Foundation
import TestSupport
import Testing

/// A browser without a window.
enum Browser {
    private static let path = Tool.path("chromium") ?? Tool.path("google-chrome")

    /// Whether there is one.
    static var isPresent: Bool { path != nil }

    /// The picture of a page, when all its files have come.
    ///
    /// - Parameters:
    ///   - size: width and height of the page in its own pixels.
    ///   - scale: pixels of the picture per pixel of the page.
    static func screenshot(
        _ url: String, size: (width: Int, height: Int), scale: Int = 1
    ) throws -> Picture {
        let scratch = try TemporaryDirectory()
        let picture = scratch.path("page.png")
        let outcome = try Tool.run(
            path ?? "",
            [
                "--headless=new", "--no-sandbox", "--hide-scrollbars", "--no-first-run",
                // WebGL without a graphics card.
                "--enable-unsafe-swiftshader",
                "--force-device-scale-factor=\(scale)",
                "--window-size=\(size.width),\(size.height)",
                "--user-data-dir=\(scratch.path("profile"))", "--screenshot=\(picture)", url,
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try Picture(contentsOf: picture)
    }

    /// What a script that acts as a person, one of this folder, says of a page.
    static func act(_ script: String, on page: URL, _ arguments: [String]) throws -> [String: Any] {
        let folder = SharedData.packageRoot.appending(path: "Tests/EndToEndTests/Support")
        let outcome = try Tool.run(
            "python3", ["-B", folder.appending(path: script).path, page.absoluteString] + arguments)
        try #require(outcome.status == 0, "\(outcome.errors)")
        let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(json as? [String: Any])
    }

    /// A folder for pictures of what such a script does, if somebody wants to see them.
    static func screenshots(_ name: String) throws -> [String] {
        guard let parent = ProcessInfo.processInfo.environment["TILEWRIGHT_SCREENSHOTS"] else { return [] }
        let folder = "\(parent)/\(name)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return [folder]
    }

    /// The text of a page's element `out`, when all its files have come.
    static func output(_ url: String) throws -> String {
        let scratch = try TemporaryDirectory()
        let outcome = try Tool.run(
            path ?? "",
            [
                "--headless=new", "--no-sandbox", "--no-first-run", "--enable-unsafe-swiftshader",
                "--user-data-dir=\(scratch.path("profile"))", "--dump-dom", url,
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let start = try #require(outcome.output.range(of: "<pre id=\"out\">"))
        let rest = outcome.output[start.upperBound...]
        return String(rest[..<(try #require(rest.range(of: "</pre>"))).lowerBound])
    }
}

/// The map libraries that are installed here, for pages without a network.
enum MapLibraries {
    /// Debian's libjs-leaflet: a folder with `leaflet.js` and `leaflet.css`.
    static let leaflet = existing("/usr/share/javascript/leaflet", with: "leaflet.js")

    /// Of the Python module `maplibre`: a folder with `maplibre-gl.js`.
    static let maplibre = folder(of: "maplibre").flatMap {
        existing($0 + "/srcjs", with: "maplibre-gl.js")
    }

    /// Of MapProxy, which shows its layers with it: a folder with `ol.js`.
    static let openlayers = folder(of: "mapproxy").flatMap {
        existing($0 + "/service/templates/demo/static", with: "ol.js")
    }

    private static func existing(_ folder: String, with file: String) -> URL? {
        let url = URL(filePath: folder)
        let isThere = FileManager.default.fileExists(atPath: url.appending(path: file).path)
        return isThere ? url : nil
    }

    /// Where a Python module is, without running it.
    static func folder(of name: String) -> String? {
        let script =
            "import importlib.util as u; s = u.find_spec('\(name)'); "
            + "print(s.submodule_search_locations[0] if s else '')"
        let outcome = try? Python.run(script, with: [name])
        guard let outcome, outcome.status == 0 else { return nil }
        let path = outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
        return path.isEmpty ? nil : path
    }
}
