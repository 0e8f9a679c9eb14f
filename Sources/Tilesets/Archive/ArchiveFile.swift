import Platform
import Synchronization

/// The file of an archive while it is written: a temporary file next to OUTPUT, which is renamed when it is
/// complete.
///
/// An empty file, `OUTPUT.tilewright-partial`, is locked for this run. A run that is killed leaves it and the
/// unfinished file; the next run removes both, and starts again.
///
/// `commit` and `discard` release the lock: afterwards, the files may belong to another run, and are not
/// touched.
final class ArchiveFile: Sendable {
    private let path: String
    private let name: String
    private let directory: Directory
    private let lock: FileLock
    private let created: CreatedDirectories
    private let state = Mutex(State.begun)

    private enum State {
        case begun
        case written(TemporaryFile)
        case ended
    }

    /// Locks the archive's name, and makes the directories of the file.
    ///
    /// - Parameters:
    ///   - force: whether to replace a file that is not ours.
    ///   - followsLink: whether to replace the target of a symbolic link, and not the link: for paths that
    ///     the user typed.
    ///   - isOurs: whether tilewright made the file at a path.
    /// - Throws: `.outputRefused` if OUTPUT is something else or cannot be made, `.busy` if another run
    ///   writes it. Nothing new is left then.
    init(
        _ path: String, force: Bool, followsLink: Bool = true, isOurs: (_ path: String) throws -> Bool
    ) throws {
        let path = followsLink ? try WholeFile.followingLink(path) : path
        let (parent, name) = path.splitPath
        (directory, lock, created) = try CreatedDirectories.open(parent, for: path) { directory, created in
            try Self.check(name, in: directory, path: path, force: force, isOurs: isOurs)
            guard let lock = try FileLock.acquire(Self.lockName(name), in: directory, for: "'\(path)'")
            else { return nil }
            try TemporaryFile.removeAbandoned(of: name, in: directory)
            return (directory, lock, created)
        }
        (self.path, self.name) = (path, name)
    }

    /// The name of the file that a run locks while it writes an archive.
    static func lockName(_ name: String) -> String { name + TemporaryFile.ending }

    private static func check(
        _ name: String, in directory: Directory, path: String, force: Bool,
        isOurs: (String) throws -> Bool
    ) throws {
        guard let status = try directory.status(of: name) else { return }
        if status.kind == .directory {
            throw Failure(
                .outputRefused, "cannot write '\(path)': it is a folder",
                remedy: "for a folder of tiles, give a name with another ending")
        }
        if status.kind == .link {
            throw Failure(
                .outputRefused, "cannot write '\(path)': it is a symbolic link",
                remedy: "remove the link: tilewright may not have made its target")
        }
        if !force, try !isOurs(path) {
            throw Failure(
                .outputRefused, "cannot write '\(path)': the file there was not made by tilewright",
                remedy: "give another OUTPUT, or --force to replace it")
        }
    }

    /// The file to write to, which is made on the first call.
    ///
    /// - Throws: `.outputRefused` if it cannot be made.
    func temporary() throws -> TemporaryFile {
        try state.withLock { state in
            switch state {
            case .written(let file): return file
            case .begun:
                let file = try TemporaryFile(replacing: name, in: directory)
                state = .written(file)
                return file
            case .ended: preconditionFailure("an archive is written to before it is committed or discarded")
            }
        }
    }

    /// Gives the complete archive its name, and so replaces the file that had it.
    ///
    /// - Parameters:
    ///   - isNews: whether the content has changed. If not, the new file gets the time of the old one, since
    ///     make, rsync and others would take a new time for new content.
    ///   - endings: the name endings of files that belonged to the old archive, and are removed.
    /// - Throws: if the file cannot be renamed; it is then removed, as by `discard`.
    func commit(fsync: Bool, isNews: Bool = true, removing endings: [String] = []) throws {
        let file = try temporary()
        try end { _ in
            do {
                // Without the lock, another run may be writing the archive, and will finish later.
                if try !lock.isStill(Self.lockName(name), in: directory) { throw gone }
                if !isNews { try directory.copyTime(of: name, to: file.file) }
                if fsync { try trying("flush '\(file.path)' to the disk", file.file.flush()) }
                for ending in endings { try directory.removeFile(name + ending) }
                try file.publish()
            } catch {
                file.discard()
                throw error
            }
            if fsync { try directory.flushEntries() }
            try directory.checkPlace(of: path)
        }
    }

