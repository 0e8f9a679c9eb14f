import Dispatch
import Platform
import Synchronization
import Tiling

// The last part of a run: it moves staged tiles to their places.
//
// 1. It compares everything, without changing anything.
// 2. It adds the new files to the manifest.
// 3. It moves the new tiles, removes stale tiles, and writes the files next to the tiles.
// 4. It announces the changes, and removes the old files from the manifest.
extension TreeWriter {
    /// The changes to make.
    private struct Changes {
        var summary = TilesetSummary()
        var moves: [TileRecord] = []
        var stale: [TilesetManifest.Section] = []
        var sideFiles: [SideFile] = []
    }

    /// Publishes tiles and documents.
    ///
    /// The manifest records the changes as done only after they have been announced: if anything fails
    /// before, the next run knows what to announce.
    ///
    /// - Parameter announce: receives the changes since the last completed run.
    func publish(
        _ tiles: TilesetManifest.Section, _ documents: TilesetDocuments,
        announcing announce: (TilesetSummary) throws -> Void
    ) throws -> TilesetSummary {
        // Whether the base URL has changed: then the URL of every file has changed.
        let isMoved = manifest.told.map { $0.baseURL != documents.baseURL } ?? false
        var changes = Changes()
        try survey(tiles, isMoved: isMoved, &changes)
        try survey(documents, isMoved: isMoved, &changes)
        let new = TilesetManifest(
            sections: [tiles], sideFiles: documents.sideFiles.map(\.path).sorted { $0.text < $1.text },
            job: options.job, images: options.images, told: ToldDocuments(documents))
        let isSame = new == manifest && changes.moves.isEmpty && changes.sideFiles.isEmpty
        if !isSame { try make(changes, to: new) }
        try announce(changes.summary)
        try StagedTiles.remove(from: folder.home)
        if !isSame { try folder.write(new, fsync: options.fsync) }
        if !isSame, options.fsync { try folder.root.flushSystem() }
        return changes.summary
    }

