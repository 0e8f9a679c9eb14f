import Platform
import Publishing
import Tilesets
public import Tiling

/// The output: its path, the names of tiles, and its labels.
public struct OutputRequest: Hashable, Sendable {
    /// The content of `doc.kml` in Google Earth.
    public enum DocKML: String, CaseIterable, Sendable {
        /// One picture of the whole tileset.
        case overlay
        /// The tiles themselves.
        case superoverlay
    }

    /// A folder, or an archive, whose name ends in `.mbtiles` or `.pmtiles`.
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
    /// The address of the folder on the web, which makes the addresses in TileJSON absolute.
    public var url: String?
    /// The content of `doc.kml` for Google Earth; nil for no such file.
    public var docKML: DocKML?
    /// A file for the addresses of tiles and documents that the run adds, changes and removes.
    public var changes: String?
    /// A file for a Makefile fragment: the output depends on the images and the files next to them.
    public var depfile: String?
    /// Whether to write into a folder, or replace a file, even if it is of another program or from other
    /// images. Other files in the folder stay.
    public var force = false
    /// Whether everything is on the disk before success is reported.
    public var fsync = false

    /// Asks for tiles in a folder or an archive.
    public init(_ path: String) { self.path = path }

    /// The container, by the name of the output.
    public var container: TilesetContainer { TilesetContainer(path: path) }

    /// Whether TileJSON has relative addresses: its specification requires absolute ones, which need a `url`.
    public var hasRelativeAddresses: Bool { url == nil && !container.isArchive }

    /// The floor by which the finished tileset is opened; nil for an archive, which holds one tileset.
    var storedFloor: String? { container.isArchive ? nil : floor }

    /// Refuses contradictions.
    ///
    /// - Throws: `.usage`.
    package func check() throws {
        if let url { try WebAddress.checkBase(url) }
        if path.isEmpty { throw Failure(.usage, "-o needs the name of a folder or a file") }
        if path == "-" {
            throw Failure(
                .usage,
                "cannot write tiles to standard output: they are many files, and even an archive is not "
                    + "written from beginning to end",
                remedy: "name a folder, or a file that ends in .pmtiles or .mbtiles; './-' is the folder '-'")
        }
        if let part = ["{z}", "{x}", "{y}"].first(where: path.contains) {
            throw Failure(
                .usage, "cannot write tiles to '\(path)': \(part) belongs in the names of tiles",
                remedy: "name a folder, and the tiles in it with --template '{z}/{x}/{y}.{ext}'")
        }
        try TilesetContainer.checkName(path)
    }

    /// Refuses a file in place of a folder.
    ///
    /// - Throws: `.outputRefused`.
    func checkIsFolder() throws(Failure) {
        guard !container.isArchive, let kind = FileStatus(at: path)?.kind, kind != .directory else { return }
        throw Failure(
            .outputRefused, "cannot write tiles to '\(path)': it is not a folder",
            remedy: "name a folder, or a file that ends in .pmtiles or .mbtiles")
    }

    /// The maximum number of tiles of a superoverlay: the documents of this many tiles take some 60 MB.
    private static let mostTilesOfSuperOverlay = 100_000

    /// Refuses a superoverlay of too many tiles.
    func check(tileCount: Int) throws {
        guard docKML == .superoverlay, tileCount > Self.mostTilesOfSuperOverlay else { return }
        throw Failure(
            .usage,
            "cannot write a superoverlay of \(tileCount) tiles: Google Earth should get no more than "
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
    /// A name for people; nil for that of the image or output, or of a copied tileset.
    public var name: String?
    /// The people or organizations to credit.
    public var attribution: String?
    /// A description of the content.
    public var description: String?

    /// Makes empty labels.
    public init() {}
}
