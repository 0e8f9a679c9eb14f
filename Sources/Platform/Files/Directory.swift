/// A directory held open. Names are single components, looked up in it, and a symbolic link is
/// never followed: nothing that is done here can happen elsewhere. Longer paths are refused with EINVAL.
package final class Directory: Sendable {
    /// The path as the user would write it, for messages.
    package let path: String
    private let descriptor: FileDescriptor

    private init(path: String, descriptor: consuming FileDescriptor) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Opens a directory by the path that the user gave; links in it are the user's and followed.
    ///
    /// - Returns: nil if nothing is there.
    /// - Throws: `.outputRefused` if the path is a file's, or a link's to nothing.
    package static func open(_ path: String) throws -> Directory? {
        do throws(SystemError) {
            let descriptor = try FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY)
            return Directory(path: path, descriptor: descriptor)
        } catch {
            guard error.code == ENOENT else { throw error.failure("open directory '\(path)'") }
            var status = stat()
            if lstat(path, &status) == 0, FileStatus(status).kind == .link {
                throw Failure(
                    .outputRefused,
                    "cannot open directory '\(path)': it is a symbolic link to nothing")
            }
            return nil
        }
    }

    /// Whether the path still leads to it: it may have been moved or replaced.
    package var isInPlace: Bool {
        guard let found = FileStatus(at: path), let own = try? descriptor.status() else { return false }
        return own.isSameFile(as: found)
    }

    /// Fails if the path no longer leads to it.
    ///
    /// - Parameter output: what was written, for the message.
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
    /// - Throws: `.outputRefused` if the name is a file's or a link's.
    package func subdirectory(_ name: String) throws -> Directory? {
        do throws(SystemError) {
            let descriptor = try open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
            return Directory(path: path(of: name), descriptor: descriptor)
        } catch {
            if error.code == ENOENT { return nil }
            if try status(of: name)?.kind == .link {
                throw Failure(
                    .outputRefused,
                    "cannot open directory '\(path(of: name))': it is a symbolic link",
                    remedy: "remove the link, or give the directory itself as OUTPUT")
            }
            throw error.failure("open directory '\(path(of: name))'")
        }
    }

    /// Opens a directory inside, and makes it first if it is not there.
    ///
    /// - Returns: nil if one of the two was removed meanwhile.
    package func makeSubdirectory(_ name: String) throws -> Directory? {
        do throws(SystemError) { try call(name) { mkdirat($0, name, 0o777) } } catch {
            if error.code == ENOENT { return nil }
            if error.code != EEXIST {
                throw error.failure("create directory '\(path(of: name))'")
            }
        }
        return try subdirectory(name)
    }

    /// Opens the directory that holds something below.
    ///
    /// - Returns: nil if it is not there.
    /// - Throws: `.outputRefused` if a component is a file or a link.
    package func parent(of path: ContainedPath) throws -> Directory? {
        var directory: Directory? = self
        for name in path.components.dropLast() { directory = try directory?.subdirectory(name) }
        return directory
    }

    /// What a name is of, or nil for nothing; fstatat(2).
    package func status(of name: String) throws -> FileStatus? {
        return try trying("look up '\(path(of: name))'", lookUp(name))
    }

    /// The same, with an error that does not say what was tried.
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

    /// The names of what is inside, in no order; readdir(3).
    package func names() throws -> [String] {
        return try trying("list directory '\(path)'", readNames())
    }

    private func readNames() throws(SystemError) -> [String] {
        // Opened again: closedir() closes what it is given, and a duplicate would share the position of the
        // last listing.
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

    /// Lends the descriptor's number to a system call.
    package func withNumber<Result>(_ body: (Int32) -> Result) -> Result { descriptor.withNumber(body) }

    /// Makes a system call about something inside.
    func call(_ name: String, _ body: (Int32) -> Int32) throws(SystemError) {
        try Self.check(name)
        try systemCall { descriptor.withNumber(body) }
    }

    /// Refuses what is not a single name, with EINVAL.
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

    /// Starts without any.
    package init() {}

    /// Makes a directory, and the missing ones above it; mkdir(2).
    package mutating func make(_ path: String) throws {
        try trying("create directory '\(path)'", makeAll(path))
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
            // A file in the place of the directory is found when it is opened.
            if error.code != EEXIST { throw error }
        }
    }

    /// Removes a directory if it is there and empty; rmdir(2).
    package static func removeEmpty(_ path: String) { _ = rmdir(path) }

    /// Removes them as far as they are empty; rmdir(2).
    package func removeEmpty() {
        for path in paths.reversed() where rmdir(path) != 0 { return }
    }
}
