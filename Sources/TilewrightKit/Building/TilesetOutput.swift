import Platform
import Tilesets
import Tiling

/// Where tiles go.
struct TilesetOutput {
    /// OUTPUT.
    var path: String
    /// Take the place of what is not ours.
    var force: Bool
    /// Take the place of a tileset that was made of other images.
    var replacesOthers = false
    /// Have everything on the disk before success is reported.
    var fsync: Bool
    /// The most tiles of an archive that is there, and that the new one is compared with.
    var maxTiles: Int
    /// Where tiles of an archive wait for their places.
    var scratchDirectory: String
    /// Threads that may publish tiles at a time.
    var jobs = 1

    /// Opens or makes OUTPUT.
    ///
    /// - Parameters:
    ///   - names: how the tiles of a tree are named, and which floor they show.
    ///   - job: runs of one job write the same tiles.
    ///   - images: what the tiles are made of.
    ///   - reusesTiles: believe an archive that it holds the tiles of the job, if it says so.
    func open(
        names: TileNames, job: ContentHash, images: [SourceImage], reusesTiles: Bool = true
    ) throws -> any TilesetWriter {
        let origin = TilesetOrigin(job: job, images: images)
        return try openArchive(of: origin, reusesTiles: reusesTiles)
            ?? openDirectory(names: names, job: job, images: images)
    }

    /// Opens or makes OUTPUT for a copy.
    ///
    /// - Parameters:
    ///   - names: how the tiles of a tree are named, and which floor they show.
    ///   - copy: what is copied; what a copy of the same has left is gone on from.
    ///   - origin: what made the tiles, as far as that is known.
    func open(
        names: TileNames, copy: ContentHash, of origin: TilesetOrigin
    ) throws -> any TilesetWriter {
        try openArchive(of: origin, reusesTiles: false)
            ?? openDirectory(names: names, job: copy, images: origin.images)
    }

    private func openDirectory(
        names: TileNames, job: ContentHash, images: [SourceImage]
    ) throws -> any TilesetWriter {
        var options = TreeWriter.Options(
            path: path, names: names, job: job, images: images, force: force, fsync: fsync)
        options.replacesOthers = replacesOthers
        options.jobs = jobs
        return try TreeWriter(options)
    }

    /// - Returns: nil if OUTPUT is a tree.
    private func openArchive(
        of origin: TilesetOrigin, reusesTiles: Bool
    ) throws -> (any TilesetWriter)? {
        var options = ArchiveOptions(
            path: path, force: force, origin: origin, reusesTiles: reusesTiles, fsync: fsync)
        options.replacesOthers = replacesOthers
        options.budget = ReadingBudget(tiles: maxTiles)
        return switch TilesetContainer(path: path) {
        case .directory: nil
        case .mbtiles: try MBTilesWriter(options)
        case .pmtiles: try PMTilesWriter(options, scratchDirectory: scratchDirectory)
        }
    }
}

/// The file that a single tile goes to.
public struct TileFile: Sendable {
    /// Its path.
    public let path: String

    /// Names a file for a tile of images.
    ///
    /// - Parameters:
    ///   - images: what the tile is rendered from.
    ///   - others: other files that are read: lists that named the images, a cutline.
    /// - Throws: a `Failure`: `usage` if the file is one that is read for the tile, `outputRefused` if no
    ///   file can be written there.
    public init(_ path: String, of images: [ImageRequest], others: [String] = []) throws {
        try OutputPicture.check(path, isNoneOf: images, others: others)
        try OutputFile.checkPlace(path)
        self.path = path
    }

    /// Names a file for a tile of a finished tileset.
    ///
    /// - Throws: a `Failure`: `usage` if the file is in the tileset, `outputRefused` if no file can be written
    ///   there.
    public init(_ path: String, of tileset: StoredTileset) throws {
        try OutputPicture.check(path, isOutside: tileset)
        try OutputFile.checkPlace(path)
        self.path = path
    }

    /// The folder of a file.
    public static func folder(of path: String) -> String { path.parentDirectory }

    /// Writes the tile, whole or not at all, in the place of what has the name.
    ///
    /// - Throws: a `Failure`: `outputRefused` if the file cannot be made, `inputOutput` if writing fails.
    public func write(_ bytes: [UInt8]) throws { try OutputFile.write(bytes, to: path) }
}

/// Keeps a picture from being written over what it is made of.
enum OutputPicture {
    /// Refuses a path that leads to an image, or to a file beside it.
    static func check(
        _ path: String, isNoneOf images: [ImageRequest], others: [String]
    ) throws {
        let inputs = try BuildInputs(images, others: others).paths
        if let input = inputs.first(where: { OutputFile.areSame($0, path) }) {
            throw refusal(path, "'\(input)' is read for it")
        }
    }

    /// Refuses a path that leads into a tileset.
    static func check(_ path: String, isOutside tileset: StoredTileset) throws {
        if OutputFile.isInside(path, tileset.path) || OutputFile.areSame(path, tileset.path) {
            throw refusal(path, "that is a part of the tileset '\(tileset.path)'")
        }
    }

    /// What is wrong with a path, and the way out.
    static func refusal(_ path: String, _ why: String) -> Failure {
        Failure(.usage, cannot: "write '\(path)'", why, remedy: "give the picture a place of its own with -o")
    }
}
