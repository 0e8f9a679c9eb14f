/// Reads and writes files as a whole, such as a list of changes next to a tileset.
package enum WholeFile {
    /// Replaces a file, whole or not at all. If the path is a symbolic link, the link stays, and its target
    /// is replaced. A pipe, a device, or a file that the program was started with, such as `/dev/stdout`, is
    /// written to directly.
    ///
    /// - Parameter isTyped: whether the user typed the path. If not, a link or a pipe is refused.
    /// - Throws: `.outputRefused` if the file cannot be made, `.inputOutput` if the disk is full. The old
    ///   file is then unchanged.
    package static func write(_ bytes: [UInt8], to path: String, isTyped: Bool = true) throws {
        if isTyped, isStream(path) { return try append(bytes, to: path) }
        let path = isTyped ? try followingLink(path) : path
        let (parent, name) = path.splitPath
        guard let directory = try Directory.open(parent) else {
            throw Failure(
                .outputRefused, "cannot write '\(path)': there is no folder '\(parent)'")
        }
        if !isTyped, let found = try directory.status(of: name), found.kind != .file {
            throw SystemError.notRegular.failure("write '\(path)'")
        }
        try TemporaryFile.removeAbandoned(of: name, in: directory)
        let file = try TemporaryFile(replacing: name, in: directory)
        do throws(SystemError) { try file.file.write(bytes) } catch {
            file.discard()
            throw error.failure("write '\(path)'")
        }
        try file.publish()
    }

    /// The bytes of a file, or of a pipe up to its end; nil if it does not exist.
    ///
    /// - Throws: `.missingInput` if it cannot be opened, `.inputOutput` if reading fails.
    package static func read(_ path: String) throws -> [UInt8]? {
        try Failure.ofInput {
            do throws(SystemError) {
                let file = try opened(path)
                return try isStream(path) || path == standardInput ? readStream(file) : file.readAll()
            } catch {
                if error.code == ENOENT { return nil }
                throw error.failure("read '\(path)'")
            }
        }
    }

    /// The bytes of a regular file whose path the user did not type; nil if it does not exist.
    ///
    /// - Throws: `.outputRefused` if it is not a regular file, `.badInput` if it has more bytes than a file
    ///   of its kind needs.
    package static func found(
        _ path: String, atMost largest: Int, remedy: String? = nil
    ) throws -> [UInt8]? {
        do throws(SystemError) {
            let file = try FileDescriptor(reading: path)
            if try file.status().size <= largest { return try file.readAll() }
        } catch {
            if error.code == ENOENT { return nil }
            throw error.failure("read '\(path)'")
        }
        throw Failure(
            .badInput, cannot: "read '\(path)'",
            "it is larger than \(largest >> 20) MiB, too large for a file of its kind",
            remedy: remedy)
    }

    /// The target of a symbolic link, so that the link stays; other paths are returned as they are.
    package static func followingLink(_ path: String) throws -> String {
        var status = stat()
        guard lstat(path, &status) == 0, FileStatus(status).kind == .link else { return path }
        guard let target = realpath(path, nil) else {
            throw Failure(
                .outputRefused, "cannot write '\(path)': it is a symbolic link to nothing")
        }
        defer { free(target) }
        return String(cString: target)
    }

    private static let standardInput = "/dev/stdin"

    private static func opened(_ path: String) throws(SystemError) -> FileDescriptor {
        do throws(SystemError) { return try FileDescriptor(opening: path, flags: O_RDONLY) } catch {
            // If /proc is not mounted, it is a link to nothing.
            if error.code == ENOENT, path == standardInput { return try FileDescriptor(duplicating: 0) }
            throw error
        }
    }

    private static func readStream(_ stream: borrowing FileDescriptor) throws(SystemError) -> [UInt8] {
        let bytes = try stream.readToEnd(stoppingBeyond: largestStream)
        if bytes.count > largestStream { throw SystemError(code: EFBIG) }
        return bytes
    }

    /// The maximum number of bytes that are read from a pipe, which may be endless.
    private static let largestStream = 1 << 26

    /// Whether a path leads to a pipe, a terminal or a device, or names an open file.
    package static func isStream(_ path: String) -> Bool {
        openFile(path) != nil || FileStatus(at: path)?.kind == .other
    }

    /// The number of the open file that a path names. If it were opened again, it would be written from its
    /// beginning.
    private static func openFile(_ path: String) -> Int32? {
        switch path {
        case "/dev/stdout": return 1
        case "/dev/stderr": return 2
        default:
            let folders = ["/dev/fd/", "/proc/self/fd/"]
            return folders.first(where: path.hasPrefix).flatMap { Int32(path.dropFirst($0.count)) }
        }
    }

    private static func append(_ bytes: [UInt8], to path: String) throws {
        do throws(SystemError) {
            if let number = openFile(path) {
                try FileDescriptor(duplicating: number).write(bytes)
            } else {
                try FileDescriptor(opening: path, flags: O_WRONLY).write(bytes)
            }
        } catch {
            throw error.failure("write '\(path)'")
        }
    }
}

/// A file next to the tiles that a command writes, whole or not at all.
package enum OutputFile {
    /// Replaces the file of that name.
    ///
    /// - Parameter isTyped: see `WholeFile.write`.
    /// - Throws: `.outputRefused` if the file cannot be made, `.inputOutput` if the disk is full.
    package static func write(_ bytes: some Sequence<UInt8>, to path: String, isTyped: Bool = true) throws {
        try checkPlace(path)
        try WholeFile.write(Array(bytes), to: path, isTyped: isTyped)
    }

    /// Fails early if no file can be written to a path.
    package static func checkPlace(_ path: String) throws {
        func refusal(_ why: String) -> Failure {
            Failure(.outputRefused, "cannot write '\(path)': \(why)")
        }
        if path.isEmpty { throw refusal("a file needs a name") }
        if let address = RemoteAddress(path) { throw address.writingFailure }
        if WholeFile.isStream(path) { return }
        if isDirectory(path) { throw refusal("it is a folder") }
        let directory = path.parentDirectory
        if !isDirectory(directory) { throw refusal("there is no folder '\(directory)'") }
        if access(directory, W_OK) != 0 { throw refusal("permission denied") }
    }

    /// Whether a path leads to a folder, even through links.
    package static func isDirectory(_ path: String) -> Bool { FileStatus(at: path)?.kind == .directory }

    /// The text of a regular file that will be replaced, or nil if nothing has that name.
    ///
    /// - Throws: `.outputRefused` if it is not a regular file, `.badInput` if it is too large for a page.
    package static func text(of path: String) throws -> String? {
        try WholeFile.found(path, atMost: largestText).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Larger than any page that tilewright writes, which may contain images of 4096 × 4096 pixels.
    private static let largestText = 1 << 28

    /// Whether a path is equal to another path or below it, with links resolved.
    package static func isInside(_ path: String, _ other: String) -> Bool {
        let (inner, outer) = (CanonicalPath(path), CanonicalPath(other))
        return inner.components.starts(with: outer.components)
    }

    /// Whether two paths lead to the same file, even through symbolic or hard links or a second mount.
    package static func areSame(_ one: String, _ other: String) -> Bool {
        if CanonicalPath(one) == CanonicalPath(other) { return true }
        guard let one = FileStatus(at: one), let other = FileStatus(at: other) else { return false }
        return one.isSameFile(as: other)
    }
}
