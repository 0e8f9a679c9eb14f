import Platform
import Publishing

/// The file of a page that tilewright writes.
enum PageFile {
    /// Refuses a name that is not that of an HTML file.
    ///
    /// - Throws: a `Failure` (`usage`).
    static func checked(_ path: String) throws -> String {
        guard path.hasEnding(".html") || path.hasEnding(".htm") else {
            throw Failure(
                .usage, cannot: "write '\(path)'", "the page is an HTML file",
                remedy: "choose a name that ends in .html")
        }
        return path
    }

    /// Writes a page, whole or not at all.
    ///
    /// Pages of different kinds may have the same name: `plan.html` for `plan.png` and for `plan.pmtiles`.
    ///
    /// - Parameters:
    ///   - kind: the kind of pages that may be replaced.
    ///   - isTyped: whether a user named the file.
    ///   - force: whether to replace any page.
    /// - Throws: a `Failure`: `outputRefused` if there is another page, or none can be made; `inputOutput` if
    ///   writing fails.
    static func write(
        _ html: [UInt8], as kind: PageKind, to path: String, isTyped: Bool, force: Bool
    ) throws {
        // A link is followed: its target is replaced.
        if isTyped, FileStatus(at: path) != nil { _ = try checked(WholeFile.followingLink(path)) }
        if !force, let old = try OutputFile.text(of: path), PageKind(of: old) != kind {
            let other =
                PageKind(of: old).map { "was written by '\($0.command)'" } ?? "was not made by tilewright"
            throw Failure(
                .outputRefused, cannot: "write '\(path)'", "the page there \(other)",
                remedy: "choose another name with -o, or add --force to overwrite the page")
        }
        try OutputFile.write(html, to: path, isTyped: isTyped)
    }
}

extension MapLibrary {
    /// Reads Leaflet from a directory.
    ///
    /// - Throws: `.missingInput` if a file is missing, `.badInput` if a file is not Leaflet's.
    package init(directory: String) throws {
        let script = try Self.read("leaflet.js", in: directory)
        // The version that each release contains, with or without a comment at its head.
        guard script.contains("tileLayer"), script.contains(/["']1\.[0-9]+\.[0-9]+/) else {
            throw Failure(
                .badInput, "cannot use '\(directory.path(of: "leaflet.js"))': it is not Leaflet 1",
                remedy: "download Leaflet 1 from https://leafletjs.com/download.html")
        }
        self = .embedded(script: script, style: try Self.read("leaflet.css", in: directory))
    }

    private static func read(_ name: String, in directory: String) throws -> String {
        let path = directory.path(of: name)
        guard let text = try Failure.ofInput({ try OutputFile.text(of: path) }) else {
            throw Failure(
                .missingInput, "cannot read '\(path)': there is no such file",
                remedy: "--viewer-assets names a folder with leaflet.js and leaflet.css")
        }
        return text
    }
}
