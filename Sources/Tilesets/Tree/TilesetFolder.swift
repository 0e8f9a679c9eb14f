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
    private let mark: Directory
    private let lock: FileLock
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
            guard let mark = try root.makeSubdirectory(Self.markName),
                let home = try mark.makeSubdirectory(Self.homeName(floor))
            else { return nil }
            return try Self(floor, home, mark, root, created)
        }
    }

    /// Locks an existing tileset, published or not, without making anything.
    ///
    /// - Returns: nil if it does not exist.
    /// - Throws: `.busy` if another run works on it.
    init?(existing floor: String?, in root: Directory) throws {
        guard let mark = try root.subdirectory(Self.markName),
            let home = try mark.subdirectory(Self.homeName(floor)),
            let locked = try Self(floor, home, mark, root, CreatedDirectories())
        else { return nil }
        self = locked
    }

    /// - Returns: nil if a directory was removed meanwhile.
    private init?(
        _ floor: String?, _ home: Directory, _ mark: Directory, _ root: Directory,
        _ created: CreatedDirectories
    ) throws {
        let lock = try FileLock.acquire(Self.lockName, in: home, for: Self.owner(floor, path: root.path))
        guard let lock else { return nil }
        (self.root, self.home, self.mark, self.floor) = (root, home, mark, floor)
        (self.lock, self.created) = (lock, created)
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

    /// Releases the lock.
    func unlock() { lock.release() }

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
            try mark.removeEmptySubdirectory(Self.homeName(floor))
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
        try Self.manifest(
            in: home, floor: floor, force: force, refusal: .outputRefused,
            remedy: "remove '\(root.path)' and build it again; or give --force, but stale tiles then stay")
            ?? TilesetManifest()
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

    /// The published manifest of a tileset; nil if there is none.
    ///
    /// - Throws: `.badInput` if the manifest is damaged.
    static func publishedManifest(in root: Directory, floor: String?) throws -> TilesetManifest? {
        try home(of: floor, in: root).flatMap { try manifest(in: $0, floor: floor, refusal: .badInput) }
    }

    /// The maximum number of bytes in holes, which take no disk space: hashes do not have long runs of zeros.
    private static let largestHole = 1 << 20

    /// Reads a manifest; returns nil if there is none.
    ///
    /// - Parameters:
    ///   - force: whether a damaged manifest counts as an empty one.
    ///   - refusal: the kind of failure if it cannot be used.
    ///   - remedy: what to do if it is damaged.
    private static func manifest(
        in home: Directory, floor: String?, force: Bool = false, refusal: Failure.Kind, remedy: String? = nil
    ) throws -> TilesetManifest? {
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
            if case .newer = damage {} else if force { return nil }
            throw damage.failure(reading: home.path(of: manifestName), as: refusal, remedy: remedy)
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
        let start = homeName("")
        return try mark.names().compactMap { name in
            let floor = name == homeName(nil) ? nil : String(name.dropFirst(start.count))
            guard floor.map({ name.hasPrefix(start) && TileNames.isFloor($0) }) ?? true,
                let home = try mark.subdirectory(name),
                try isStarted || home.status(of: manifestName) != nil
            else { return nil }
            return .some(floor)
        }
    }

    /// The name, for messages, of another tileset that owns a file of the directory; nil if there is none.
    static func owner(of path: String, besides floor: String?, in root: Directory) throws -> String? {
        try floors(in: root).first { other in
            try other != floor && publishedManifest(in: root, floor: other)?.owns(path) == true
        }.map(title)
    }

    /// The name of a tileset in messages, without its directory.
    static func title(floor: String?) -> String {
        floor.map { "floor '\($0)'" } ?? "a tileset without a floor"
    }
}

/// The files of a tree that belong to tilewright, according to its manifests: runs replace and remove them.
package struct TreeClaims {
    private let manifests: [TilesetManifest]

    /// Reads the manifests of all tilesets in a directory. Damaged manifests are skipped, since runs do not
    /// use them.
    package init(_ path: String) {
        guard let root = try? Directory.open(path), let floors = try? TilesetFolder.floors(in: root) else {
            manifests = []
            return
        }
        manifests = floors.compactMap { try? TilesetFolder.publishedManifest(in: root, floor: $0) }
    }

    /// Whether a file belongs to tilewright.
    ///
    /// - Parameter path: the path of the file below the directory.
    package func contain(_ path: String) -> Bool {
        path.hasPrefix(TilesetFolder.markName + "/") || path == TilesetFolder.markName
            || manifests.contains { $0.owns(path) }
    }
}
