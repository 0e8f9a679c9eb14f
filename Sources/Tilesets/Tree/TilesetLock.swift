import Platform

/// The private part of a tileset's directory, locked for this run.
///
/// ```
/// OUTPUT/.tilewright/              the mark: the directory is ours
/// OUTPUT/.tilewright/tileset/      a tileset without a floor
/// OUTPUT/.tilewright/floor-NAME/   the tileset of a floor
///     lock                         held with flock(2) while a run works on it
///     staging/                     tiles that are not published yet
///     manifest                     the files that are ours
/// ```
struct TilesetLock: Sendable {
    /// The name of the mark.
    static let markName = ".tilewright"
    private static let lockName = "lock"
    private static let manifestName = "manifest"
    /// The number of attempts: a run of another floor that fails can remove a directory after we made it and
    /// before we use it, but not that often in a row.
    static let patience = 100

    /// OUTPUT.
    let root: Directory
    /// The tileset's own part of the state.
    let home: Directory
    private let mark: Directory
    private let homeName: String
    private let lock: FileLock
    private let created: CreatedDirectories
}

extension TilesetLock {
    /// Makes OUTPUT and the state as far as they are missing, and locks the tileset.
    ///
    /// - Parameter force: whether to use a directory that is not ours.
    /// - Throws: `.outputRefused` if the directory is not ours or cannot be made, `.busy` if another run
    ///   works on the same floor. Nothing new is left then.
    init(path: String, floor: String?, force: Bool) throws {
        for _ in 0..<Self.patience {
            var created = CreatedDirectories()
            do {
                try created.make(path)
                if let state = try Self.open(path, floor, force, created) {
                    self = state
                    return
                }
            } catch {
                created.removeEmpty()
                throw error
            }
        }
        throw Failure(.busy, "cannot create '\(path)': another program keeps removing it")
    }

    /// Locks an existing tileset, published or not, without making anything.
    ///
    /// - Returns: nil if it does not exist.
    /// - Throws: `.busy` if another run works on it.
    init?(existing floor: String?, in root: Directory) throws {
        let homeName = Self.homeName(floor: floor)
        guard let mark = try root.subdirectory(Self.markName),
            let home = try mark.subdirectory(homeName),
            let lock = try FileLock.acquire(
                Self.lockName, in: home, for: Self.owner(floor: floor, path: root.path))
        else { return nil }
        self.init(
            root: root, home: home, mark: mark, homeName: homeName, lock: lock,
            created: CreatedDirectories())
    }

    /// - Returns: nil if a directory was removed meanwhile.
    private static func open(
        _ path: String, _ floor: String?, _ force: Bool, _ created: CreatedDirectories
    ) throws -> TilesetLock? {
        guard let root = try Directory.open(path) else { return nil }
        if try !force && root.status(of: markName) == nil && isForeign(root.names()) {
            throw Failure(
                .outputRefused,
                "cannot write tiles to '\(path)': it contains files that tilewright did not make",
                remedy: "give another OUTPUT, or --force to add the tiles to them")
        }
        let homeName = homeName(floor: floor)
        let owner = owner(floor: floor, path: path)
        guard let mark = try root.makeSubdirectory(markName),
            let home = try mark.makeSubdirectory(homeName),
            let lock = try FileLock.acquire(lockName, in: home, for: owner)
        else { return nil }
        return TilesetLock(
            root: root, home: home, mark: mark, homeName: homeName, lock: lock, created: created)
    }

    private static func homeName(floor: String?) -> String {
        floor.map { "floor-\($0)" } ?? "tileset"
    }

    /// The published manifest of a directory that is only read; nil if there is none.
    ///
    /// - Throws: `.badInput` if the list of files is damaged.
    static func publishedManifest(in root: Directory, floor: String?) throws -> TilesetManifest? {
        let home = try root.subdirectory(markName)?.subdirectory(homeName(floor: floor))
        guard let home, let bytes = try manifestBytes(in: home) else { return nil }
        do throws(TilesetManifest.Damage) { return try TilesetManifest(decoding: bytes, floor: floor) } catch
        {
            throw error.failure(reading: home.path(of: manifestName), as: .badInput)
        }
    }

    /// The most bytes of a manifest, at 32 for each tile: eight times the default of `--max-tiles`.
    private static let largestManifest = 1 << 30
    /// The maximum number of bytes in holes, which take no disk space: hashes do not have long runs of zeros.
    private static let largestHole = 1 << 20

    /// The bytes of the manifest, empty if too much of it is holes; nil if it does not exist.
    private static func manifestBytes(in home: Directory) throws -> [UInt8]? {
        // If it cannot be opened, reading it reports why.
        if let file = try? home.openFile(manifestName), let size = try? file.status().size,
            size - file.storedSize(of: size) > largestHole
        {
            return []
        }
        return try home.readFile(manifestName, most: largestManifest)
    }

    /// The path of the manifest below the directory.
    static func manifestPath(floor: String?) -> String {
        "\(markName)/\(homeName(floor: floor))/\(manifestName)"
    }

    /// Fails if a run is writing a tileset.
    ///
    /// - Throws: `.busy`.
    static func checkNobodyWrites(floor: String?, in root: Directory) throws {
        let home = try root.subdirectory(markName)?.subdirectory(homeName(floor: floor))
        guard let home, try home.status(of: lockName) != nil else { return }
        try FileLock.checkIsFree(lockName, in: home, for: owner(floor: floor, path: root.path))
    }

