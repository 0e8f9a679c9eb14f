package import Platform
import Publishing
import Raster
import Tilesets
public import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A request to build a tileset: the images, the pyramid, the output and the resources.
public struct BuildRequest: Sendable {
    /// The images, each over the ones before it. If there are several, their files must have positions.
    public var images: [ImageRequest]
    /// The pyramid to build.
    public var pyramid: PyramidRequest
    /// The output of the tiles.
    public var output: OutputRequest
    /// The resources that may be used.
    public var resources = BuildResources()
    /// The largest allowed residual of a control point, in metres on the ground: with a larger one, the build
    /// fails. Nil for no limit.
    public var maxResidual: Double?
    /// Files that named the images; they count as inputs, too.
    public var lists: [String] = []

    /// Asks for the tiles of some images.
    public init(_ images: [ImageRequest], pyramid: PyramidRequest = PyramidRequest(), output: OutputRequest) {
        self.images = images.map { $0.on(pyramid.background) }
        self.pyramid = pyramid
        self.output = output
    }

    /// Asks for the tiles of one image.
    public init(_ image: ImageRequest, pyramid: PyramidRequest = PyramidRequest(), output: OutputRequest) {
        self.init([image], pyramid: pyramid, output: output)
    }
}

/// The resources of a build. The bytes of tiles do not depend on them.
public struct BuildResources: Hashable, Sendable {
    /// The maximum number of units of work at a time, 1 to 1024; nil for one per core. A `JobServer` may allow
    /// fewer.
    public var jobs: Int?
    /// Bytes of memory for pixels; further pixels go to a scratch file.
    public var memory = 1 << 30
    /// The folder for scratch files; nil for the folder of the output, or the working folder without an
    /// output.
    public var scratchDirectory: String?
    /// The maximum number of tiles of a plan, and of a finished tileset that is read. Plans and tilesets with
    /// more are refused.
    public var maxTiles = Self.standardMaxTiles
    /// The maximum number of pixels that are read or rendered. A plan with more is refused.
    public var maxPixels = Self.standardMaxPixels

    /// The default limit of tiles that are made or read.
    public static let standardMaxTiles = ReadingBudget.standardTiles

    /// The number of plans that share the memory for pixels, since they are rendered at the same time, such
    /// as those of a server's tiles.
    var sharers = 1

    /// The default limit of pixels that are read or rendered.
    public static let standardMaxPixels = 20_000_000_000

    /// Takes the resources of the machine, up to the limits above.
    public init() {}

    /// Units of work at a time.
    package var effectiveJobs: Int { jobs ?? ProcessInfo.processInfo.activeProcessorCount }

    /// Bytes for pixels: those of `memory`, but at most the limit of a container or a service manager, less
    /// the larger of two: a quarter, for file pages that wait to be written to the disk, or the program's own
    /// memory.
    func memoryBudget(in group: CgroupMemory) -> Int {
        guard let bound = group.memory else { return memory }
        return max(1, min(memory, bound / 4 * 3, bound - Self.baseBytes))
    }

    /// Bytes for the pixels of images: half of the budget if there are documents, since renderers have the
    /// other half.
    func pixelMemory(of images: [PlacedImage], in group: CgroupMemory = .own) -> Int {
        let all = memoryBudget(in: group) / sharers
        return max(1, images.contains { $0.drawn != nil } ? all / 2 : all)
    }

    /// The limits of renderers of documents.
    var rendererLimits: RendererLimits {
        var limits = RendererLimits()
        limits.total = memoryBudget(in: .own)
        (limits.memory, limits.jobs) = (limits.total / 2, max(effectiveJobs, sharers))
        return limits
    }

    /// The memory of the program without pixels: itself, its libraries, and small objects of all kinds.
    package static let baseBytes = 32 << 20

    /// Refuses a plan of more tiles.
    ///
    /// - Throws: `.usage`.
    func checkTiles(_ count: Int) throws(Failure) {
        guard count > maxTiles else { return }
        throw Failure(
            .usage, "this would make \(count) tiles, but --max-tiles allows \(Count(maxTiles))",
            remedy: "ask for a lower --zoom, or raise --max-tiles")
    }

    /// Refuses numbers that are out of range.
    ///
    /// - Throws: `.usage`.
    package func check() throws(Failure) {
        if let jobs, !(1...1024 ~= jobs) {
            throw Failure(.usage, "--jobs \(jobs) is not between 1 and 1024")
        }
        for (name, value) in [
            ("--memory", memory), ("--max-tiles", maxTiles), ("--max-pixels", maxPixels),
        ] where value < 1 {
            throw Failure(.usage, "\(name) must be at least 1")
        }
    }
}

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
    /// A file to which the addresses of all changes are added, until someone takes it away.
    public var pending: String?
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
    package var storedFloor: String? { container.isArchive ? nil : floor }

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
        return path.path(of: SideFile.name("tilejson", floor: floor))
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
