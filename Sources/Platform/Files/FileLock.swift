/// A lock on a file, held until it is released or the process ends; flock(2).
package final class FileLock: Sendable {
    private let file: FileDescriptor
    private let status: FileStatus

    private init(file: consuming FileDescriptor, status: FileStatus) {
        self.file = file
        self.status = status
    }

    /// Whether a name is still that of the locked file.
    package func isStill(_ name: String, in directory: Directory) throws -> Bool {
        try directory.status(of: name).map(isOn) == true
    }

    /// Whether a file is the one that is locked.
    package func isOn(_ other: FileStatus) -> Bool { status.isSameFile(as: other) }

    // Closing the file is not enough: a program that is just being started holds a copy of it until its
    // exec(2), and with it the lock.
    deinit { release() }

    /// Releases the lock, also if something still refers to this object.
    package func release() { file.withNumber { _ = flock($0, LOCK_UN) } }

    /// Locks a file in a directory, and makes it first if it is not there.
    ///
    /// - Parameter owner: what the lock is for, in words: `the tiles in 'out'`.
    /// - Returns: nil if the file or the directory was removed meanwhile: look again.
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
        // The last holder may have removed the file between our two calls; others would then lock a new one.
        let current = try directory.status(of: name)
        return current?.isSameFile(as: locked) == true ? lock : nil
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

    /// Opens the file of a lock. It is never written to, so that it does not matter whose it is.
    private static func open(_ name: String, in directory: Directory) throws(SystemError) -> FileDescriptor {
        if let found = try directory.lookUp(name), found.kind != .file { throw .notRegular }
        do throws(SystemError) {
            return try directory.open(name, O_RDWR | O_CREAT | O_NONBLOCK).ifRegular()
        } catch let refusal {
            // Another user's. Some networks' file systems lock only what may be written, and refuse this.
            if refusal.code != EACCES { throw refusal }
            do throws(SystemError) {
                return try directory.open(name, O_RDONLY | O_NONBLOCK).ifRegular()
            } catch {
                // There is none, and it cannot be made.
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
