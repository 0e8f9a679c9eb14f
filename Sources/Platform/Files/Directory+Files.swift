extension Directory {
    /// Writes a new file, and removes what had its name before: an existing file is never written into.
    ///
    /// - Parameter flushesBytes: whether the bytes are on the disk when this returns; fsync(2).
    /// - Returns: the open file.
    @discardableResult
    package func writeFile(
        _ name: String, _ bytes: [UInt8], flushesBytes: Bool = false
    ) throws -> FileDescriptor {
        do throws(SystemError) {
            let file = try makeFile(name)
            try file.write(bytes)
            if flushesBytes { try file.flush() }
            return file
        } catch {
            throw error.failure("write '\(path(of: name))'")
        }
    }

    /// Makes a new file, removes what had its name before, and opens the new file for writing.
    package func makeFile(_ name: String) throws(SystemError) -> FileDescriptor {
        // Another process may create the name again in between, but not 100 times in a row.
        for _ in 0..<100 {
            do throws(SystemError) { return try open(name, O_RDWR | O_CREAT | O_EXCL) } catch {
                if error.code != EEXIST { throw error }
            }
            do throws(SystemError) { try call(name) { unlinkat($0, name, 0) } } catch {
                if error.code != ENOENT { throw error }
            }
        }
        throw SystemError(code: EEXIST)
    }

    /// Opens a regular file to read it.
    ///
    /// - Returns: nil if nothing has that name.
    /// - Throws: `SystemError.notRegular` if it is not a regular file.
    package func openFile(_ name: String) throws(SystemError) -> FileDescriptor? {
        guard let status = try lookUp(name) else { return nil }
        if status.kind != .file { throw .notRegular }
        do throws(SystemError) { return try open(name, O_RDONLY | O_NONBLOCK).ifRegular() } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Opens a regular file, or makes it if the flags say so.
    ///
    /// - Throws: `SystemError.notRegular` if it is something else.
    package func openRegular(
        _ name: String, _ flags: Int32, permissions: UInt32 = 0o666
    ) throws(SystemError) -> FileDescriptor {
        if let status = try lookUp(name), status.kind != .file { throw .notRegular }
        return try open(name, flags | O_NONBLOCK, permissions: permissions).ifRegular()
    }

    /// All bytes of a regular file, or nil if nothing has that name.
    ///
    /// - Parameter most: the largest size in bytes.
    /// - Throws: `.badInput` if it is larger, `.outputRefused` if it is not a regular file.
    package func readFile(_ name: String, most: Int) throws -> [UInt8]? {
        do throws(SystemError) {
            guard let file = try openFile(name) else { return nil }
            if try file.status().size <= most { return try file.readAll() }
        } catch {
            throw error.failure("read '\(path(of: name))'")
        }
        throw Failure(.badInput, "cannot read '\(path(of: name))': it is larger than \(most >> 20) MiB")
    }

    /// The first bytes of a regular file, or nil if nothing has that name.
    package func head(of name: String, count: Int) throws -> [UInt8]? {
        return try trying("read '\(path(of: name))'", openFile(name)?.readBytes(at: 0, count: count))
    }

    /// Renames a file, and replaces a file that has the new name; renameat(2). If it replaces a file, call
    /// `giveAccess` before.
    ///
    /// - Returns: false if the file or the other directory is gone.
    package func moveFile(_ name: String, to other: Directory, as newName: String) throws -> Bool {
        do throws(SystemError) {
            try Self.check(newName)
            try call(name) { from in other.withNumber { renameat(from, name, $0, newName) } }
            return true
        } catch {
            if error.code == ENOENT { return false }
            throw error.failure("write '\(other.path(of: newName))'")
        }
    }

    /// Gives an open file the mode and the owner of the file that it will replace, as far as the system
    /// allows. The new file is passed open, since its name may lead to another file by now.
    package func giveAccess(of name: String, to file: borrowing FileDescriptor) throws {
        do throws(SystemError) {
            guard let old = try lookUp(name), old.kind == .file, try !file.status().hasSameAccess(as: old)
            else { return }
            file.takeOver(old)
        } catch {
            throw error.failure("write '\(path(of: name))'")
        }
    }

    /// Copies a file into another directory, whole or not at all. On the same disk, it makes a hard link
    /// instead; link(2).
    package func copyFile(_ name: String, to other: Directory) throws {
        let linked = TemporaryFile.name(for: name)
        if withNumber({ from in other.withNumber { linkat(from, name, $0, linked, 0) } }) == 0 {
            // If both names already lead to the same file, rename(2) leaves both.
            defer { _ = try? other.removeFile(linked) }
            // A symbolic link is not a copy.
            let isFile = try other.status(of: linked)?.kind == .file
            if isFile, try other.moveFile(linked, to: other, as: name) { return }
        }
        let copy = try TemporaryFile(replacing: name, in: other)
        do throws(SystemError) {
            guard let source = try openFile(name) else { throw SystemError(code: ENOENT) }
            try source.copy(to: copy.file)
        } catch {
            copy.discard()
            throw error.failure("copy '\(path(of: name))' to '\(other.path)'")
        }
        try copy.publish()
    }

    /// Sets the times of a file to now, if it exists; utimensat(2).
    package func touchFile(_ name: String) throws {
        do throws(SystemError) {
            try call(name) { utimensat($0, name, nil, AT_SYMLINK_NOFOLLOW) }
        } catch {
            if error.code != ENOENT { throw error.failure("set the time of '\(path(of: name))'") }
        }
    }

    /// Gives an open file the modification time of another file, if that exists; futimens(2).
    package func copyTime(of name: String, to file: borrowing FileDescriptor) throws {
        var status = stat()
        guard withNumber({ fstatat($0, name, &status, AT_SYMLINK_NOFOLLOW) }) == 0 else { return }
        let times = [status.readTime, status.contentTime]
        do throws(SystemError) { try systemCall { file.withNumber { futimens($0, times) } } } catch {
            throw error.failure("set the time of the new '\(path(of: name))'")
        }
    }

    /// Calls `body`, and then gives a file the times that it had before; utimensat(2).
    package func keepingTimes(of name: String, _ body: () throws -> Void) throws {
        var status = stat()
        let isThere = withNumber { fstatat($0, name, &status, AT_SYMLINK_NOFOLLOW) } == 0
        try body()
        guard isThere else { return }
        let times = [status.readTime, status.contentTime]
        do throws(SystemError) { try call(name) { utimensat($0, name, times, AT_SYMLINK_NOFOLLOW) } } catch {
            throw error.failure("set the time of '\(path(of: name))'")
        }
    }

    /// Removes a file or a link, if there is one.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    package func removeFile(_ name: String) throws -> Bool {
        do throws(SystemError) {
            try call(name) { unlinkat($0, name, 0) }
            return true
        } catch {
            if error.code == ENOENT { return false }
            throw error.failure("remove '\(path(of: name))'")
        }
    }

    /// Removes a file or a link below this directory, if there is one.
    ///
    /// - Throws: `.outputRefused` if a folder on the way is a link.
    package func removeFile(at path: ContainedPath) throws {
        guard let name = path.components.last else { return }
        try parent(of: path)?.removeFile(name)
    }

    /// Removes a directory if it exists and is empty.
    ///
    /// - Returns: whether it was removed.
    @discardableResult
    package func removeEmptySubdirectory(_ name: String) throws -> Bool {
        do throws(SystemError) {
            try call(name) { unlinkat($0, name, AT_REMOVEDIR) }
            return true
        } catch {
            // For a directory that is not empty, POSIX allows either of the first two errors.
            if [ENOTEMPTY, EEXIST, ENOENT, ENOTDIR, EBUSY].contains(error.code) { return false }
            throw error.failure("remove folder '\(path(of: name))'")
        }
    }

    /// Removes a directory and everything in it, if it exists.
    package func removeTree(_ name: String) throws { try removeTree(name, depth: 1) }

    private func removeTree(_ name: String, depth: Int) throws {
        guard let status = try status(of: name) else { return }
        guard status.kind == .directory, let directory = try subdirectory(name) else {
            try removeFile(name)
            return
        }
        try checkDepth(depth)
        for entry in try directory.names() { try directory.removeEntry(entry, depth: depth) }
        try removeEmptySubdirectory(name)
    }

    /// Removes a file, link or directory. Tries it as a file first, since most entries are files.
    private func removeEntry(_ name: String, depth: Int) throws {
        let result = withNumber { unlinkat($0, name, 0) }
        if result != 0 { try removeTree(name, depth: depth + 1) }
    }

    /// The deepest nesting of directories that is followed: ten times that of templates of tiles.
    private static let deepest = 100

    private func checkDepth(_ depth: Int) throws(Failure) {
        guard depth > Self.deepest else { return }
        throw Failure(
            .badInput, cannot: "read '\(path.excerpt(200))'",
            "more than \(Self.deepest) folders are nested", remedy: "remove them")
    }

    /// Calls `body` with the path, below this directory, of each entry that is not a directory, sorted by
    /// name. Skips names that begin with a dot, and everything in such directories.
    package func forEachFile(_ body: (String) throws -> Void) throws {
        try forEachFile(below: "", body)
    }

    private func forEachFile(
        below prefix: String, depth: Int = 1, _ body: (String) throws -> Void
    ) throws {
        try checkDepth(depth)
        for name in try names().sorted() where !name.hasPrefix(".") {
            if try status(of: name)?.kind == .directory, let directory = try subdirectory(name) {
                try directory.forEachFile(below: "\(prefix)\(name)/", depth: depth + 1, body)
            } else {
                try body(prefix + name)
            }
        }
    }

    /// Returns when a file's contents are on the disk; fsync(2).
    package func flushFile(_ name: String) throws {
        try trying("flush '\(path(of: name))' to the disk", open(name, O_RDONLY | O_NONBLOCK).flush())
    }

    /// Returns when everything that any program has written is on the disk; sync(2).
    ///
    /// One call for everything, since waiting for each tile would take longer than making the tiles. It does
    /// not report errors; `flushFile` does, and is fast afterwards.
    package func flushSystem() throws {
        sync()
        try flushEntries()
    }

    /// Returns when the names of the entries are on the disk; fsync(2).
    package func flushEntries() throws {
        try trying("flush '\(path)' to the disk", open(".", O_RDONLY | O_DIRECTORY).flush())
    }
}
