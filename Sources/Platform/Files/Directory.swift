/// An open directory. Names are single components, which are looked up in it, and symbolic links are not
/// followed: so no operation can affect another directory. Longer paths are refused with EINVAL.
package final class Directory: Sendable {
    /// The path as the user would write it, for messages.
    package let path: String
    private let descriptor: FileDescriptor

    private init(path: String, descriptor: consuming FileDescriptor) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Opens a directory by the path that the user gave; symbolic links in the path are followed.
    ///
    /// - Returns: nil if nothing has the path.
    /// - Throws: `.outputRefused` if the path leads to a file, or is a link to nothing.
    package static func open(_ path: String) throws -> Directory? {
        do throws(SystemError) {
            let descriptor = try FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY)
            return Directory(path: path, descriptor: descriptor)
        } catch {
            guard error.code == ENOENT else { throw error.failure("open folder '\(path)'") }
            var status = stat()
            if lstat(path, &status) == 0, FileStatus(status).kind == .link {
                throw Failure(
                    .outputRefused,
                    "cannot open folder '\(path)': it is a symbolic link to nothing")
            }
            return nil
        }
    }

    /// Whether the path still leads to this directory, which may have been moved or replaced.
    package var isInPlace: Bool {
        guard let found = FileStatus(at: path), let own = try? descriptor.status() else { return false }
        return own.isSameFile(as: found)
    }

    /// Fails if the path no longer leads to this directory.
    ///
    /// - Parameter output: the output that was written, for the message.
    /// - Throws: `.inputOutput`.
    package func checkPlace(of output: String) throws {
        if isInPlace { return }
        throw Failure(
            .inputOutput,
            "cannot write '\(output)': '\(path)' was moved or replaced while it was written",
            remedy: "run the same command again")
    }

    /// The path of something inside, for messages.
    package func path(of name: String) -> String { "\(path)/\(name)" }

    /// Opens a directory inside.
    ///
    /// - Returns: nil if nothing has that name.
    /// - Throws: `.outputRefused` if the name is that of a file or a link.
    package func subdirectory(_ name: String) throws -> Directory? {
        do throws(SystemError) {
            let descriptor = try open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
            return Directory(path: path(of: name), descriptor: descriptor)
        } catch {
            if error.code == ENOENT { return nil }
            if try status(of: name)?.kind == .link {
                throw Failure(
                    .outputRefused,
                    "cannot open folder '\(path(of: name))': it is a symbolic link",
                    remedy: "remove the link, or give the folder itself as OUTPUT")
            }
            throw error.failure("open folder '\(path(of: name))'")
        }
    }

    /// Opens a directory inside, and makes it first if it does not exist.
    ///
    /// - Returns: nil if either directory was removed meanwhile.
    package func makeSubdirectory(_ name: String) throws -> Directory? {
        do throws(SystemError) { try call(name) { mkdirat($0, name, 0o777) } } catch {
            if error.code == ENOENT { return nil }
            if error.code != EEXIST {
                throw error.failure("create folder '\(path(of: name))'")
            }
        }
        return try subdirectory(name)
    }

    /// Opens the directory of the entry at a path below this directory.
    ///
    /// - Returns: nil if the directory of the entry does not exist.
    /// - Throws: `.outputRefused` if a component is a file or a link.
    package func parent(of path: ContainedPath) throws -> Directory? {
        var directory: Directory? = self
        for name in path.components.dropLast() { directory = try directory?.subdirectory(name) }
        return directory
    }

    /// The status of the entry with this name, or nil if there is none; fstatat(2).
    package func status(of name: String) throws -> FileStatus? {
        return try trying("look up '\(path(of: name))'", lookUp(name))
    }

    /// Same as `status`, but the error does not say what was tried.
    func lookUp(_ name: String) throws(SystemError) -> FileStatus? {
        var status = stat()
        do throws(SystemError) {
            try call(name) { fstatat($0, name, &status, AT_SYMLINK_NOFOLLOW) }
            return FileStatus(status)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// The names of the entries, unsorted; readdir(3).
    package func names() throws -> [String] {
        return try trying("list folder '\(path)'", readNames())
    }

    private func readNames() throws(SystemError) -> [String] {
        // The directory is opened again: closedir() closes its descriptor, and a duplicate would share the
        // position of the last listing.
        let number = try systemCall {
            descriptor.withNumber { openat($0, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        }
        guard let stream = fdopendir(number) else {
            let error = SystemError(code: errno)
            close(number)
            throw error
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        if errno != 0 { throw SystemError(code: errno) }
        return names
    }

    /// Opens something inside; openat(2).
    package func open(
        _ name: String, _ flags: Int32, permissions: UInt32 = 0o666
    ) throws(SystemError) -> FileDescriptor {
        try Self.check(name)
        return try FileDescriptor(
            opening: name, flags: flags | O_NOFOLLOW, from: descriptor, permissions: permissions)
    }

    /// Calls `body` with the descriptor's number.
    package func withNumber<Result>(_ body: (Int32) -> Result) -> Result { descriptor.withNumber(body) }

    /// Makes a system call about something inside.
    func call(_ name: String, _ body: (Int32) -> Int32) throws(SystemError) {
        try Self.check(name)
        try systemCall { descriptor.withNumber(body) }
    }

    /// Refuses anything but a single name, with EINVAL.
    static func check(_ name: String) throws(SystemError) {
        if name.utf8.contains(UInt8(ascii: "/")) || name == ".." || name.isEmpty {
            throw SystemError(code: EINVAL)
        }
    }
}

/// The directories that a run made on the way to its output, so that it can remove them again.
package struct CreatedDirectories: Sendable {
    /// Outermost first.
    private var paths: [String] = []

    /// Starts with no directories.
    package init() {}

    /// Makes a directory, and the missing ones above it; mkdir(2).
    package mutating func make(_ path: String) throws {
        try trying("create folder '\(path)'", makeAll(path))
    }

    /// The number of attempts: another run that fails can remove a directory after we made it and before we
    /// use it, but not that often in a row.
    package static let patience = 100

    /// Makes and opens a directory, and tries again while `body`, which works in it, returns nil.
    ///
    /// - Parameter output: what is made there, for the message.
    /// - Throws: the errors of `body`; nothing new is left then. `.busy` if it was removed again and again.
    package static func open<Result>(
        _ path: String, for output: String, _ body: (Directory, CreatedDirectories) throws -> Result?
    ) throws -> Result {
        for _ in 0..<patience {
            var created = CreatedDirectories()
            do {
                try created.make(path)
                if let result = try Directory.open(path).flatMap({ try body($0, created) }) { return result }
            } catch {
                created.removeEmpty()
                throw error
            }
        }
        throw Failure(.busy, "cannot create '\(output)': another program keeps removing it")
    }

    private mutating func makeAll(_ path: String) throws(SystemError) {
        do throws(SystemError) { try makeOne(path) } catch {
            let parent = path.parentDirectory
            guard error.code == ENOENT, parent != path, parent != "." else { throw error }
            try makeAll(parent)
            try makeOne(path)
        }
    }

    private mutating func makeOne(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try systemCall { mkdir(path, 0o777) }
            paths.append(path)
        } catch {
            // If a file has this name, opening the directory fails later.
            if error.code != EEXIST { throw error }
        }
    }

    /// Removes a directory if it exists and is empty; rmdir(2).
    package static func removeEmpty(_ path: String) { _ = rmdir(path) }

    /// Removes these directories as far as they are empty; rmdir(2).
    package func removeEmpty() {
        for path in paths.reversed() where rmdir(path) != 0 { return }
    }
}
