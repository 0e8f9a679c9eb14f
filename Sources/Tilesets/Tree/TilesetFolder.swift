import Platform

/// The private part of a tileset's directory, locked for this run.
///
/// ```
/// OUTPUT/.tilewright/              the mark: the directory is ours
/// OUTPUT/.tilewright/tileset/      a tileset without a floor
/// OUTPUT/.tilewright/floor-NAME/   the tileset of a floor
///     lock                         held with flock(2) while a run works on it
///     manifest                     the files that are ours
///     staging/                     tiles that are not published yet, and their journal
/// ```
struct TilesetFolder: Sendable {
    /// The name of the mark.
    static let markName = ".tilewright"
    /// The name of the file that a run locks.
    static let lockName = "lock"
    private static let manifestName = "manifest"

    /// OUTPUT.
    let root: Directory
    /// The tileset's own part of the state.
    let home: Directory
    private let floor: String?
    /// Held until it is released: copies of this value may outlive the run.
    let lock: FileLock
    private let created: CreatedDirectories
}

extension TilesetFolder {
    /// Makes OUTPUT and the state as far as they are missing, and locks the tileset.
    ///
    /// - Parameter force: whether to use a directory that is not ours.
    /// - Throws: `.outputRefused` if the directory is not ours or cannot be made, `.busy` if another run
    ///   works on the same floor. Nothing new is left then.
    init(path: String, floor: String?, force: Bool) throws {
        self = try CreatedDirectories.open(path, for: path) { root, created in
            if !force { try Self.checkIsOurs(root) }
            _ = try root.makeSubdirectory(Self.markName)?.makeSubdirectory(Self.homeName(floor))
            return try Self(existing: floor, in: root, created)
        }
    }

    /// Locks an existing tileset, published or not, without making anything.
    ///
    /// - Parameter created: the directories that this run has made for it.
    /// - Returns: nil if it does not exist, or was removed meanwhile.
    /// - Throws: `.busy` if another run works on it.
    init?(
        existing floor: String?, in root: Directory, _ created: CreatedDirectories = CreatedDirectories()
    ) throws {
        let owner = Self.owner(floor, path: root.path)
        guard let home = try Self.home(of: floor, in: root),
            let lock = try FileLock.acquire(Self.lockName, in: home, for: owner)
        else { return nil }
        (self.root, self.home, self.floor, self.lock, self.created) = (root, home, floor, lock, created)
    }

    /// Refuses a directory that is not ours. It is ours if it has the mark, which a run of another floor may
    /// have made a moment ago, or nothing but an index or its unfinished file: the index of a building is
    /// begun before its floors, and stays if all floors are removed.
    private static func checkIsOurs(_ root: Directory) throws {
        let names = try root.names()
        if names.contains(markName)
            || names.allSatisfy({ TemporaryFile.isOne($0) || IndexFile.names.contains($0) })
        {
            return
        }
        throw Failure(
            .outputRefused,
            "cannot write tiles to '\(root.path)': it contains files that tilewright did not make",
            remedy: "give another OUTPUT, or --force to add the tiles to them")
    }

    private static func homeName(_ floor: String?) -> String {
        floor.map { "floor-\($0)" } ?? "tileset"
    }

    /// The name of a tileset in messages, with its directory.
    static func owner(_ floor: String?, path: String) -> String {
        floor.map { "floor '\($0)' in '\(path)'" } ?? "the tiles in '\(path)'"
    }

    /// Removes the state of a tileset of which nothing is published, and the directories that this run made,
    /// as far as they are empty.
    ///
    /// - Parameter withManifest: whether to remove the manifest first, since the files that it lists are gone.
    func remove(withManifest: Bool) throws {
        // Without the manifest, nothing is published, and the next run removes the rest.
        if withManifest { try home.removeFile(Self.manifestName) }
        if try home.status(of: Self.manifestName) == nil {
            // The lock file is removed last: a run that has already opened it checks that it still exists
            // after locking it.
            for name in try home.names() where name != Self.lockName { try home.removeTree(name) }
            try home.removeFile(Self.lockName)
            try root.subdirectory(Self.markName)?.removeEmptySubdirectory(Self.homeName(floor))
            try root.removeEmptySubdirectory(Self.markName)
        }
        created.removeEmpty()
    }
}

