import Platform
import Tiling

/// The last part of a run: it moves staged tiles to their places.
///
/// 1. It compares everything, without changing anything.
/// 2. It adds the new files to the manifest.
/// 3. It moves the new tiles, removes stale tiles, and writes the files next to the tiles.
/// 4. It announces the changes, and removes the old files from the manifest.
struct Publication {
    /// The directory, locked.
    let state: TilesetLock
    /// The staged tiles.
    let staging: Staging
    /// The manifest of the last run.
    let old: TilesetManifest
    /// The tiles to publish.
    let tiles: TilesetManifest.Section
    /// The documents to publish.
    let documents: TilesetDocuments
    /// The options of the tileset.
    let options: TreeWriter.Options

    /// The changes to make.
    private struct Plan {
        var summary = TilesetSummary()
        var moves: [TileRecord] = []
        var stale: [TilesetManifest.Section] = []
        var sideFiles: [SideFile] = []
    }

    /// Publishes.
    ///
    /// - Parameter announce: receives the changes since the last completed run.
    func run(announcing announce: (TilesetSummary) throws -> Void) throws -> TilesetSummary {
        var plan = Plan()
        try survey(&plan)
        let stale = staleTiles()
        plan.summary.removed = stale.paths
        plan.stale = try stale.map { try $0.existing(in: state.root) }
        try survey(documents, &plan)
        try carryOut(plan, announcing: announce)
        return plan.summary
    }

    /// Makes the changes, if there are any.
    ///
    /// The manifest records the changes as done only after they have been announced: if anything fails
    /// before, the next run knows what to announce.
    private func carryOut(
        _ plan: Plan, announcing announce: (TilesetSummary) throws -> Void
    ) throws {
        let new = TilesetManifest(
            sections: [tiles], sideFiles: documents.sideFiles.map(\.path).sorted { $0.text < $1.text },
            job: options.job,
            images: options.images, told: ToldDocuments(documents))
        if new == old, plan.moves.isEmpty, plan.sideFiles.isEmpty {
            try announce(plan.summary)
            return try Staging.remove(from: state.home)
        }
        // The bytes of a file must be on the disk before its name.
        if options.fsync { try staging.flush(plan.moves) }
        try state.write(
            old.adding(tiles, sideFiles: new.sideFiles, job: options.job, images: options.images),
            fsync: options.fsync)
        try TileMover(root: state.root, staging: staging, names: options.names, jobs: options.jobs)
            .move(plan.moves)
        try plan.stale.remove(from: state.root)
        // Tiles must be on the disk before the documents that describe them.
        if options.fsync { try state.root.flushSystem() }
        for file in plan.sideFiles {
            try state.publish(file.bytes, as: file.name, in: state.root, fsync: options.fsync)
        }
        for name in old.sideFiles where !new.sideFiles.contains(name) {
            try state.root.removeFile(at: name)
        }
        try announce(plan.summary)
        try Staging.remove(from: state.home)
        try state.write(new, fsync: options.fsync)
        if options.fsync { try state.root.flushSystem() }
    }

    /// Publishes only changed documents, if all tiles are already in their places.
    func refresh(announcing announce: (TilesetSummary) throws -> Void) throws -> TilesetSummary {
        let records = tiles.records.sorted
        let summary = TilesetSummary(
            unchanged: records.count, bytes: records.reduce(0) { $0 + $1.size })
        var plan = Plan(summary: summary)
        if isMoved { plan.summary.moved = records.map(\.coordinate) }
        try survey(documents, &plan)
        try carryOut(plan, announcing: announce)
        return plan.summary
    }

    /// Whether the base URL has changed: then the URL of every tile has changed.
    private var isMoved: Bool { old.told.map { $0.baseURL != documents.baseURL } ?? false }

    private func survey(_ plan: inout Plan) throws {
        var directories = TileDirectories(root: state.root)
        let isKnown = old.job == options.job && old.sections.last?.names == options.names
        let ownership = Ownership(of: old.sections, names: options.names)
        let isMoved = isMoved
        for record in tiles.records.sorted {
            let path = options.names.path(of: record.coordinate)
            let comparison = try directories.compare(record, at: path, bySize: isKnown)
            if comparison != .absent, !options.force, !ownership.contains(record, at: path) {
                throw foreignFile(path)
            }
            if comparison != .same { plan.moves.append(record) }
            plan.summary.bytes += record.size
            let told = ownership.compare(record, at: path)
            plan.summary.count(record.coordinate, comparison, told)
            if isMoved, comparison == .same, told == .same {
                plan.summary.moved.append(record.coordinate)
            }
        }
    }

