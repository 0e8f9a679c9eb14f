import Diagnostics
import Tiling

/// The last part of a run: staged tiles take their places.
///
/// First everything is looked at and nothing done; then the manifest says what will be ours; then
/// tiles move, stale ones go, the files beside the tiles follow, and the manifest says what is ours.
struct Publication {
    /// The directory, locked.
    let state: TilesetState
    /// Where the tiles are.
    let staging: Staging
    /// What was ours before.
    let old: TilesetManifest
    /// What is to be published.
    let tiles: TilesetManifest.Section
    /// What stands beside them.
    let sideFiles: [SideFile]
    /// What the tileset was made with.
    let options: DirectoryTileset.Options

    /// What is to be done.
    private struct Plan {
        var summary = TilesetSummary()
        var moves: [TileRecord] = []
        var stale: [TilesetManifest.Section] = []
        var sideFiles: [SideFile] = []
    }

    /// Publishes.
    func run() throws -> TilesetSummary {
        var plan = Plan()
        try survey(&plan)
        plan.stale = try staleTiles()
        plan.sideFiles = try sideFiles.filter(differs)
        plan.summary.removed = try carryOut(plan)
        return plan.summary
    }

    /// Does what is to be done; nothing where everything is as it should be.
    ///
    /// - Returns: the tiles that were removed.
    @discardableResult
    private func carryOut(_ plan: Plan) throws -> [String] {
        let new = TilesetManifest(
            sections: [tiles], sideFiles: sideFiles.map(\.name).sorted(), job: options.job)
        if new == old, plan.moves.isEmpty, plan.sideFiles.isEmpty {
            try Staging.remove(from: state.home)
            return []
        }
        // What is named must be on the disk before its name is.
        if options.fsync { try staging.flush(plan.moves) }
        try state.write(
            old.adding(tiles, sideFiles: new.sideFiles, job: options.job), fsync: options.fsync)
        try move(plan.moves)
        let removed = try remove(plan.stale)
        // So must the tiles that the documents speak of.
        if options.fsync { try state.root.flushSystem() }
        for file in plan.sideFiles {
            try state.publish(
                file.bytes, as: file.name, in: state.root, fsync: options.fsync)
        }
        for name in old.sideFiles where !new.sideFiles.contains(name) {
            try state.root.removeFile(name)
        }
        try state.write(new, fsync: options.fsync)
        try Staging.remove(from: state.home)
        if options.fsync { try state.root.flushSystem() }
        return removed
    }

    /// Publishes where all tiles are in their places: documents that differ, if there are any.
    func refresh() throws -> TilesetSummary {
        let records = tiles.records.sorted
        let summary = TilesetSummary(
            unchanged: records.count, bytes: records.reduce(0) { $0 + $1.size })
        let plan = Plan(summary: summary, sideFiles: try sideFiles.filter(differs))
        try carryOut(plan)
        return summary
    }

    private func survey(_ plan: inout Plan) throws {
        var published = PublishedTiles(root: state.root)
        let isKnown = old.job == options.job && old.sections.last?.names == options.names
        let ownership = Ownership(of: old.sections, names: options.names)
        for record in tiles.records.sorted {
            let path = options.names.path(of: record.coordinate)
            let comparison = try published.compare(record, at: path, bySize: isKnown)
            if comparison != .absent, !options.force, !ownership.contains(record, at: path) {
                throw foreignFile(path)
            }
            plan.summary.bytes += record.size
            switch comparison {
            case .same:
                plan.summary.unchanged += 1
                continue
            case .absent: plan.summary.added.append(record.coordinate)
            case .different, .foreign: plan.summary.changed.append(record.coordinate)
            }
            plan.moves.append(record)
        }
    }

    private func foreignFile(_ path: String) -> Failure {
        Failure(
            .outputRefused,
            "cannot write '\(state.root.path(of: path))': the file there is not this tileset's",
            remedy: "give another OUTPUT or --template, or --force to write over it")
    }

    /// Whether a side file's bytes are not what is there; refuses a file that is not ours.
    private func differs(_ file: SideFile) throws -> Bool {
        guard let status = try state.root.status(of: file.name) else { return true }
        if status.kind == .directory || !(options.force || old.sideFiles.contains(file.name)) {
            throw foreignFile(file.name)
        }
        return try status.kind != .file || state.root.readFile(file.name) != file.bytes
    }

    private func move(_ records: [TileRecord]) throws {
        var directories = TileDirectories(root: state.root)
        for record in records {
            let path = options.names.path(of: record.coordinate)
            if try !move(record.coordinate, to: path, &directories) {
                throw Failure(
                    .inputOutput,
                    "cannot write '\(state.root.path(of: path))': its staged file is gone",
                    remedy: "run the same command again")
            }
        }
    }

    /// Tries again where another floor's run found a directory empty, and removed it, between our
    /// making it and our moving a tile there.
    private func move(
        _ tile: TileCoordinate, to path: String, _ directories: inout TileDirectories
    ) throws -> Bool {
        let (parent, name) = TileDirectories.split(path)
        for _ in 0..<TilesetState.patience {
            if let directory = try directories.open(parent, create: true),
                try staging.move(tile, to: directory, as: name)
            {
                return true
            }
            directories = TileDirectories(root: state.root)
        }
        return false
    }

    /// The tiles that earlier runs made and this one did not, as far as they are there.
    private func staleTiles() throws -> [TilesetManifest.Section] {
        var directories = TileDirectories(root: state.root)
        return try old.sections.map { section in
            let current = Ownership(of: [tiles], names: section.names)
            let stale = try section.records.sorted.filter { record in
                let path = section.names.path(of: record.coordinate)
                if current.contains(record, at: path) { return false }
                let (parent, name) = TileDirectories.split(path)
                let status = try directories.open(parent)?.status(of: name)
                return status != nil && status?.kind != .directory
            }
            return TilesetManifest.Section(names: section.names, records: TileRecords(stale))
        }
    }

    /// Removes tiles, and the directories that are empty without them.
    ///
    /// - Returns: their paths; sections of killed runs can have the same one.
    private func remove(_ sections: [TilesetManifest.Section]) throws -> [String] {
        var directories = TileDirectories(root: state.root)
        var parents: Set<Substring> = []
        var removed: [String] = []
        for section in sections {
            for tile in section.records.sorted.lazy.map(\.coordinate) {
                let path = section.names.path(of: tile)
                let (parent, name) = TileDirectories.split(path)
                guard try directories.open(parent)?.removeFile(name) == true else { continue }
                removed.append(path)
                parents.insert(parent)
            }
        }
        for parent in parents { try directories.prune(parent) }
        return removed
    }
}