    /// The floors that are published in a directory; nil for a tileset without a floor.
    ///
    /// - Parameter isStarted: whether to include floors of which nothing is published yet.
    static func floors(in root: Directory, started isStarted: Bool = false) throws -> [String?] {
        guard let mark = try root.subdirectory(markName) else { return [] }
        let start = homeName(floor: "")
        return try mark.names().compactMap { name in
            let floor = name == homeName(floor: nil) ? nil : String(name.dropFirst(start.count))
            guard floor.map({ name.hasPrefix(start) && TileNames.isFloor($0) }) ?? true,
                let home = try mark.subdirectory(name),
                try isStarted || home.status(of: manifestName) != nil
            else { return nil }
            return .some(floor)
        }
    }

    /// The name, for messages, of another tileset that owns a file of the directory; nil if there is none.
    static func owner(of path: String, besides floor: String?, in root: Directory) throws -> String? {
        for other in try floors(in: root) where other != floor {
            guard let manifest = try publishedManifest(in: root, floor: other) else { continue }
            if manifest.sections.contain(path) || manifest.hasSideFile(path) {
                return title(floor: other)
            }
        }
        return nil
    }

    /// The name of a tileset in messages, without its directory.
    static func title(floor: String?) -> String {
        floor.map { "floor '\($0)'" } ?? "a tileset without a floor"
    }

    /// The name of a tileset in messages, with its directory.
    private static func owner(floor: String?, path: String) -> String {
        floor.map { "floor '\($0)' in '\(path)'" } ?? "the tiles in '\(path)'"
    }

    /// Whether a directory with these entries is not ours. It is ours if it has the mark, which a run of
    /// another floor may have made a moment ago, or nothing but an index or its unfinished file: the index of
    /// a building is begun before its floors, and stays if all floors are removed.
    private static func isForeign(_ names: [String]) -> Bool {
        !names.contains(markName)
            && !names.allSatisfy { TemporaryFile.isOne($0) || IndexFile.names.contains($0) }
    }

    /// Releases the lock.
    func unlock() { lock.release() }

    /// Reads the manifest; returns an empty one if there is none.
    ///
    /// - Parameter force: whether to ignore a damaged manifest.
    func readManifest(floor: String?, force: Bool) throws -> TilesetManifest {
        guard let bytes = try Self.manifestBytes(in: home) else { return TilesetManifest() }
        do throws(TilesetManifest.Damage) { return try TilesetManifest(decoding: bytes, floor: floor) } catch
        {
            if force { return TilesetManifest() }
            throw error.failure(
                reading: home.path(of: Self.manifestName), as: .outputRefused,
                remedy:
                    "remove '\(root.path)' and build it again; or give --force, but stale tiles then stay")
        }
    }

    /// Writes the manifest, whole or not at all. Even without `fsync`, its bytes are on the disk before its
    /// name, since only the manifest tells which tiles are ours.
    func write(_ manifest: TilesetManifest, fsync: Bool = false) throws {
        try publish(
            manifest.encoded, as: Self.manifestName, in: home, flushesBytes: true, fsync: fsync)
    }

    /// Writes a file in any directory below OUTPUT, whole or not at all.
    ///
    /// - Parameters:
    ///   - flushesBytes: whether its bytes must be on the disk before its name.
    ///   - fsync: whether both must be on the disk when this returns.
    func publish(
        _ bytes: [UInt8], as name: String, in directory: Directory, flushesBytes: Bool = false,
        fsync: Bool
    ) throws {
        let temporary = "partial"
        let file = try home.writeFile(temporary, bytes, flushesBytes: flushesBytes || fsync)
        try directory.giveAccess(of: name, to: file)
        if try !home.moveFile(temporary, to: directory, as: name) {
            throw Failure(
                .inputOutput, "cannot write '\(directory.path(of: name))': its folder is gone")
        }
        if fsync { try directory.flushEntries() }
    }

    /// Removes the state of a tileset whose files are gone.
    func remove() throws {
        // Without the manifest, nothing is published, and the next run removes the rest.
        try home.removeFile(Self.manifestName)
        try removeUnlessPublished()
    }

    /// Removes the state of a tileset of which nothing is published, and the directories that this run made,
    /// as far as they are empty.
    func removeUnlessPublished() throws {
        if try home.status(of: Self.manifestName) == nil {
            // The lock file is removed last: a run that has already opened it checks that it still exists
            // after locking it.
            for name in try home.names() where name != Self.lockName { try home.removeTree(name) }
            try home.removeFile(Self.lockName)
            try mark.removeEmptySubdirectory(homeName)
            try root.removeEmptySubdirectory(Self.markName)
        }
        created.removeEmpty()
    }
}

/// The files of a tree that belong to tilewright, according to its manifests: runs replace and remove them.
package struct TreeClaims {
    private let manifests: [TilesetManifest]

    /// Reads the manifests of all tilesets in a directory. Damaged manifests are skipped, since runs do not
    /// use them.
    package init(_ path: String) {
        guard let root = try? Directory.open(path), let floors = try? TilesetLock.floors(in: root) else {
            manifests = []
            return
        }
        manifests = floors.compactMap { try? TilesetLock.publishedManifest(in: root, floor: $0) }
    }

    /// Whether a file belongs to tilewright.
    ///
    /// - Parameter path: the path of the file below the directory.
    package func contain(_ path: String) -> Bool {
        path.hasPrefix(TilesetLock.markName + "/") || path == TilesetLock.markName
            || manifests.contains { $0.hasSideFile(path) || $0.sections.contain(path) }
    }
}
