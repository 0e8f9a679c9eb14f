import Platform
import Publishing

extension MapLibrary {
    /// Reads Leaflet from a directory.
    ///
    /// - Throws: `.missingInput` if a file is not there, `.badInput` if it is something else.
    package init(directory: String) throws {
        let script = try Self.read("leaflet.js", in: directory)
        // What every version says of itself, with or without a comment at its head.
        guard script.contains("tileLayer"), script.contains(/["']1\.[0-9]+\.[0-9]+/) else {
            throw Failure(
                .badInput, "cannot use '\(directory.path(of: "leaflet.js"))': it is not Leaflet 1",
                remedy: "https://leafletjs.com/download.html has it")
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
