import Platform
import Publishing
import Synchronization
import Tilesets
import Tiling

/// The list of a run's changes in all floors. It is written before each floor is published, so that even a
/// run that is killed has listed its changes.
final class BuildingChanges: Sendable {
    private struct Parts {
        /// The changes of each floor, by its place in the list.
        var floors: [Int: [AddressChange]] = [:]
        var indexes: [AddressChange] = []
        var removals: [AddressChange] = []
        /// The list of all runs.
        var pending: PendingFile?

        var bytes: [UInt8] {
            (floors.sorted { $0.key < $1.key }.flatMap(\.value) + indexes + removals).listed
        }
    }

    private let path: String?
    private let budget: ReadingBudget
    private let parts: Mutex<Parts>

    /// Whether a list is to be written.
    let isWanted: Bool

    /// Begins the lists that the options ask for.
    init(_ options: BuildingOptions) {
        path = options.changes
        budget = ReadingBudget(tiles: options.resources.maxTiles)
        let pending = options.pending.map { PendingFile($0, fsync: options.fsync) }
        isWanted = path != nil || pending != nil
        parts = Mutex(Parts(pending: pending))
    }

    /// Lists the changes of a floor that is about to be published.
    ///
    /// - Parameters:
    ///   - place: the floor's place in the list.
    ///   - earlier: the floor as it was when the run began.
    ///   - folder: the prefix of relative addresses; nil for none.
    func take(
        _ news: TilesetNews, of floor: FloorRequest, at place: Int, earlier: EarlierFloor,
        below folder: String?
    ) throws {
        var news = news
        if earlier.isBeyondIndex {
            let index = floor.build.output.path.path(of: BuildingIndex.fileName)
            try budget.check(earlier.entry?.area ?? 0, of: index)
            news.listAll(since: earlier.entry)
        }
        news.metadata.baseURL = news.metadata.baseURL ?? folder
        if floor.build.output.container.isArchive {
            let isKnown = earlier.entry?.digest == news.metadata.contents?.digest
            if isKnown, news.changes.isEmpty, news.changes.moved.isEmpty { return }
            return try takeArchive(
                of: floor, at: place, isNew: !earlier.isArchiveThere, isDone: false,
                below: news.metadata.baseURL)
        }
        // The tiles of a folder are in place by now.
        try write(ChangeList.changes(news.changes, of: news.metadata)) { $0.floors[place] = $1 }
    }

    /// Lists an archive that is new or changed; web servers serve its tiles as one file.
    ///
    /// - Parameter isDone: whether the archive has its name already.
    func takeArchive(
        of floor: FloorRequest, at place: Int, isNew: Bool, isDone: Bool = true, below folder: String?
    ) throws {
        let name = floor.build.output.path.fileName
        let change = ChangeList.change(name, isNew: isNew, below: folder)
        try write([change], isDone: isDone) { $0.floors[place] = $1 }
    }

    /// Lists an index and replaces it, if it has to be written.
    ///
    /// - Returns: whether it was written.
    func replace(
        _ index: IndexFile, with bytes: [UInt8], isEmpty: Bool, named name: String, below folder: String?,
        fsync: Bool
    ) throws -> Bool {
        if index.isNews(bytes, isEmpty: isEmpty) {
            // A new index is the same change before and after.
            let change = ChangeList.change(name, isNew: index.earlier == nil, below: folder)
            try write([change], isDone: false) { $0.indexes += $1 }
        }
        return try index.finish(bytes, isEmpty: isEmpty, fsync: fsync)
    }

    /// Removes a tileset, and lists its tiles and documents, or only the archive.
    func run(_ removal: TilesetRemoval, ofArchive archive: ContainedPath?) throws {
        func changes(_ summary: TilesetRemoval.Summary) -> [AddressChange] {
            ChangeList.changes(removed: archive.map { [$0.text] } ?? summary.tiles + summary.documents)
        }
        let removed = try removal.run { try write(changes($0), isDone: false) { $0.removals += $1 } }
        try parts.withLock { try $0.pending?.add(changes(removed)) }
    }

    /// Finishes the list, which is written even if nothing changed.
    func finish() throws { try write([], isEnd: true) { _, _ in } }

    /// Takes changes, and writes both lists.
    ///
    /// - Parameter isDone: whether the changes have happened already.
    private func write(
        _ changes: [AddressChange], isDone: Bool = true, isEnd: Bool = false,
        _ take: (inout Parts, [AddressChange]) -> Void
    ) throws {
        try parts.withLock { parts in
            take(&parts, changes)
            if isDone { try parts.pending?.add(changes) } else { try parts.pending?.expect(changes) }
            // The reader of a pipe acts at once, and so gets the list only at the end.
            guard let path, isEnd || !WholeFile.isStream(path) else { return }
            try OutputFile.write(parts.bytes, to: path)
        }
    }
}

/// A floor as it was when a run began.
struct EarlierFloor {
    /// Its entry in the index.
    let entry: BuildingIndex.Floor?
    /// The hash of all tiles in the folder; nil for an archive, and if there are none.
    let digest: String?
    /// Whether its archive exists.
    let isArchiveThere: Bool

    /// Whether there are tiles that the index does not know: a run was killed after it had published them,
    /// and its list may not have been read.
    var isBeyondIndex: Bool { digest != nil && digest != entry?.digest }
}

extension TilesetNews {
    /// Lists all tiles that exist, and those that the index names but that are gone: it is not known what a
    /// killed run has changed.
    fileprivate mutating func listAll(since entry: BuildingIndex.Floor?) {
        (changes.added, changes.changed, changes.moved) = ([], [], tiles)
        (changes.documents.added, changes.documents.changed) = ([], documents)
        guard let entry, entry.tiles == metadata.address else { return }
        let present = Set(tiles)
        let known = Set(changes.removed)
        changes.removed += entry.limits.flatMap(\.tiles).filter { !present.contains($0) }
            .map { TilesetMetadata.unescaped(metadata.relativeAddress(of: $0)) }
            .filter { !known.contains($0) }
    }
}

extension BuildingIndex.Floor {
    /// The number of tiles within the limits: up to 4^30.
    fileprivate var area: Int { limits.reduce(0) { $0.addingSaturated($1.columns.count * $1.rows.count) } }
}

extension TileRange {
    /// All tiles within the limits.
    fileprivate var tiles: [TileCoordinate] {
        rows.flatMap { row in
            columns.map { TileCoordinate(zoom: zoom, column: $0, row: row) }
        }
    }
}