    /// Changes the existing file in place, and ends as `commit` does.
    ///
    /// - Parameter body: changes the file, whole or not at all; returns whether it did.
    /// - Returns: what `body` returns. If that is false, this is not the last call.
    func update(isNews: Bool, fsync: Bool, _ body: () throws -> Bool) throws -> Bool {
        if try !lock.isStill(Self.lockName(name), in: directory) { throw gone }
        var hasChanged = false
        if isNews {
            hasChanged = try body()
        } else {
            try directory.keepingTimes(of: name) { hasChanged = try body() }
        }
        if hasChanged {
            try end { _ in
                if fsync { try directory.flushEntries() }
                try directory.checkPlace(of: path)
            }
        }
        return hasChanged
    }

    /// The place of the file.
    var place: SQLitePlace { SQLitePlace(directory: directory, name: name) }

    /// Removes what was written, and the directories that were made for it. Does nothing after `commit`.
    func discard() { end { $0?.discard() } }

    /// Removes the file with the archive's name, without a replacement; the last call.
    func removeOld() throws {
        try end { file in
            file?.discard()
            try directory.removeFile(name)
        }
    }

    /// Runs the last call, only once, and releases the lock.
    private func end(_ body: (TemporaryFile?) throws -> Void) rethrows {
        let last = state.withLock { state in
            defer { state = .ended }
            return state
        }
        let file: TemporaryFile?
        switch last {
        case .ended: return
        case .begun: file = nil
        case .written(let written): file = written
        }
        defer {
            removeLock()
            created.removeEmpty()
            lock.release()
        }
        try body(file)
    }

    private var gone: Failure {
        Failure(
            .inputOutput, cannot: "write '\(path)'", "another program removed '\(Self.lockName(name))'",
            remedy: "run the same command again")
    }

    /// Removes the lock file while it is locked: a run that has already opened it checks that it still exists
    /// after locking it.
    private func removeLock() {
        let lockName = Self.lockName(name)
        // It tells readers that a failed change in place, which its journal undoes, is ours.
        if place.hasJournal { return }
        if (try? lock.isStill(lockName, in: directory)) == true { _ = try? directory.removeFile(lockName) }
    }
}

/// The index of several tilesets: its name is locked for the whole run, and the file is replaced at the end
/// if it changed.
package final class IndexFile: Sendable {
    /// The index of a building.
    package static let buildingName = "building.json"
    /// The index of several buildings.
    package static let campusName = "campus.json"
    /// The names of indexes, which tiles cannot have.
    package static let names = [buildingName, campusName]

    /// The bytes that were there when the run began; nil if there were none.
    package let earlier: [UInt8]?

    /// The most bytes of an index; one of thousands of floors takes a hundredth of this.
    private static let largest = 64 << 20

    private let file: ArchiveFile

    /// Locks the index's name, and reads the old index.
    ///
    /// - Parameters:
    ///   - force: whether to replace a file that is not ours.
    ///   - isOurs: whether tilewright wrote these bytes.
    /// - Throws: `.outputRefused` if the file there is not ours or the index cannot be made, `.busy` if
    ///   another run writes it.
    package init(_ path: String, force: Bool, isOurs: (_ bytes: [UInt8]) -> Bool) throws {
        file = try ArchiveFile(path, force: force, followsLink: false) { path in
            try Failure.unlessLimited { try Self.read(path) }.flatMap { $0 }.map(isOurs) ?? false
        }
        do { earlier = try Self.read(path) } catch {
            file.discard()
            throw error
        }
    }

    /// The bytes of an index; nil if it or its directory does not exist.
    ///
    /// - Throws: `.missingInput` if it is not a regular file, `.badInput` if it is too large for an index.
    package static func read(_ path: String) throws -> [UInt8]? {
        let (parent, name) = path.splitPath
        if let found = FileStatus(at: parent), found.kind != .directory { return nil }
        return try Failure.ofInput { try Directory.open(parent)?.readFile(name, most: largest) }
    }

    /// Whether the index must be written: if it changed, but not if it is empty and did not exist.
    package func isNews(_ bytes: [UInt8], isEmpty: Bool) -> Bool {
        bytes != earlier && !(isEmpty && earlier == nil)
    }

    /// Replaces the index, if it must be written; the last call.
    ///
    /// - Parameters:
    ///   - bytes: the index.
    ///   - isEmpty: whether it lists nothing.
    ///   - fsync: whether it must be on the disk when this returns.
    /// - Returns: whether it was written.
    package func finish(_ bytes: [UInt8], isEmpty: Bool, fsync: Bool) throws -> Bool {
        guard isNews(bytes, isEmpty: isEmpty) else {
            file.discard()
            return false
        }
        do {
            let temporary = try file.temporary()
            try trying("write '\(temporary.path)'", temporary.file.write(bytes))
            try file.commit(fsync: fsync)
        } catch {
            file.discard()
            throw error
        }
        return true
    }

    /// Removes the index; the last call.
    package func remove() throws { try file.removeOld() }

    /// Leaves the index unchanged; the last call, unless `finish` was called.
    package func discard() { file.discard() }
}