    private func survey(_ documents: TilesetDocuments, _ plan: inout Plan) throws {
        for file in documents.sideFiles {
            let comparison = try compare(file)
            if comparison != .same { plan.sideFiles.append(file) }
            plan.summary.documents.count(file.name, comparison, old.compare(file), isMoved: isMoved)
        }
        let names = Set(documents.sideFiles.map(\.path))
        plan.summary.documents.removed = old.sideFiles.filter { !names.contains($0) }.map(\.text)
    }

    private func foreignFile(_ path: String) -> Failure {
        let attempt = "write '\(state.root.path(of: path))'"
        if let floor = try? TilesetLock.owner(of: path, besides: options.names.floor, in: state.root) {
            return Failure(
                .outputRefused, cannot: attempt, "it is a tile of \(floor)",
                remedy: "tilesets that share a folder need --floor, and {floor} in --template; or give "
                    + "another OUTPUT")
        }
        return Failure(
            .outputRefused, cannot: attempt, "the file there is not part of this tileset",
            remedy: "give another OUTPUT or --template, or --force to replace it")
    }

    /// Compares a document with the existing file; refuses a file that is not ours.
    private func compare(_ file: SideFile) throws -> TileDirectories.Comparison {
        guard let status = try state.root.status(of: file.name) else { return .absent }
        if status.kind == .directory || !(options.force || old.hasSideFile(file.name)) {
            throw foreignFile(file.name)
        }
        if status.kind != .file { return .foreign }
        if status.size != file.bytes.count { return .different }
        return try state.root.readFile(file.name, most: status.size) == file.bytes ? .same : .different
    }
}

extension TilesetSummary.Documents {
    /// Counts a file next to the tiles; see `TilesetSummary.count`.
    ///
    /// - Parameter isMoved: whether its URL has changed.
    fileprivate mutating func count(
        _ name: String, _ found: TileDirectories.Comparison, _ told: Ownership.Comparison, isMoved: Bool
    ) {
        switch (found, told) {
        case (.same, .same): if isMoved { changed.append(name) }
        case (.absent, _), (.same, .added): added.append(name)
        case (.different, _), (.foreign, _), (.same, .changed): changed.append(name)
        }
    }
}

extension TilesetSummary {
    /// Counts a tile of the new tileset.
    ///
    /// - Parameters:
    ///   - found: how the existing file compares with the tile.
    ///   - told: how the tile that earlier runs announced compares with it. A killed run may have moved the
    ///     tile to its place without announcing it.
    fileprivate mutating func count(
        _ tile: TileCoordinate, _ found: TileDirectories.Comparison, _ told: Ownership.Comparison
    ) {
        switch (found, told) {
        case (.same, .same): unchanged += 1
        case (.absent, _), (.same, .added): added.append(tile)
        case (.different, _), (.foreign, _), (.same, .changed): changed.append(tile)
        }
    }
}

extension Publication {
    /// The tiles of earlier runs that this run did not make.
    func staleTiles() -> [TilesetManifest.Section] {
        old.sections.map { section in
            let current = Ownership(of: [tiles], names: section.names)
            let stale = section.records.sorted.filter { record in
                !current.contains(record, at: section.names.path(of: record.coordinate))
            }
            return TilesetManifest.Section(names: section.names, records: TileRecords(stale))
        }
    }
}

/// The tiles of a tileset's directory and their contents, as listed in a manifest.
struct Ownership {
    /// How a file's entry in a manifest compares with its new content.
    enum Comparison { case added, changed, same }

    private let records: [TileRecords]
    /// The hashes of contents by the hashes of paths, which take a third of the memory of the paths.
    private let others: [[ContentHash: ContentHash]]

    /// Reads the tiles of sections; tiles with other names than `names` are identified by their paths.
    init(of sections: [TilesetManifest.Section], names: TileNames) {
        records = sections.filter { $0.names == names }.map(\.records)
        others = sections.filter { $0.names != names }.map { section in
            section.records.sorted.reduce(into: [:]) {
                $0[ContentHash(of: section.names.path(of: $1.coordinate))] = $1.hash
            }
        }
    }

    /// Whether the file of a tile, named by `names`, is one of these tiles.
    func contains(_ record: TileRecord, at path: String) -> Bool {
        records.contains { $0.contains(record) }
            || (!others.isEmpty && others.contains { $0[ContentHash(of: path)] != nil })
    }

    /// Compares a tile, named by `names`, with the entry of its file in each section. All sections count,
    /// since it is unknown how much a killed run had published.
    func compare(_ record: TileRecord, at path: String) -> Comparison {
        var comparison = Comparison.same
        for section in records {
            guard let known = section.record(of: record.coordinate) else {
                comparison = .added
                continue
            }
            if known.hash != record.hash { return .changed }
        }
        if others.isEmpty { return comparison }
        let path = ContentHash(of: path)
        for section in others {
            guard let known = section[path] else {
                comparison = .added
                continue
            }
            if known != record.hash { return .changed }
        }
        return comparison
    }
}
