import Platform
import Tiling

/// The removal of an archive that tilewright made: its file, and what killed runs left next to it.
package struct ArchiveRemoval {
    /// The addresses of its tiles, as `z/x/y`, by zoom, column, row.
    package let tiles: [String]

    private let name: String
    private let lockName: String
    private let directory: Directory
    private let lock: FileLock
    private let endings: [String]

    /// Locks an archive of MBTiles; nothing is removed yet.
    ///
    /// - Parameter budget: the limits for listing its tiles.
    /// - Throws: `.missingInput` if it does not exist, `.outputRefused` if it is not ours, `.badInput` if it
    ///   is damaged, `.usage` if it has too many tiles, `.busy` if another run writes it.
    package init(mbtiles path: String, budget: ReadingBudget = ReadingBudget()) throws {
        try self.init(path, of: MBTilesReader.self, budget, endings: MBTilesWriter.companionEndings)
    }

    /// Locks an archive of PMTiles; nothing is removed yet.
    ///
    /// - Throws: see `init(mbtiles:)`.
    package init(pmtiles path: String, budget: ReadingBudget = ReadingBudget()) throws {
        try self.init(path, of: PMTilesReader.self, budget, endings: PMTilesWriter.companionEndings)
    }

    private init<Reader: ArchiveReader>(
        _ path: String, of kind: Reader.Type, _ budget: ReadingBudget, endings: [String]
    ) throws {
        let (parent, name) = path.splitPath
        let lockName = ArchiveFile.lockName(name)
        let missing = Failure(.missingInput, cannot: "remove '\(path)'", "there is no such file")
        guard let directory = try Directory.open(parent) else { throw missing }
        let status = try directory.status(of: name)
        // A killed run leaves its lock file, even a run that was removing the archive.
        guard try status != nil || directory.status(of: lockName) != nil else { throw missing }
        if let status { try Self.check(status, path, isOurs: kind.isOurs) }
        guard let lock = try FileLock.acquire(lockName, in: directory, for: "'\(path)'") else {
            throw missing
        }
        do { tiles = try status == nil ? [] : Self.tiles(of: kind.opened(path, budget: budget), path) } catch
        {
            _ = try? directory.removeFile(lockName)
            throw error
        }
        (self.name, self.lockName, self.directory, self.lock) = (name, lockName, directory, lock)
        self.endings = endings
    }

    private static func check(
        _ status: FileStatus, _ path: String, isOurs: (String) throws -> Bool
    ) throws {
        if status.kind == .link {
            throw Failure(
                .outputRefused, cannot: "remove '\(path)'", "it is a symbolic link",
                remedy: "name the archive itself")
        }
        if try status.kind != .file || !isOurs(path) {
            throw Failure(
                .outputRefused, cannot: "remove '\(path)'", "the file there was not made by tilewright",
                remedy: "tilewright removes only what it made; delete other files yourself")
        }
    }

    private static func tiles(of reader: some ArchiveReader, _ path: String) throws -> [String] {
        do {
            if let addresses = try reader.intactAddresses() {
                return addresses.map(\.coordinate.description)
            }
            var ledger = TileLedger()
            try reader.readTiles(into: &ledger)
            return ledger.tiles.map(\.description)
        } catch let failure as Failure where failure.kind != .badInput { throw failure } catch {
            throw Failure(
                .badInput, cannot: "list the tiles of '\(path)', to remove it", "it is damaged",
                remedy: "remove the file without tilewright, and clear caches of all its tiles")
        }
    }

    /// Removes the archive.
    ///
    /// - Parameter announce: is called before the file is removed: if it fails, nothing is removed.
    package consuming func run(announcing announce: () throws -> Void) throws {
        defer { lock.release() }
        do {
            try announce()
            for ending in endings { try directory.removeFile(name + ending) }
            try directory.removeFile(name)
            try TemporaryFile.removeAbandoned(of: name, in: directory)
        } catch {
            _ = try? directory.removeFile(lockName)
            throw error
        }
        // The lock file is removed last: a run that locks it afterwards checks that it still exists.
        try directory.removeFile(lockName)
    }
}
