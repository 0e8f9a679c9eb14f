/// A lock on a file, held until it is released or the process ends; flock(2).
package final class FileLock: Sendable {
    private let file: FileDescriptor
    private let status: FileStatus

    private init(file: consuming FileDescriptor, status: FileStatus) {
        self.file = file
        self.status = status
    }

    /// Whether a name still leads to the locked file.
    package func isStill(_ name: String, in directory: Directory) throws -> Bool {
        try directory.status(of: name).map(isOn) == true
    }

    /// Whether a file is the locked one.
    package func isOn(_ other: FileStatus) -> Bool { status.isSameFile(as: other) }

    // Closing the file is not enough: a child process holds a copy of the descriptor until exec(2), and with
    // it the lock.
    deinit { release() }

    /// Releases the lock, even if something still refers to this object.
    package func release() { file.withNumber { _ = flock($0, LOCK_UN) } }

    /// Locks a file in a directory, and makes it first if it does not exist.
    ///
    /// - Parameter owner: what the lock protects, for messages: `the tiles in 'out'`.
    /// - Returns: nil if the file or the directory was removed meanwhile; the caller tries again.
    /// - Throws: `.busy` if another process holds the lock.
    package static func acquire(
        _ name: String, in directory: Directory, for owner: String
    ) throws -> FileLock? {
        let lock: FileLock
        let locked: FileStatus
        do throws(SystemError) {
            let file = try open(name, in: directory)
            try systemCall { file.withNumber { flock($0, LOCK_EX | LOCK_NB) } }
            locked = try file.status()
            lock = FileLock(file: file, status: locked)
        } catch {
            if error.code == ENOENT { return nil }
            if error.code == EWOULDBLOCK {
                throw busy(owner, remedy: "wait for it to end, or give another OUTPUT")
            }
            throw failure(error, directory.path(of: name))
        }
        // The last holder may have removed the file before we locked it; another run would lock a new one.
        let current = try directory.status(of: name)
        return current?.isSameFile(as: locked) == true ? lock : nil
    }

    /// Locks a file in a directory as `acquire` does, but waits while another process holds the lock. The
    /// holder keeps it for a moment only, and removes the file with `remove`.
    package static func wait(_ name: String, in directory: Directory) throws -> FileLock {
        while true {
            do throws(SystemError) {
                let file = try open(name, in: directory)
                let status = try file.status()
                let lock = FileLock(file: file, status: status)
                try systemCall { lock.file.withNumber { flock($0, LOCK_EX) } }
                // The last holder has removed the file that we waited for.
                if try directory.lookUp(name).map(lock.isOn) == true { return lock }
            } catch {
                if error.code != ENOENT { throw failure(error, directory.path(of: name)) }
                throw Failure(.outputRefused, "cannot write in '\(directory.path)': it was removed")
            }
        }
    }

    /// Removes the locked file, and releases the lock.
    package func remove(_ name: String, from directory: Directory) {
        if (try? isStill(name, in: directory)) == true { _ = try? directory.removeFile(name) }
        release()
    }

    /// Fails if a process holds the lock.
    ///
    /// - Throws: `.busy`.
    package static func checkIsFree(
        _ name: String, in directory: Directory, for owner: String
    ) throws {
        do throws(SystemError) {
            guard let file = try directory.openFile(name) else { return }
            try systemCall { file.withNumber { flock($0, LOCK_SH | LOCK_NB) } }
            file.withNumber { _ = flock($0, LOCK_UN) }
        } catch {
            if error.code == EWOULDBLOCK { throw busy(owner, remedy: "wait for it to end") }
            if error.code != EACCES { throw failure(error, directory.path(of: name)) }
        }
    }

    /// Opens a lock file. It is never written to, so its owner does not matter.
    private static func open(_ name: String, in directory: Directory) throws(SystemError) -> FileDescriptor {
        if let found = try directory.lookUp(name), found.kind != .file { throw .notRegular }
        do throws(SystemError) {
            return try directory.open(name, O_RDWR | O_CREAT | O_NONBLOCK).ifRegular()
        } catch let refusal {
            // It belongs to another user, so it is opened for reading only. Some network file systems lock
            // only files that are open for writing; there, the lock fails.
            if refusal.code != EACCES { throw refusal }
            do throws(SystemError) {
                return try directory.open(name, O_RDONLY | O_NONBLOCK).ifRegular()
            } catch {
                // The file does not exist, and cannot be made.
                throw error.code == ENOENT ? refusal : error
            }
        }
    }

    private static func failure(_ error: SystemError, _ path: String) -> Failure {
        error.failure("lock '\(path)'")
    }

    private static func busy(_ owner: String, remedy: String) -> Failure {
        Failure(.busy, "another run is writing \(owner)", remedy: remedy)
    }
}
