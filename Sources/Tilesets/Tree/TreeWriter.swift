import Platform
package import Tiling

/// A tileset as a tree of files.
///
/// Tiles are staged while they are written and published by `finish`, which leaves alone what is already
/// right and removes what an earlier run of this tileset made and this one did not. A run that ends early
/// leaves its staged tiles, and the next run of the same job goes on from there; `discard` is for a run that
/// cannot succeed. One tileset is written by one run at a time, and so can be other floors in the same
/// directory.
///
/// Holds 32 bytes per tile in memory while tiles are written, some 200 while they are published.
package struct TreeWriter: TilesetWriter {
    /// What a tileset is made with.
    package struct Options: Sendable {
        /// OUTPUT: a directory that is ours, empty, or not there yet.
        package var path: String
        /// How the tiles are named, and which floor they show.
        package var names: TileNames
        /// Source bytes, options and version: runs of one job write the same tiles.
        package var job: ContentHash
        /// What the tiles are made of; empty if that is not known.
        package var images: [SourceImage]
        /// Take the place of a tileset that was made of other images.
        package var replacesOthers = false
        /// Take over a directory that is not ours, and files in the way of ours.
        package var force: Bool
        /// Have everything on the disk before `finish` returns.
        package var fsync: Bool
        /// Threads that may publish tiles at a time.
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

    /// The tiles that earlier runs of the same job left, none if those are all.
    package let staged: Set<TileCoordinate>

    private let options: Options
    private let state: TilesetLock
    private var staging: Staging
    private let manifest: TilesetManifest
    /// All tiles, if an earlier run of the job published them and they are still there.
    private let complete: TileRecords?
    private var resumed: [TileCoordinate: TileRecord]
    private var written: [TileRecord] = []

    /// Opens or makes the directory, and finds what earlier runs of the job left: staged tiles are
    /// read once, published ones are known by their sizes.
    ///
    /// - Throws: `.outputRefused` if the directory is not ours or cannot be made, or the tileset there was
    ///   made of other images; `.busy` if another run writes the same tileset. The directory is then as it was.
    package init(_ options: Options) throws {
        self.options = options
        let floor = options.names.floor
        state = try TilesetLock(path: options.path, floor: floor, force: options.force)
        manifest = try state.readManifest(floor: floor, force: options.force)
        try Self.checkImages(of: manifest, options)
        let published = try manifest.tiles(of: options, in: state.root)
        let isComplete = manifest.job == options.job && published.count == manifest.tileCount
        staging = try Staging(in: state.home, job: options.job, names: options.names)
        complete = isComplete ? TileRecords(published) : nil
        let left = isComplete ? [] : try published + staging.records()
        resumed = Dictionary(left.map { ($0.coordinate, $0) }) { _, staged in staged }
        staged = Set(resumed.keys)
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

    package var isComplete: Bool { complete != nil }

    /// Stages a tile, whole or not at all.
    package mutating func write(_ tile: EncodedTile) throws {
        written.append(try staging.write(tile))
        resumed[tile.coordinate] = nil
    }

    package var contents: TilesetContents { TilesetContents(of: records) }

    package var tiles: [TileCoordinate] { records.sorted.map(\.coordinate) }

    private var records: TileRecords { complete ?? TileRecords(written + resumed.values) }

    /// Publishes the tiles, then the files beside them; the last call to a tileset.
    ///
    /// A run that is killed on the way can be repeated, and comes to the same end.
    ///
    /// - Throws: `.outputRefused`, before anything is published, if a file that is not ours is in
    ///   the way; `.inputOutput` if the disk is full.
    package consuming func finish(
        _ documents: TilesetDocuments, announcing announce: (TilesetSummary) throws -> Void
    ) throws -> TilesetSummary {
        defer { state.unlock() }
        let tiles = TilesetManifest.Section(names: options.names, records: records)
        let publication = Publication(
            state: state, staging: staging, old: manifest, tiles: tiles,
            documents: documents, options: options)
        let summary =
            try isComplete
            ? publication.refresh(announcing: announce) : publication.run(announcing: announce)
        try state.root.checkPlace(of: options.path)
        return summary
    }

    /// Keeps the staged tiles; if there are none, the directory is as it was.
    package consuming func suspend() throws {
        if written.isEmpty, resumed.isEmpty { return try discard() }
        state.unlock()
    }

    /// Gives up a run that cannot succeed: the directory is as it was, without staged tiles.
    package consuming func discard() throws {
        defer { state.unlock() }
        try Staging.remove(from: state.home)
        try state.removeUnlessPublished()
    }
}

extension TilesetManifest {
    /// How many tiles there are.
    fileprivate var tileCount: Int { sections.reduce(0) { $0 + $1.records.sorted.count } }

    /// The tiles that are in their places and what a job makes: known by their sizes if it was the
    /// last one to be published, by their bytes if it did not come to its end.
    fileprivate func tiles(
        of options: TreeWriter.Options, in root: Directory
    ) throws -> [TileRecord] {
        guard let last = sections.last, last.names == options.names,
            [job, unfinishedJob].contains(options.job)
        else { return [] }
        return try last.intact(in: root, bySize: job == options.job)
    }
}
