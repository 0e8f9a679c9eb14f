package import ArgumentParser
import Codecs

/// The files that shells offer, by the endings of their names; folders are always among them.
extension CompletionKind {
    /// Images, the documents and archives that hold one, and manifests.
    package static var sources: CompletionKind {
        files(ImageFormats.extensions + ["kmz"] + manifestEndings)
    }

    /// Archives of tiles.
    package static var tilesets: CompletionKind { files(archiveEndings) }

    /// Archives of tiles, and manifests.
    package static var tilesetsAndManifests: CompletionKind { files(archiveEndings + manifestEndings) }

    /// All that a view can show, and a server can serve.
    package static var things: CompletionKind {
        files(ImageFormats.extensions + ["kmz"] + archiveEndings + manifestEndings)
    }

    private static let archiveEndings = ["mbtiles", "pmtiles"]
    private static let manifestEndings = ["yaml", "yml"]

    /// Cameras and scanners write endings in capitals.
    private static func files(_ endings: [String]) -> CompletionKind {
        .file(extensions: endings + endings.map { $0.uppercased() })
    }
}
