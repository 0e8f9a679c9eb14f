import Platform
import Publishing
import Tilesets

/// The removal of finished tilesets: tiles, documents, and the program's state files.
///
/// Nothing else is touched: other files and floors of a folder stay, even viewer pages. Directories that
/// become empty are removed, including the folder itself.
///
/// ```swift
/// let removal = try TilesetRemoval("tiles", .floor("3"))
/// let gone = try removal.run()
/// ```
public struct TilesetRemoval: Sendable {
    /// The part to remove.
    public enum Part: Hashable, Sendable {
        /// A floor of a folder; nil for the tileset without a floor.
        case floor(String?)
        /// All tilesets of a folder, or an archive.
        case all
    }

    /// The files that were removed.
    public struct Summary: Hashable, Sendable {
        /// The addresses of tiles, in the form of lists of changes: absolute if the tileset's address on the
        /// web is known, else relative to the folder; `z/x/y` for an archive.
        public var tiles: [String] = []
        /// The addresses of documents, such as `tilejson.json`.
        public var documents: [String] = []
        /// The addresses of documents that were changed: a building's index.
        public var changed: [String] = []
    }

    /// A folder, or an archive.
    public let path: String
    /// The part to remove.
    public let part: Part
    /// A file for the addresses of all that was removed; nil for none.
    public let changes: String?
    /// A file to which the same addresses are added, until someone takes it away; nil for none.
    public let pending: String?
    /// The maximum number of tiles of an archive whose addresses are listed.
    public var maxTiles = BuildResources.standardMaxTiles
    /// Whether the caller updates the building's index, which names the tileset.
    var leavesIndex = false

    /// Prepares a removal; opens nothing.
    ///
    /// - Throws: a `Failure`: `usage` if a parameter does not apply to the output, `outputRefused` if the
    ///   list cannot be written.
    public init(
        _ path: String, _ part: Part = .all, changes: String? = nil, pending: String? = nil
    ) throws {
        if path.isEmpty { throw Failure(.usage, "OUTPUT needs the name of a folder or an archive") }
        if TilesetContainer(existing: path).isArchive, part != .all {
            throw Failure(
                .usage, "--floor does not apply to '\(path)': an archive holds one tileset",
                remedy: "--all removes it")
        }
        try OutputLists(changes: changes, pending: pending).check(
            inputs: [], outputs: [path], target: path)
        (self.path, self.part, self.changes, self.pending) = (path, part, changes, pending)
    }

    /// Removes the tilesets; the next removal completes one that was stopped or killed.
    ///
    /// Reads the list of files, but no tiles. Returns when everything is removed: call it from a task that
    /// may wait.
    ///
    /// - Parameter announce: receives the summary before the list of files is deleted. If it throws, the next
    ///   removal announces the same files again.
    /// - Throws: a `Failure`: `missingInput` if there is no such output or floor, `outputRefused` if it was
    ///   not made by tilewright, `busy` if another run writes it, `badInput` if an archive is damaged;
    ///   `CancellationError` if the task was cancelled.
    @discardableResult
    public func run(announcing announce: (Summary) throws -> Void = { _ in }) throws -> Summary {
        let container = TilesetContainer(existing: path)
        return switch container {
        case .directory: try removeFromTree(announce)
        case .mbtiles: try remove(ArchiveRemoval(mbtiles: path, budget: budget), announce)
        case .pmtiles: try remove(ArchiveRemoval(pmtiles: path, budget: budget), announce)
        }
    }

    private var budget: ReadingBudget { ReadingBudget(tiles: maxTiles) }

    private func removeFromTree(_ announce: (Summary) throws -> Void) throws -> Summary {
        let floors: [String?]? = if case .floor(let floor) = part { [floor] } else { nil }
        let removal = try TreeRemoval(path, floors: floors)
        var pending = pendingFile
        let isIndexGone = try updateIndex(below: removal.baseURL, &pending)
        return try Summary(
            removal.run { removed in
                // They are gone by now.
                let summary = Summary(removed, isIndexGone: isIndexGone)
                try write(summary)
                try pending?.add(Self.listed(summary))
                try announce(summary)
            }, isIndexGone: isIndexGone)
    }

