import Platform
import Tiling

/// The last part of a run: staged tiles take their places.
///
/// First everything is compared and nothing changed; then the manifest says what will be ours; then tiles
/// move, stale ones are removed, the files next to the tiles follow, and the manifest says what is ours.
struct Publication {
    /// The directory, locked.
    let state: TilesetLock
    /// Where the tiles are.
    let staging: Staging
    /// What was ours before.
    let old: TilesetManifest
    /// What is to be published.
    let tiles: TilesetManifest.Section
    /// The files next to them, and what they say.
    let documents: TilesetDocuments
    /// What the tileset was made with.
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
    /// - Parameter announce: takes what differs from the last completed run.
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
    /// The manifest says that they are made only when they are announced: if anything fails before, the next
    /// run knows what to announce.
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
        // The bytes must be on the disk before the name is.
        if options.fsync { try staging.flush(plan.moves) }
        try state.write(
            old.adding(tiles, sideFiles: new.sideFiles, job: options.job, images: options.images),
            fsync: options.fsync)
        try TileMover(root: state.root, staging: staging, names: options.names, jobs: options.jobs)
            .move(plan.moves)
        try plan.stale.remove(from: state.root)
        // So must the tiles that the documents describe.
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

    /// Publishes if all tiles are in their places: documents that differ, if there are any.
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

    /// Whether the tileset was elsewhere on the web: then each of its addresses is another.
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

    /// Compares a side file with what is there; refuses a file that is not ours.
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
    /// - Parameter isMoved: whether its address on the web is another than before.
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
    ///   - found: how its file compares with it.
    ///   - told: how the tile that earlier runs announced compares with it. A run that was killed may have
    ///     moved the tile to its place, and not announced it.
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
    /// The tiles that earlier runs made and this one did not.
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

/// Which files of a tileset's directory are its tiles, and what they hold, as a manifest says.
struct Ownership {
    /// How what a manifest says of a file compares with what is to be in it.
    enum Comparison { case added, changed, same }

    private let records: [TileRecords]
    /// Contents by the hashes of paths, which take a third of the memory of the paths.
    private let others: [[ContentHash: ContentHash]]

    /// Takes tiles; those that are not named as `names` says are known by their paths.
    init(of sections: [TilesetManifest.Section], names: TileNames) {
        records = sections.filter { $0.names == names }.map(\.records)
        others = sections.filter { $0.names != names }.map { section in
            section.records.sorted.reduce(into: [:]) {
                $0[ContentHash(of: section.names.path(of: $1.coordinate))] = $1.hash
            }
        }
    }

    /// Whether a tile, which is named as `names` says, has a file that is one of them.
    func contains(_ record: TileRecord, at path: String) -> Bool {
        records.contains { $0.contains(record) }
            || (!others.isEmpty && others.contains { $0[ContentHash(of: path)] != nil })
    }

    /// Compares a tile, which is named as `names` says, with what each section says of its file.
    /// All sections count: it is unknown how far a run came that was killed while it published.
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