// Files are written whole or not at all.
extension TilesetFolder {
    /// Reads the manifest; returns an empty one if there is none.
    ///
    /// - Parameter force: whether to ignore a damaged manifest.
    func readManifest(force: Bool) throws -> TilesetManifest {
        try Self.manifest(of: floor, in: root, toReplace: force) ?? TilesetManifest()
    }

    /// Writes the manifest. Even without `fsync`, its bytes are on the disk before its name, since only the
    /// manifest tells which tiles are ours.
    func write(_ manifest: TilesetManifest, fsync: Bool = false) throws {
        try publish(
            manifest.encoded, as: Self.manifestName, in: home, flushesBytes: true, fsync: fsync)
    }

    /// Writes a file in any directory below OUTPUT.
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
}

// A directory that is only read.
extension TilesetFolder {
    /// The state of a tileset; nil if there is none.
    static func home(of floor: String?, in root: Directory) throws -> Directory? {
        try root.subdirectory(markName)?.subdirectory(homeName(floor))
    }

    /// The maximum number of bytes in holes, which take no disk space: hashes do not have long runs of zeros.
    private static let largestHole = 1 << 20

    /// The published manifest of a tileset; nil if there is none.
    ///
    /// - Parameter force: for a run that will replace the tileset, whether a damaged manifest counts as none;
    ///   nil for other readers.
    /// - Throws: `.badInput` if the manifest is damaged, `.outputRefused` for a run.
    static func manifest(
        of floor: String?, in root: Directory, toReplace force: Bool? = nil
    ) throws -> TilesetManifest? {
        guard let home = try home(of: floor, in: root) else { return nil }
        do {
            // If it cannot be opened, reading it reports why.
            if let file = try? home.openFile(manifestName), let size = try? file.status().size,
                size - file.storedSize(of: size) > largestHole
            {
                throw TilesetManifest.Damage.damaged
            }
            return try home.readFile(manifestName, most: TileRecord.largestList).map {
                try TilesetManifest(decoding: $0, floor: floor)
            }
        } catch let damage as TilesetManifest.Damage {
            if case .newer = damage {} else if force == true { return nil }
            throw damage.failure(
                reading: home.path(of: manifestName), toReplace: force == nil ? nil : root.path)
        }
    }

    /// The path of the manifest below the directory.
    static func manifestPath(floor: String?) -> String {
        "\(markName)/\(homeName(floor))/\(manifestName)"
    }

    /// The floors that are published in a directory; nil for a tileset without a floor.
    ///
    /// - Parameter isStarted: whether to include floors of which nothing is published yet.
    static func floors(in root: Directory, started isStarted: Bool = false) throws -> [String?] {
        guard let mark = try root.subdirectory(markName) else { return [] }
        return try mark.names().floors(homeName).filter { floor in
            guard let home = try mark.subdirectory(homeName(floor)) else { return false }
            return try isStarted || home.status(of: manifestName) != nil
        }
    }

    /// The names, for messages, of the other tilesets of a directory whose manifests meet a condition, sorted.
    /// Takes 32 bytes for each tile of one of them.
    static func others(
        than floor: String?, in root: Directory, where isMeant: (TilesetManifest) -> Bool
    ) throws -> [String] {
        let meant = try floors(in: root).filter { other in
            try other != floor && manifest(of: other, in: root).map(isMeant) == true
        }
        return meant.map { $0.map { "floor '\($0)'" } ?? "a tileset without a floor" }.sorted()
    }
}
