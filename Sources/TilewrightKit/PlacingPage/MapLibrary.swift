import Foundation
import Platform
package import Publishing

/// Where pages get Leaflet: from a folder that the user names, or from the system's package.
extension MapLibrary {
    /// The library of a page that may load it: from a folder, else the system's, else from the web.
    ///
    /// - Parameter assets: a folder with `leaflet.js` and `leaflet.css`; nil for none.
    /// - Throws: `.missingInput` if a file of the folder is missing, `.badInput` if it is not Leaflet's.
    package init(assets: String?) throws {
        if let assets {
            self = try MapLibrary(directory: assets)
        } else {
            self = (try? Self.ofSystem()) ?? .hosted
        }
    }

    /// The library of a page that must contain it: from a folder, else the system's.
    ///
    /// - Throws: as above; `.missingInput` if the system has none, either.
    package static func toEmbed(assets: String?) throws -> MapLibrary {
        if let assets { return try MapLibrary(directory: assets) }
        if let library = try ofSystem() { return library }
        throw Failure(
            .missingInput, "Leaflet, the map library that the page needs, is not installed",
            remedy:
                "install it with 'apt install libjs-leaflet', or download it from "
                + "https://leafletjs.com/download.html and name its folder with --viewer-assets")
    }

    /// Reads Leaflet from a directory.
    ///
    /// - Parameter name: the name of its script.
    /// - Throws: `.missingInput` if a file is missing, `.badInput` if a file is not Leaflet's.
    package init(directory: String, script name: String = "leaflet.js") throws {
        let script = try Self.read(name, in: directory)
        // The version that each release contains, with or without a comment at its head.
        guard script.contains("tileLayer"), script.contains(/["']1\.[0-9]+\.[0-9]+/) else {
            throw Failure(
                .badInput, "cannot use '\(directory.path(of: name))': it is not Leaflet 1",
                remedy: "download Leaflet 1 from https://leafletjs.com/download.html")
        }
        self = .embedded(script: script, style: try Self.read("leaflet.css", in: directory))
    }

    /// The library in the system's folders of shared data, where Debian's libjs-leaflet is; nil if it is in
    /// none of them.
    private static func ofSystem() throws -> MapLibrary? {
        let named = getenv("XDG_DATA_DIRS").map { String(cString: $0) } ?? ""
        let folders = named.isEmpty ? "/usr/local/share:/usr/share" : named
        for folder in folders.split(separator: ":").map({ String($0).path(of: "javascript/leaflet") }) {
            // Debian's leaflet.js is three times as large.
            for name in ["leaflet.min.js", "leaflet.js"] where FileStatus(at: folder.path(of: name)) != nil {
                return try MapLibrary(directory: folder, script: name)
            }
        }
        return nil
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
