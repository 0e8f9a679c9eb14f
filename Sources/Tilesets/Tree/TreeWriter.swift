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
    /// The tiles that earlier runs of the same job left; empty if the tileset is complete.
    package let staged: Set<TileCoordinate>

    private let options: TilesetOptions
    private let names: TileNames
    private let job: ContentHash
    private let threads: Int
    private let folder: TilesetFolder
    private var staging: StagedTiles
    /// The manifest of the last run.
    private let manifest: TilesetManifest
    package private(set) var isComplete: Bool
    private var resumed: [TileCoordinate: TileRecord]
    private var written: [TileRecord] = []

    /// Opens or makes the directory, and finds the tiles of earlier runs of the job: it reads staged tiles
    /// once, and compares only the sizes of published tiles.
    ///
    /// - Parameters:
    ///   - names: the names of the tiles, and their floor.
    ///   - job: the hash of the source bytes, options and version: runs of the same job write the same tiles.
    ///   - threads: the number of threads that publish tiles.
    /// - Throws: `.outputRefused` if the directory is not ours or cannot be made, or the tileset there was
    ///   made from other images; `.busy` if another run writes the same tileset. The directory is then
    ///   unchanged.
    package init(
        _ options: TilesetOptions, names: TileNames, job: ContentHash, threads: Int = 1
    ) throws {
        (self.options, self.names, self.job, self.threads) = (options, names, job, threads)
        folder = try TilesetFolder(path: options.path, floor: names.floor, force: options.force)
        let manifest = try folder.readManifest(force: options.force)
        let place = "'\(options.path)'"
        try options.checkReplacement(
            of: manifest.images, place: names.floor.map { "floor '\($0)' in \(place)" } ?? place,
            wayOut: (names.floor == nil ? "give the floors names with --floor" : "give another --floor")
                + " and {floor} in --template, another OUTPUT")
        let isPublished = manifest.job == job
        var published: [TileRecord] = []
        if let last = manifest.sections.last, last.names == names,
            isPublished || manifest.unfinishedJob == job
        {
            var directories = TileDirectories(root: folder.root)
            published = try last.records.sorted.filter {
                // If the publication was complete, only sizes are compared, otherwise bytes.
                let path = names.path(of: $0.coordinate)
                return try directories.compare($0, at: path, bySize: isPublished) == .same
            }
        }
        self.manifest = manifest
        isComplete = isPublished && published.count == manifest.tileCount
        staging = try StagedTiles(in: folder.home, job: job)
        let left = isComplete ? published : published + staging.earlier
        resumed = Dictionary(left.map { ($0.coordinate, $0) }) { _, staged in staged }
        staged = isComplete ? [] : Set(resumed.keys)
    }

    /// Stages a tile.
    package mutating func write(_ tile: EncodedTile) throws {
        written.append(try staging.write(tile))
        isComplete = false
        resumed[tile.coordinate] = nil
    }

    package var contents: TilesetContents { TilesetContents(ofSorted: records.sorted) }

    package var tiles: [TileCoordinate] { records.sorted.map(\.coordinate) }

    private var records: TileRecords { TileRecords(written + resumed.values) }

    /// Keeps the staged tiles. If there are none, the directory is unchanged.
    package consuming func suspend() throws {
        if written.isEmpty, staged.isEmpty { return try discard() }
        folder.lock.release()
    }

    /// Gives up a run that cannot succeed: the directory is unchanged, without staged tiles.
    package consuming func discard() throws {
        defer { folder.lock.release() }
        try StagedTiles.remove(from: folder.home)
        try folder.remove(withManifest: false)
    }
}

// The last part of a run: it moves staged tiles to their places.
//
// 1. It compares everything, without changing anything.
// 2. It adds the new files to the manifest.
// 3. It moves the new tiles, removes stale tiles, and writes the files next to the tiles.
// 4. It announces the changes, and removes the old files from the manifest.
extension TreeWriter {
    /// The changes to make.
    private struct Changes {
        /// Whether the base URL has changed: then the URL of every file has changed.
        let isMoved: Bool
        var summary = TilesetSummary()
        var moves: [TileRecord] = []
        var stale: [TilesetManifest.Section] = []
        var sideFiles: [SideFile] = []
    }

