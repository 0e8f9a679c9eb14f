import Platform
import Tilesets
package import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What holds a tileset, as the name of the output says.
public enum TilesetContainer: CaseIterable, Sendable {
    /// A tree of files.
    case directory
    /// An SQLite database, MBTiles 1.3.
    case mbtiles
    /// An archive of PMTiles, version 3.
    case pmtiles

    /// Tells by the ending of a path.
    public init(path: String) {
        let path = path.lowercased()
        self = Self.allCases.first { $0.ending.map(path.hasSuffix) ?? false } ?? .directory
    }

    /// Tells of what is there already: a directory is a tree, whatever its name.
    public init(existing path: String) { self = TilesetContainer(ofTileset: path) ?? .directory }

    /// Tells of a path that may mean an image: nil if neither a directory is there nor the name ends like
    /// that of an archive.
    init?(ofTileset path: String) {
        var isDirectory = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        let container = exists && isDirectory ? .directory : TilesetContainer(path: path)
        guard isDirectory || container.isArchive else { return nil }
        self = container
    }

    /// How names of archives end; nil for a tree.
    private var ending: String? {
        switch self {
        case .directory: nil
        case .mbtiles: ".mbtiles"
        case .pmtiles: ".pmtiles"
        }
    }

    /// What people call it.
    var name: String {
        switch self {
        case .directory: "a folder"
        case .mbtiles: "MBTiles"
        case .pmtiles: "PMTiles"
        }
    }

    /// Whether it is one file, in which tiles have no names and no address of their own.
    public var isArchive: Bool { ending != nil }

    /// Whether tiles of several file types stand in it together.
    var takesMixedTypes: Bool {
        switch self {
        case .directory, .mbtiles: true
        case .pmtiles: false
        }
    }

    /// Whether its tiles wait in a scratch file until all are known.
    var sortsTiles: Bool {
        switch self {
        case .directory, .mbtiles: false
        case .pmtiles: true
        }
    }

    /// What a name's ending stands for that people give to what is no tileset of ours, without the dot.
    private static let foreignEndings: [(kind: String, endings: [String])] = [
        ("a ZIP archive", ["zip"]), ("an archive", ["tar", "tgz", "gz", "bz2", "xz", "zst", "7z", "rar"]),
        ("a Deep Zoom image", ["dzi"]), ("a GeoPackage", ["gpkg"]),
        ("a database", ["sqlite", "sqlitedb", "db"]),
        ("an overlay of Google Earth", ["kmz", "kml"]), ("a page", ["html", "htm"]),
        ("a document", ["json", "geojson", "tilejson", "yaml", "yml", "xml", "pdf", "svg"]),
        (
            "an image",
            ["png", "jpg", "jpeg", "webp", "tif", "tiff", "gif", "bmp", "avif", "heic", "vrt", "jp2"]
        ),
        ("a mistyped MBTiles file", ["mbtile", "mbtils"]), ("a mistyped PMTiles file", ["pmtile", "pmtils"]),
    ]

    /// Refuses an address as an output, and a name that ends like something else: without this, a folder would be
    /// called so.
    ///
    /// A folder that is there may be called as it likes, and so may one whose name is given with a slash.
    ///
    /// - Throws: `.usage`.
    static func checkName(_ path: String) throws(Failure) {
        if let address = RemoteAddress(path) { throw address.writingFailure }
        let ending = path.splitExtension.fileExtension.lowercased()
        guard let kind = foreignEndings.first(where: { $0.endings.contains(ending) })?.kind,
            FileStatus(at: path)?.kind != .directory
        else { return }
        throw Failure(
            .usage, "cannot write tiles to '\(path)', which ends like \(kind)",
            remedy:
                "name a folder, or a file that ends in .pmtiles or .mbtiles; a folder that is to be called so "
                + "has a slash behind its name")
    }

    /// Refuses options that mean nothing for an archive.
    func check(_ output: OutputRequest, _ format: TileFormat) throws {
        try check(
            template: output.template == TileTemplate.standard ? nil : output.template,
            scheme: output.scheme == .xyz ? nil : output.scheme, url: output.url)
        if isArchive, output.docKML != nil {
            throw Failure(
                .usage, "--doc-kml has no meaning for \(name), which holds no other files")
        }
        if !takesMixedTypes, format == .auto {
            throw Failure(
                .usage, "--format auto has no meaning for \(name), whose tiles are all of one type",
                remedy: "--format webp has transparency and is small; a folder or MBTiles "
                    + "take --format auto")
        }
    }

    /// Refuses what was given and means nothing for an archive.
    package func check(template: String?, scheme: TileScheme?, url: String?) throws {
        guard isArchive else { return }
        func refusal(_ option: String, _ why: String) -> Failure {
            Failure(.usage, "\(option) has no meaning for \(name), \(why)")
        }
        if template != nil { throw refusal("--template", "whose tiles have no file names") }
        if let scheme {
            throw refusal("--scheme \(scheme.rawValue)", "which has one way to count rows")
        }
        if url != nil { throw refusal("--url", "which holds no addresses") }
    }
}
