import Platform

/// Something that somebody wants to see on a page.
enum PageSubject {
    /// What was built of a manifest, and the manifest's path.
    case manifest(Manifest, path: String)
    /// A folder of tiles, or an archive.
    case output(String)

    /// Tells by the ending of a path, and reads a manifest.
    init(_ path: String) throws {
        self =
            Manifest.isManifest(path)
            ? .manifest(try Manifest(contentsOf: path), path: path) : .output(path)
    }

    /// Where its page goes if nobody says it.
    var standardPage: String {
        switch self {
        case .manifest(.building(let request), _): request.folder.path(of: Self.index)
        case .manifest(.campus(let request), _): request.folder.path(of: Self.index)
        case .output(let path):
            TilesetContainer(existing: path).isArchive
                ? path.parentDirectory + "/" + path.fileStem + ".html" : path.path(of: Self.index)
        }
    }

    /// The page that a web server shows of a folder.
    private static let index = "index.html"
}