    /// Publishes the tiles, then the files next to them; the last call to a tileset.
    ///
    /// If the run is killed meanwhile, another run of the same job completes it. The manifest records the
    /// changes as done only after they have been announced: if anything fails before, the next run knows what
    /// to announce.
    ///
    /// - Throws: `.outputRefused`, before anything is published, if it would replace a file that is not ours;
    ///   `.inputOutput` if the disk is full.
    package consuming func finish(
        _ documents: TilesetDocuments, announcing announce: (TilesetSummary) throws -> Void
    ) throws -> TilesetSummary {
        defer { folder.lock.release() }
        let tiles = TilesetManifest.Section(names: names, records: records)
        var changes = Changes(isMoved: manifest.told != nil && manifest.baseURL != documents.baseURL)
        try survey(tiles, &changes)
        try survey(documents, &changes)
        let contents = documents.sideFiles.map { ($0.name, ContentHash(of: $0.bytes)) }
        let new = TilesetManifest(
            sections: [tiles], sideFiles: documents.sideFiles.map(\.path).sorted { $0.text < $1.text },
            job: job, images: options.origin.images,
            told: Dictionary(contents) { $1 }, baseURL: documents.baseURL)
        let isSame = new == manifest && changes.moves.isEmpty && changes.sideFiles.isEmpty
        if !isSame { try publish(changes, as: new) }
        try announce(changes.summary)
        try StagedTiles.remove(from: folder.home)
        if !isSame { try folder.write(new, fsync: options.fsync) }
        if !isSame, options.fsync { try folder.root.flushSystem() }
        try folder.root.checkPlace(of: options.path)
        return changes.summary
    }

    private func publish(_ changes: Changes, as new: TilesetManifest) throws {
        // The bytes of a file must be on the disk before its name.
        if options.fsync { try staging.flush(changes.moves) }
        try folder.write(manifest.adding(new), fsync: options.fsync)
        try staging.move(changes.moves, to: folder.root, as: names, threads: threads)
        try changes.stale.remove(from: folder.root)
        // Tiles must be on the disk before the documents that describe them.
        if options.fsync { try folder.root.flushSystem() }
        for file in changes.sideFiles {
            try folder.publish(file.bytes, as: file.name, in: folder.root, fsync: options.fsync)
        }
        for name in manifest.sideFiles where !new.sideFiles.contains(name) {
            try folder.root.removeFile(at: name)
        }
    }
}

// The comparison of what is there, what was announced, and what will be.
extension TreeWriter {
    private func survey(_ tiles: TilesetManifest.Section, _ changes: inout Changes) throws {
        var directories = TileDirectories(root: folder.root)
        let isKnown = manifest.job == job && manifest.sections.last?.names == names
        for record in tiles.records.sorted {
            let path = names.path(of: record.coordinate)
            let found = isComplete ? .same : try directories.compare(record, at: path, bySize: isKnown)
            // All sections count, since it is unknown how much a killed run had published.
            let told = manifest.sections.map { $0.record(of: record.coordinate, named: names)?.hash }
            if found != .added, !options.force, told.allSatisfy({ $0 == nil }) { throw foreignFile(path) }
            if found != .same { changes.moves.append(record) }
            changes.summary.bytes += record.size
            switch found.or(told, now: record.hash) {
            case .added: changes.summary.added.append(record.coordinate)
            case .changed: changes.summary.changed.append(record.coordinate)
            case .same:
                changes.summary.unchanged += 1
                if changes.isMoved { changes.summary.moved.append(record.coordinate) }
            }
        }
        changes.stale = manifest.sections.map { section in
            section.filter { tiles.record(of: $0.coordinate, named: section.names) == nil }
        }
        changes.summary.removed = changes.stale.paths
        // Refuses links in the place of folders before anything is changed.
        for path in changes.summary.removed { _ = try directories.status(of: path) }
    }

    private func survey(_ documents: TilesetDocuments, _ changes: inout Changes) throws {
        for file in documents.sideFiles {
            let found = try compare(file)
            if found != .same { changes.sideFiles.append(file) }
            let told = manifest.contents(ofSideFile: file.name)
            let news = found.or(told, now: ContentHash(of: file.bytes))
            if news == .added {
                changes.summary.documents.added.append(file.name)
            } else if news == .changed || changes.isMoved {
                changes.summary.documents.changed.append(file.name)
            }
        }
        let names = Set(documents.sideFiles.map(\.path))
        changes.summary.documents.removed = manifest.sideFiles.filter { !names.contains($0) }.map(\.text)
    }

    /// Compares a document with the existing file; refuses a file that is not ours.
    private func compare(_ file: SideFile) throws -> FileNews {
        guard let status = try folder.root.status(of: file.name) else { return .added }
        if status.kind == .directory || !(options.force || manifest.owns(file.name)) {
            throw foreignFile(file.name)
        }
        guard status.kind == .file, status.size == file.bytes.count else { return .changed }
        return try folder.root.readFile(file.name, most: status.size) == file.bytes ? .same : .changed
    }

    private func foreignFile(_ path: String) -> Failure {
        let attempt = "write '\(folder.root.path(of: path))'"
        let owners = try? TilesetFolder.others(than: names.floor, in: folder.root) { $0.owns(path) }
        if let owner = owners?.first {
            return Failure(
                .outputRefused, cannot: attempt, "it is a tile of \(owner)",
                remedy: "tilesets that share a folder need --floor, and {floor} in --template; or give "
                    + "another OUTPUT")
        }
        return Failure(
            .outputRefused, cannot: attempt, "the file there is not part of this tileset",
            remedy: "give another OUTPUT or --template, or --force to replace it")
    }
}
