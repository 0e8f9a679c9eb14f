import Diagnostics
import Files
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The file of an archive while it is written: under a name of its own, `OUTPUT.tilewright-partial`,
/// locked for this run, and renamed when it is whole.
///
/// A run that is killed leaves that file; the next one empties it and begins anew.
///
/// `commit` and `discard` let go of the lock: from then on the file of that name may be another run's,
/// and is left alone.
final class ArchiveFile: Sendable {
    /// Where the archive is written until it is whole.
    let temporaryPath: String

    private let path: String
    private let name: String
    private let directory: Directory
    private let lock: FileLock
    private let created: CreatedDirectories
    private let hasEnded = Mutex(false)

    /// Makes the empty file, and the directories that it stands in.
    ///
    /// - Parameters:
    ///   - force: take the place of a file that is not ours.
    ///   - isOurs: whether the file of that path was made by this program.
    /// - Throws: `.outputRefused` if OUTPUT is something else or cannot be made, `.busy` if
    ///   another run writes it. Nothing is left then that was not there before.
    init(_ path: String, force: Bool, isOurs: (_ path: String) -> Bool) throws {
        let path = try WholeFile.followingLink(path)
        for _ in 0..<TilesetState.patience {
            var created = CreatedDirectories()
            do {
                let (parent, name) = path.splitPath
                try created.make(parent)
                guard let directory = try Directory.open(parent) else { continue }
                try Self.check(name, in: directory, path: path, force: force, isOurs: isOurs)
                let partial = name + WholeFile.partialEnding
                guard
                    let lock = try FileLock.acquire(partial, in: directory, for: "'\(path)'")
                else { continue }
                try directory.writeFile(partial, [])
                temporaryPath = path + WholeFile.partialEnding
                self.path = path
                self.name = name
                self.directory = directory
                self.lock = lock
                self.created = created
                return
            } catch {
                created.removeEmpty()
                throw error
            }
        }
        throw Failure(.busy, "cannot create '\(path)': others keep removing it")
    }

    private static func check(
        _ name: String, in directory: Directory, path: String, force: Bool,
        isOurs: (String) -> Bool
    ) throws {
        guard let status = try directory.status(of: name) else { return }
        if status.kind == .directory {
            throw Failure(
                .outputRefused, "cannot write '\(path)': it is a directory",
                remedy: "a name that ends otherwise makes a directory of tiles")
        }
        if !force, !isOurs(path) {
            throw Failure(
                .outputRefused, "cannot write '\(path)': the file there is somebody else's",
                remedy: "give another OUTPUT, or --force to put the tiles in its place")
        }
    }

    /// Gives the whole archive its name; whatever had it before is gone.
    ///
    /// - Parameters:
    ///   - isNews: whether the content differs from before; if not, the file gets the time of the one
    ///     before, since make, rsync and others would take a new time for new content.
    ///   - endings: how the names of files end that belonged to the one before and go with it.
    /// - Throws: if the file cannot have its name, it is removed as `discard` does it.
    func commit(fsync: Bool, isNews: Bool = true, removing endings: [String] = []) throws {
        try end {
            do {
                // What somebody put in its place is not what was written.
                if try !lock.isStill(partial, in: directory) { throw gone }
                if !isNews { try directory.copyTime(of: name, to: partial) }
                if fsync { try directory.flushFile(partial) }
                for ending in endings { try directory.removeFile(name + ending) }
                guard try directory.moveFile(partial, to: directory, as: name) else { throw gone }
            } catch {
                try? removePartial()
                throw error
            }
            if fsync { try directory.flushEntries() }
            try directory.checkPlace(of: path)
        }
    }

    /// Removes what was written, and the directories that were made for it; does nothing after `commit`.
    func discard() throws { try end(removePartial) }

    /// Removes the file, unless somebody put another in its place; the lock is held.
    private func removePartial() throws {
        if try lock.isStill(partial, in: directory) { try directory.removeFile(partial) }
        created.removeEmpty()
    }

    /// Does the last thing, once, and lets go of the lock.
    private func end(_ body: () throws -> Void) rethrows {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        guard isFirst else { return }
        defer { lock.release() }
        try body()
    }

    /// Opens the file for writing, wherever its directory has been moved to.
    ///
    /// - Throws: `.inputOutput` if it is not there any more.
    func open() throws -> FileDescriptor {
        do throws(SystemError) {
            let file = try directory.open(partial, O_WRONLY | O_NOFOLLOW)
            if lock.isOn(try file.status()) { return file }
        } catch {
            if error.code != ENOENT { throw error.failure("write '\(path)'") }
        }
        throw gone
    }

    /// The name of the file until it is whole.
    private var partial: String { name + WholeFile.partialEnding }

    private var gone: Failure {
        Failure(
            .inputOutput, "cannot write '\(path)': its temporary file is gone",
            remedy: "run the same command again")
    }
}