    /// Updates the index that names the removed tilesets, if there is one.
    ///
    /// - Parameter base: the prefix of its address; nil for none.
    /// - Returns: whether it was removed; nil if there is none.
    private func updateIndex(below base: String?, _ pending: inout PendingFile?) throws -> Bool? {
        guard let index = try index() else { return nil }
        let address = ChangeList.address(of: BuildingIndex.fileName, below: base)
        try pending?.expect([AddressChange(index.isEmpty ? .removed : .changed, address)])
        return try index.run()
    }

    /// The index that names the removed tilesets, if there is one.
    private func index() throws -> IndexRemoval? {
        if leavesIndex { return nil }
        let isArchive = TilesetContainer(existing: path).isArchive
        return try IndexRemoval(in: isArchive ? path.parentDirectory : path) { floor in
            if let archive = floor.archive { return isArchive && archive.text == path.fileName }
            return !isArchive && (part == .all || part == .floor(floor.floor))
        }
    }

    private func remove(
        _ removal: ArchiveRemoval, _ announce: (Summary) throws -> Void
    ) throws -> Summary {
        var summary = Summary(tiles: removal.tiles)
        var pending = pendingFile
        summary.add(index: try updateIndex(below: nil, &pending), below: nil)
        // The reader of a pipe acts at once: the archive must be gone before.
        let isRead = changes.map(WholeFile.isStream) == true
        try removal.run {
            if !isRead { try write(summary) }
            try pending?.expect(Self.listed(summary))
            try announce(summary)
        }
        if isRead { try write(summary) }
        try pending?.add(Self.listed(summary))
        return summary
    }

    private var pendingFile: PendingFile? { pending.map { PendingFile($0, fsync: false) } }

    private static func listed(_ summary: Summary) -> [AddressChange] {
        ChangeList.changes(changed: summary.changed, removed: summary.tiles + summary.documents)
    }

    private func write(_ summary: Summary) throws {
        guard let changes else { return }
        try OutputFile.write(Self.listed(summary).listed, to: changes)
    }
}

extension TilesetRemoval.Summary {
    /// - Parameter isIndexGone: whether a building's index was removed; nil if there is no index.
    fileprivate init(_ removed: [RemovedTileset], isIndexGone: Bool?) {
        for tileset in removed {
            tiles += tileset.tiles.map { ChangeList.address(of: $0, below: tileset.baseURL) }
            documents += tileset.documents.map { ChangeList.address(of: $0, below: tileset.baseURL) }
        }
        add(index: isIndexGone, below: removed.first?.baseURL)
    }

    /// Adds a building's index.
    ///
    /// - Parameters:
    ///   - isGone: whether the index was removed; nil if there is no index.
    ///   - base: the prefix of its address; nil for none.
    fileprivate mutating func add(index isGone: Bool?, below base: String?) {
        guard let isGone else { return }
        let address = ChangeList.address(of: BuildingIndex.fileName, below: base)
        if isGone { documents.append(address) } else { changed.append(address) }
    }
}

/// The update of a building's index, which apps read, after the removal of a floor.
struct IndexRemoval {
    private let file: IndexFile
    private let rest: BuildingIndex

    /// Locks the index next to tilesets.
    ///
    /// - Parameters:
    ///   - folder: the folder of the index.
    ///   - isRemoved: whether a floor is removed.
    /// - Returns: nil if there is no index of tilewright, or if it names none of the floors.
    /// - Throws: `.busy` if a build of the building runs.
    init?(in folder: String, removing isRemoved: (BuildingIndex.Floor) -> Bool) throws {
        let path = folder.path(of: BuildingIndex.fileName)
        guard let index = try BuildingIndex(in: folder), index.floors.contains(where: isRemoved)
        else { return nil }
        file = try IndexFile(path, force: false, isOurs: BuildingIndex.isOurs)
        rest = BuildingIndex(
            name: index.name, manifest: index.manifest, floors: index.floors.filter { !isRemoved($0) })
    }

    /// Whether no floor is left.
    var isEmpty: Bool { rest.floors.isEmpty }

    /// Writes the index without the floors, or removes it if it has no floors left. Must be the last call.
    ///
    /// - Returns: whether the index was removed.
    func run() throws -> Bool {
        if isEmpty {
            try file.remove()
            return true
        }
        _ = try file.finish(rest.bytes, isEmpty: false, fsync: false)
        return false
    }
}
