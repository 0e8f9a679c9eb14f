import Platform
import Synchronization

/// The file of an archive while it is written: a new one next to OUTPUT, which gets its name when it is
/// whole.
///
/// The name is locked for this run by an empty file, `OUTPUT.tilewright-partial`. A run that is killed leaves
/// it and its unfinished file; the next one removes both, and starts again.
///
/// `commit` and `discard` release the lock: from then on the files are another run's, and are left alone.
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

    /// Locks the name, and makes the directories of the file.
    ///
    /// - Parameters:
    ///   - force: take the place of a file that is not ours.
    ///   - followsLink: whether a link that has the name leads to the file to replace: it does if the user typed it.
    ///   - isOurs: whether the file of that path was made by this program.
    /// - Throws: `.outputRefused` if OUTPUT is something else or cannot be made, `.busy` if
    ///   another run writes it. Nothing is left then that was not there before.
    init(
        _ path: String, force: Bool, followsLink: Bool = true, isOurs: (_ path: String) -> Bool
    ) throws {
        let path = followsLink ? try WholeFile.followingLink(path) : path
        for _ in 0..<TilesetLock.patience {
            var created = CreatedDirectories()
            do {
                let (parent, name) = path.splitPath
                try created.make(parent)
                guard let directory = try Directory.open(parent) else { continue }
                try Self.check(name, in: directory, path: path, force: force, isOurs: isOurs)
                guard let lock = try FileLock.acquire(Self.lockName(name), in: directory, for: "'\(path)'")
                else { continue }
                try TemporaryFile.removeAbandoned(of: name, in: directory)
                (self.path, self.name, self.directory) = (path, name, directory)
                (self.lock, self.created) = (lock, created)
                return
            } catch {
                created.removeEmpty()
                throw error
            }
        }
        throw Failure(.busy, "cannot create '\(path)': another program keeps removing it")
    }

    /// The name of the file that is locked as long as somebody writes an archive.
    static func lockName(_ name: String) -> String { name + TemporaryFile.ending }

    private static func check(
        _ name: String, in directory: Directory, path: String, force: Bool,
        isOurs: (String) -> Bool
    ) throws {
        guard let status = try directory.status(of: name) else { return }
        if status.kind == .directory {
            throw Failure(
                .outputRefused, "cannot write '\(path)': it is a directory",
                remedy: "for a directory of tiles, give a name with another ending")
        }
        if status.kind == .link {
            throw Failure(
                .outputRefused, "cannot write '\(path)': it is a symbolic link",
                remedy: "remove the link: tilewright may not have made its target")
        }
        if !force, !isOurs(path) {
            throw Failure(
                .outputRefused, "cannot write '\(path)': the file there was not made by tilewright",
                remedy: "give another OUTPUT, or --force to replace it")
        }
    }

    /// The file to write to; made when it is first asked for.
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

    /// Gives the whole archive its name; whatever had it before is gone.
    ///
    /// - Parameters:
    ///   - isNews: whether the content differs from before; if not, the file gets the time of the one
    ///     before, since make, rsync and others would take a new time for new content.
    ///   - endings: the endings of the names of files that belonged to the one before and are removed with
    ///     it.
    /// - Throws: if the file cannot have its name, it is removed as `discard` does it.
    func commit(fsync: Bool, isNews: Bool = true, removing endings: [String] = []) throws {
        let file = try temporary()
        try end { _ in
            do {
                // Without the lock somebody else may be writing, and comes to an end later.
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

    /// Removes what was written, and the directories that were made for it; does nothing after `commit`.
    func discard() { end { $0?.discard() } }

    /// Removes what has the name of the archive, and nothing takes its place; the last call.
    func removeOld() throws {
        try end { file in
            file?.discard()
            try directory.removeFile(name)
        }
    }

    /// Makes the last call, once, and releases the lock.
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

    /// Removes the file of the lock, which is still held: a run that waits for it looks whether the file is
    /// still there.
    private func removeLock() {
        let lockName = Self.lockName(name)
        if (try? lock.isStill(lockName, in: directory)) == true { _ = try? directory.removeFile(lockName) }
    }
}

/// The index of several tilesets while they are written: locked by its name for the whole run, and replaced
/// at its end, if it changed.
package final class IndexFile: Sendable {
    /// The index of a building.
    package static let buildingName = "building.json"
    /// The index of several buildings.
    package static let campusName = "campus.json"
    /// The names of indexes, which no tile has.
    package static let names = [buildingName, campusName]

    /// The bytes that were there when the run began; nil if there were none.
    package let earlier: [UInt8]?

    /// Bytes: an index of thousands of floors has a hundredth of it.
    private static let largest = 64 << 20

    private let file: ArchiveFile

    /// Locks the name, and reads what is there.
    ///
    /// - Parameters:
    ///   - force: take the place of a file that is not ours.
    ///   - isOurs: whether bytes were written by this program.
    /// - Throws: `.outputRefused` if the file there is not ours or none can be made, `.busy` if another run
    ///   writes it.
    package init(_ path: String, force: Bool, isOurs: (_ bytes: [UInt8]) -> Bool) throws {
        file = try ArchiveFile(path, force: force, followsLink: false) { path in
            (try? Self.read(path)).flatMap { $0 }.map(isOurs) ?? false
        }
        do { earlier = try Self.read(path) } catch {
            file.discard()
            throw error
        }
    }

    /// The bytes of an index; nil if there is none, or no directory that it could be in.
    ///
    /// - Throws: `.missingInput` if its name is not a regular file's, `.badInput` if it is too large for an index.
    package static func read(_ path: String) throws -> [UInt8]? {
        let (parent, name) = path.splitPath
        if let found = FileStatus(at: parent), found.kind != .directory { return nil }
        return try Failure.ofInput { try Directory.open(parent)?.readFile(name, most: largest) }
    }

    /// Whether an index has to be written: it changed, and one that names nothing is not begun.
    package func isNews(_ bytes: [UInt8], isEmpty: Bool) -> Bool {
        bytes != earlier && !(isEmpty && earlier == nil)
    }

    /// Replaces the index, if it has to be written; the last call.
    ///
    /// - Parameters:
    ///   - bytes: the index.
    ///   - isEmpty: whether it names nothing.
    ///   - fsync: have it on the disk before this returns.
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

    /// Leaves the index as it was; the last call, unless `finish` was called.
    package func discard() { file.discard() }
}