    private func make(_ changes: Changes, to new: TilesetManifest) throws {
        // The bytes of a file must be on the disk before its name.
        if options.fsync { try staging.flush(changes.moves) }
        try folder.write(
            manifest.adding(
                new.sections[0], sideFiles: new.sideFiles, job: options.job, images: options.images,
                baseURL: new.told?.baseURL),
            fsync: options.fsync)
        try move(changes.moves)
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
    private func survey(
        _ tiles: TilesetManifest.Section, isMoved: Bool, _ changes: inout Changes
    ) throws {
        var directories = TileDirectories(root: folder.root)
        let isKnown = manifest.job == options.job && manifest.sections.last?.names == options.names
        for record in tiles.records.sorted {
            let path = options.names.path(of: record.coordinate)
            let found = isComplete ? .same : try directories.compare(record, at: path, bySize: isKnown)
            let told = manifest.contents(of: record.coordinate, named: options.names)
            if found != .absent, !options.force, told.allSatisfy({ $0 == nil }) { throw foreignFile(path) }
            if found != .same { changes.moves.append(record) }
            changes.summary.bytes += record.size
            switch TilesetManifest.News(found, TilesetManifest.News(told: told, now: record.hash)) {
            case .added: changes.summary.added.append(record.coordinate)
            case .changed: changes.summary.changed.append(record.coordinate)
            case .same:
                changes.summary.unchanged += 1
                if isMoved { changes.summary.moved.append(record.coordinate) }
            }
        }
        changes.stale = manifest.sections.map { section in
            section.filter { tiles.record(of: $0.coordinate, named: section.names) == nil }
        }
        changes.summary.removed = changes.stale.paths
        // Refuses links in the place of folders before anything is changed.
        for path in changes.summary.removed { _ = try directories.status(of: path) }
    }

    private func survey(
        _ documents: TilesetDocuments, isMoved: Bool, _ changes: inout Changes
    ) throws {
        for file in documents.sideFiles {
            let found = try compare(file)
            if found != .same { changes.sideFiles.append(file) }
            switch TilesetManifest.News(found, manifest.news(of: file)) {
            case .added: changes.summary.documents.added.append(file.name)
            case .changed: changes.summary.documents.changed.append(file.name)
            case .same: if isMoved { changes.summary.documents.changed.append(file.name) }
            }
        }
        let names = Set(documents.sideFiles.map(\.path))
        changes.summary.documents.removed = manifest.sideFiles.filter { !names.contains($0) }.map(\.text)
    }

    /// Compares a document with the existing file; refuses a file that is not ours.
    private func compare(_ file: SideFile) throws -> TileDirectories.Comparison {
        guard let status = try folder.root.status(of: file.name) else { return .absent }
        if status.kind == .directory || !(options.force || manifest.hasSideFile(file.name)) {
            throw foreignFile(file.name)
        }
        guard status.kind == .file, status.size == file.bytes.count else { return .different }
        return try folder.root.readFile(file.name, most: status.size) == file.bytes ? .same : .different
    }

    private func foreignFile(_ path: String) -> Failure {
        let attempt = "write '\(folder.root.path(of: path))'"
        if let floor = try? TilesetFolder.owner(of: path, besides: options.names.floor, in: folder.root) {
            return Failure(
                .outputRefused, cannot: attempt, "it is a tile of \(floor)",
                remedy: "tilesets that share a folder need --floor, and {floor} in --template; or give "
                    + "another OUTPUT")
        }
        return Failure(
            .outputRefused, cannot: attempt, "the file there is not part of this tileset",
            remedy: "give another OUTPUT or --template, or --force to replace it")
    }
}

extension TilesetManifest.News {
    /// What to announce about a file, which a killed run may have changed without announcing it.
    ///
    /// - Parameters:
    ///   - found: how the existing file compares with its new content.
    ///   - told: how the file that earlier runs announced compares with it.
    fileprivate init(_ found: TileDirectories.Comparison, _ told: TilesetManifest.News) {
        self =
            switch (found, told) {
            case (.same, _): told
            case (.absent, _): .added
            case (.different, _): .changed
            }
    }
}

// Moving.
extension TreeWriter {
    /// More threads are not faster: many tiles are moved into the same directory, which the system locks for
    /// each move.
    private static let mostThreads = 4
    /// The minimum number of tiles for a thread: moving them takes at least a tenth of a millisecond.
    private static let tilesPerThread = 64

    /// Moves staged tiles, in several threads.
    ///
    /// - Throws: the first failure; the same thread moves no more tiles after it.
    private func move(_ records: [TileRecord]) throws {
        let threads = min(options.jobs, Self.mostThreads, records.count / Self.tilesPerThread + 1)
        let result = Mutex<Result<Void, any Error>>(.success(()))
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            let part = records.count * thread / threads..<records.count * (thread + 1) / threads
            do {
                var places = TileDirectories(root: folder.root)
                var staged = staging.opened()
                for record in records[part] { try move(record, &staged, &places) }
            } catch {
                result.withLock { result in result = result.flatMap { .failure(error) } }
            }
        }
        try result.withLock { $0 }.get()
    }

    /// Moves a tile. Retries if a run of another floor removed an empty directory after we made it and before
    /// we moved a tile there.
    private func move(
        _ tile: TileRecord, _ staged: inout TileDirectories, _ places: inout TileDirectories
    ) throws {
        let path = options.names.path(of: tile.coordinate)
        let (parent, name) = TileDirectories.split(path)
        for _ in 0..<TilesetFolder.patience {
            if let place = try places.open(parent, create: true),
                try staging.move(tile, in: &staged, to: place, as: name)
            {
                return
            }
            places = TileDirectories(root: folder.root)
        }
        throw Failure(
            .inputOutput, "cannot write '\(folder.root.path(of: path))': its staged file is gone",
            remedy: "run the same command again")
    }
}
