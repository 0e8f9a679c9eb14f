import Platform
import Publishing
import Tilesets
public import Tiling

/// The output: its place, the names of tiles, and its labels.
public struct OutputRequest: Hashable, Sendable {
    /// What `doc.kml` shows in Google Earth.
    public enum DocKML: String, CaseIterable, Sendable {
        /// One picture of the whole tileset.
        case overlay
        /// The tiles themselves.
        case superoverlay
    }

    /// A folder, or one file for all, whose name ends in `.mbtiles` or `.pmtiles`.
    public var path: String
    /// The names of files in a folder, with the placeholders `{z}`, `{x}`, `{y}`, `{-y}`, `{ext}`,
    /// `{floor}` and `{quadkey}`.
    public var template = TileTemplate.standard
    /// Whether row 0 is in the north or in the south.
    public var scheme = TileScheme.xyz
    /// The floor that the image shows, for `{floor}`.
    public var floor: String?
    /// The labels.
    public var labels = TilesetLabels()
    /// The address of the folder on the web; makes TileJSON's addresses absolute.
    public var url: String?
    /// What `doc.kml` for Google Earth shows; nil for no such file.
    public var docKML: DocKML?
    /// A file for the addresses of tiles and documents that the run adds, changes and removes.
    public var changes: String?
    /// A file for a Makefile fragment: the output depends on the images and the files beside them.
    public var depfile: String?
    /// Whether to write into a folder, or to replace a file, of another program or from other images; other
    /// files of the folder stay.
    public var force = false
    /// Whether everything is on the disk before success is reported.
    public var fsync = false

    /// Asks for tiles in a folder or an archive.
    public init(_ path: String) { self.path = path }

    /// The container, by the name of the output.
    public var container: TilesetContainer { TilesetContainer(path: path) }

    /// Whether TileJSON has relative addresses: its specification requires absolute ones, which take a `url`.
    public var hasRelativeAddresses: Bool { url == nil && !container.isArchive }

    /// The floor by which the finished tileset is opened; nil for an archive, which holds one tileset.
    var storedFloor: String? { container.isArchive ? nil : floor }

    /// Refuses contradictions.
    ///
    /// - Throws: `.usage`.
    package func check() throws {
        if let url { try WebAddress.checkBase(url) }
        if path.isEmpty { throw Failure(.usage, "-o needs the name of a directory or a file") }
        if path == "-" {
            throw Failure(
                .usage,
                "cannot write tiles to standard output: they are many files, and an archive is not "
                    + "written from its beginning to its end",
                remedy: "name a folder, or a file that ends in .pmtiles or .mbtiles; './-' is a folder")
        }
        if let part = ["{z}", "{x}", "{y}"].first(where: path.contains) {
            throw Failure(
                .usage, "cannot write tiles to '\(path)': \(part) belongs in the names of tiles",
                remedy: "name a folder, and the tiles in it with --template '{z}/{x}/{y}.{ext}'")
        }
        try TilesetContainer.checkName(path)
    }

    /// Refuses a file at the place of a folder.
    ///
    /// - Throws: `.outputRefused`.
    func checkIsFolder() throws(Failure) {
        guard !container.isArchive, let kind = FileStatus(at: path)?.kind, kind != .directory else { return }
        throw Failure(
            .outputRefused, "cannot write tiles to '\(path)': it is not a folder",
            remedy: "name a folder, or a file that ends in .pmtiles or .mbtiles")
    }

    /// Documents of so many tiles take some 60 MB.
    private static let mostTilesOfSuperOverlay = 100_000

    /// Refuses a superoverlay of too many tiles.
    func check(tileCount: Int) throws {
        guard docKML == .superoverlay, tileCount > Self.mostTilesOfSuperOverlay else { return }
        throw Failure(
            .usage,
            "cannot write a superoverlay of \(tileCount) tiles: Google Earth wants no more than "
                + "\(Self.mostTilesOfSuperOverlay)",
            remedy: "ask for a lower --zoom, or for --doc-kml overlay")
    }

    /// The file that changes when the output does: its TileJSON, or the archive itself.
    var target: String {
        if container.isArchive { return path }
        return path.path(of: TileJSON.fileName(floor: floor))
    }
}

/// The labels of a tileset.
public struct TilesetLabels: Hashable, Sendable {
    /// A name for people; nil for that of the image, or of the tileset.
    public var name: String?
    /// Whom to credit.
    public var attribution: String?
    /// What the tileset shows.
    public var description: String?

    /// Makes empty labels.
    public init() {}
}
