import Diagnostics

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension Directory {
    /// Writes a file, over the one that may be there.
    package func writeFile(_ name: String, _ bytes: [UInt8]) throws {
        do throws(SystemError) { try write(bytes, to: name) } catch {
            throw error.failure("write '\(path(of: name))'")
        }
    }

    /// The same for a path below the directory.
    ///
    /// - Returns: false if the directory that the file belongs into is not there.
    package func writeFile(at path: String, _ bytes: [UInt8]) throws -> Bool {
        do throws(SystemError) { try write(bytes, to: path) } catch {
            if error.code == ENOENT { return false }
            throw error.failure("write '\(self.path(of: path))'")
        }
        return true
    }

    private func write(_ bytes: [UInt8], to name: String) throws(SystemError) {
        try open(name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW).write(bytes)
    }

    /// The whole of a file, or nil if nothing has that name.
    ///
    /// - Parameter most: bytes that it may have at most.
    /// - Throws: `.badInput` if it has more.
    package func readFile(_ name: String, most: Int = .max) throws -> [UInt8]? {
        do throws(SystemError) {
            let file = try open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            let size = most == .max ? 0 : try file.status().size
            if size <= most { return try file.readAll() }
        } catch {
            if error.code == ENOENT { return nil }
            throw error.failure("read '\(path(of: name))'")
        }
        throw Failure(.badInput, "cannot read '\(path(of: name))': it has more than \(most >> 20) MiB")
    }

    /// Gives a file another name, over what may have it; renameat(2).
    ///
    /// - Parameter name: the file's path below this directory.
    /// - Returns: false if the file or the other directory is gone.
    package func moveFile(_ name: String, to other: Directory, as newName: String) throws -> Bool {
        try rename(name, to: other, as: newName, unless: [ENOENT])
    }

    /// Gives a directory another name, unless that is taken by anything but an empty directory; renameat(2).
    ///
    /// - Parameter name: the directory's path below this one.
    /// - Returns: whether it has the name now; false also if it cannot leave its disk.
    package func moveDirectory(_ name: String, to other: Directory, as newName: String) throws -> Bool {
        try rename(name, to: other, as: newName, unless: [ENOTEMPTY, EEXIST, ENOTDIR, ENOENT, EXDEV])
    }

    /// - Returns: false if the system refuses for one of some reasons.
    private func rename(
        _ name: String, to other: Directory, as newName: String, unless reasons: [Int32]
    ) throws -> Bool {
        do throws(SystemError) {
            try systemCall {
                withNumber { from in other.withNumber { renameat(from, name, $0, newName) } }
            }
            return true
        } catch {
            if reasons.contains(error.code) { return false }
            throw error.failure("write '\(other.path(of: newName))'")
        }
    }

    /// Copies a file into another directory, whole or not at all; on one disk only its name, link(2).
    package func copyFile(_ name: String, to other: Directory) throws {
        let partial = name + WholeFile.partialEnding
        do throws(SystemError) {
            _ = other.withNumber { unlinkat($0, partial, 0) }
            let isLinked = withNumber { from in other.withNumber { linkat(from, name, $0, partial, 0) } } == 0
            if !isLinked {
                let source = try open(name, O_RDONLY | O_NOFOLLOW)
                let target = try other.open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
                let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
                defer { buffer.deallocate() }
                while true {
                    let count = try source.read(into: buffer)
                    if count == 0 { break }
                    try target.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                }
            }
        } catch {
            throw error.failure("copy '\(path(of: name))' to '\(other.path)'")
        }
        // If both names are one file already, rename(2) leaves both.
        guard try other.moveFile(partial, to: other, as: name) else {
            throw Failure(.inputOutput, "cannot write '\(other.path(of: name))': its directory is gone")
        }
        try other.removeFile(partial)
    }

    /// Gives a file the present time, if it is there; utimensat(2).
    package func touchFile(_ name: String) throws {
        do throws(SystemError) {
            try systemCall { withNumber { utimensat($0, name, nil, AT_SYMLINK_NOFOLLOW) } }
        } catch {
            if error.code != ENOENT { throw error.failure("set the time of '\(path(of: name))'") }
        }
    }

    /// Gives a file the time of the last change of another one, if that is there; utimensat(2).
    package func copyTime(of name: String, to other: String) throws {
        var status = stat()
        guard withNumber({ fstatat($0, name, &status, AT_SYMLINK_NOFOLLOW) }) == 0 else { return }
        #if canImport(Glibc)
            let times = [status.st_atim, status.st_mtim]
        #else
            let times = [status.st_atimespec, status.st_mtimespec]
        #endif
        do throws(SystemError) {
            try systemCall { withNumber { utimensat($0, other, times, AT_SYMLINK_NOFOLLOW) } }
        } catch {
            throw error.failure("set the time of '\(path(of: other))'")
        }
    }

    /// Removes a file or a link, if there is one.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    package func removeFile(_ name: String) throws -> Bool {
        do throws(SystemError) {
            try systemCall { withNumber { unlinkat($0, name, 0) } }
            return true
        } catch {
            if error.code == ENOENT { return false }
            throw error.failure("remove '\(path(of: name))'")
        }
    }

    /// Removes a directory if it is there and empty.
    ///
    /// - Returns: whether it was.
    @discardableResult
    package func removeEmptySubdirectory(_ name: String) throws -> Bool {
        do throws(SystemError) {
            try systemCall { withNumber { unlinkat($0, name, AT_REMOVEDIR) } }
            return true
        } catch {
            // POSIX leaves the system the choice between the first two for a directory in use.
            if [ENOTEMPTY, EEXIST, ENOENT, ENOTDIR, EBUSY].contains(error.code) { return false }
            throw error.failure("remove directory '\(path(of: name))'")
        }
    }

    /// Removes a directory and all that is in it, if it is there.
    package func removeTree(_ name: String) throws {
        guard let status = try status(of: name) else { return }
        guard status.kind == .directory, let directory = try subdirectory(name) else {
            try removeFile(name)
            return
        }
        for entry in try directory.names() { try directory.removeEntry(entry) }
        try removeEmptySubdirectory(name)
    }

    /// Removes whatever has a name; tried as a file first, since most things are.
    private func removeEntry(_ name: String) throws {
        let result = withNumber { unlinkat($0, name, 0) }
        if result != 0 { try removeTree(name) }
    }

    /// Lends the path below this directory of each thing inside that is not a directory, in the order of
    /// names; names with a dot in front, and what is in them, are left out.
    package func forEachFile(_ body: (String) throws -> Void) throws {
        try forEachFile(below: "", body)
    }

    private func forEachFile(below prefix: String, _ body: (String) throws -> Void) throws {
        for name in try names().sorted() where !name.hasPrefix(".") {
            if try status(of: name)?.kind == .directory, let directory = try subdirectory(name) {
                try directory.forEachFile(below: "\(prefix)\(name)/", body)
            } else {
                try body(prefix + name)
            }
        }
    }

    /// Returns when a file's contents are on the disk; fsync(2).
    ///
    /// - Parameter name: the file's path below this directory.
    package func flushFile(_ name: String) throws {
        do throws(SystemError) { try open(name, O_RDONLY | O_NOFOLLOW).flush() } catch {
            throw error.failure("flush '\(path(of: name))' to the disk")
        }
    }

    /// Returns when all that was written anywhere is on the disk; sync(2).
    ///
    /// One call for everything, since a wait per tile would take longer than the tiles. It does not
    /// say what went wrong; `flushFile` does, and is cheap after it.
    package func flushSystem() throws {
        sync()
        try flushEntries()
    }

    /// Returns when the names of what is inside are on the disk; fsync(2).
    package func flushEntries() throws {
        do throws(SystemError) { try open(".", O_RDONLY | O_DIRECTORY).flush() } catch {
            throw error.failure("flush '\(path)' to the disk")
        }
    }
}
