import Platform
package import Tiling

/// Writes a tileset as a tree of files.
///
/// Tiles are staged while they are written, and published by `finish`. It does not touch files that are
/// already right, and removes files of earlier runs that this run did not make. A run that ends early leaves
/// its staged tiles, and the next run of the same job continues from there; `discard` is for a run that
/// cannot succeed. Only one run at a time can write a tileset, but other runs can write other floors in the
/// same directory.
///
/// Takes 32 bytes of memory for each tile while tiles are written, and about 200 while they are published.
package struct TreeWriter: TilesetWriter {
    /// The options of a tileset.
    package struct Options: Sendable {
        /// OUTPUT: a directory that is ours, is empty, or does not exist yet.
        package var path: String
        /// The names of the tiles, and their floor.
        package var names: TileNames
        /// The hash of the source bytes, options and version: runs of the same job write the same tiles.
        package var job: ContentHash
        /// The images that the tiles are made from; empty if unknown.
        package var images: [SourceImage]
        /// Whether to replace a tileset that was made from other images.
        package var replacesOthers = false
        /// Whether to write into a directory that is not ours, and replace its files.
        package var force: Bool
        /// Whether everything must be on the disk when `finish` returns.
        package var fsync: Bool
        /// The number of threads that publish tiles.
        package var jobs = 1

        /// Makes options.
        package init(
            path: String, names: TileNames, job: ContentHash, images: [SourceImage] = [],
            force: Bool = false, fsync: Bool = false
        ) {
            (self.path, self.names, self.job, self.images) = (path, names, job, images)
            (self.force, self.fsync) = (force, fsync)
        }
    }

    /// The tiles that earlier runs of the same job left; empty if the tileset is complete.
    package let staged: Set<TileCoordinate>

    let options: Options
    let folder: TilesetFolder
    private(set) var staging: StagedTiles
    /// The manifest of the last run.
    let manifest: TilesetManifest
    package private(set) var isComplete: Bool
    private var resumed: [TileCoordinate: TileRecord]
    private var written: [TileRecord] = []

    /// Opens or makes the directory, and finds the tiles of earlier runs of the job: it reads staged tiles
    /// once, and compares only the sizes of published tiles.
    ///
    /// - Throws: `.outputRefused` if the directory is not ours or cannot be made, or the tileset there was
    ///   made from other images; `.busy` if another run writes the same tileset. The directory is then
    ///   unchanged.
    package init(_ options: Options) throws {
        self.options = options
        let floor = options.names.floor
        folder = try TilesetFolder(path: options.path, floor: floor, force: options.force)
        manifest = try folder.readManifest(force: options.force)
        try Self.checkImages(of: manifest, options)
        let published = try manifest.tiles(of: options, in: folder.root)
        isComplete = manifest.job == options.job && published.count == manifest.tileCount
        staging = try StagedTiles(in: folder.home, job: options.job)
        let left = isComplete ? published : published + staging.earlier
        resumed = Dictionary(left.map { ($0.coordinate, $0) }) { _, staged in staged }
        staged = isComplete ? [] : Set(resumed.keys)
    }

    private static func checkImages(
        of manifest: TilesetManifest, _ options: Options
    ) throws(Failure) {
        if options.force || options.replacesOthers { return }
        let floor = options.names.floor
        try manifest.images.checkReplacement(
            by: options.images, of: floor.map { "floor '\($0)' in '\(options.path)'" } ?? "'\(options.path)'",
            wayOut: floor == nil
                ? "give the floors names with --floor and {floor} in --template, another OUTPUT"
                : "give another --floor and {floor} in --template, another OUTPUT")
    }

    /// Stages a tile.
    package mutating func write(_ tile: EncodedTile) throws {
        written.append(try staging.write(tile))
        isComplete = false
        resumed[tile.coordinate] = nil
    }

    package var contents: TilesetContents { TilesetContents(of: records) }

    package var tiles: [TileCoordinate] { records.sorted.map(\.coordinate) }

    private var records: TileRecords { TileRecords(written + resumed.values) }

    /// Publishes the tiles, then the files next to them; the last call to a tileset.
    ///
    /// If the run is killed meanwhile, another run of the same job completes it.
    ///
    /// - Throws: `.outputRefused`, before anything is published, if it would replace a file that is not ours;
    ///   `.inputOutput` if the disk is full.
    package consuming func finish(
        _ documents: TilesetDocuments, announcing announce: (TilesetSummary) throws -> Void
    ) throws -> TilesetSummary {
        defer { folder.unlock() }
        let tiles = TilesetManifest.Section(names: options.names, records: records)
        let summary = try publish(tiles, documents, announcing: announce)
        try folder.root.checkPlace(of: options.path)
        return summary
    }

    /// Keeps the staged tiles. If there are none, the directory is unchanged.
    package consuming func suspend() throws {
        if written.isEmpty, staged.isEmpty { return try discard() }
        folder.unlock()
    }

    /// Gives up a run that cannot succeed: the directory is unchanged, without staged tiles.
    package consuming func discard() throws {
        defer { folder.unlock() }
        try StagedTiles.remove(from: folder.home)
        try folder.removeUnlessPublished()
    }
}

extension TilesetManifest {
    /// The number of tiles.
    fileprivate var tileCount: Int { sections.reduce(0) { $0 + $1.records.sorted.count } }

    /// The published tiles that are those of a job. If its publication was complete, only their sizes are
    /// compared, otherwise their bytes.
    fileprivate func tiles(
        of options: TreeWriter.Options, in root: Directory
    ) throws -> [TileRecord] {
        guard let last = sections.last, last.names == options.names,
            [job, unfinishedJob].contains(options.job)
        else { return [] }
        return try last.intact(in: root, bySize: job == options.job)
    }
}
