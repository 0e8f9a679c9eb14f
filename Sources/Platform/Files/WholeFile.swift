#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Reads and writes files as a whole, such as a list of changes beside a tileset.
package enum WholeFile {
    /// Writes a file in the place of the one that has its name, whole or not at all; a link stays, and
    /// the file that it leads to is replaced. What is not a file, such as a pipe, is written to, and so is what the program
    /// was started with, as `/dev/stdout`, whatever that is.
    ///
    /// - Parameter isTyped: whether a user named the file. If not, a link or a pipe of that name is not meant, and
    ///   refused.
    /// - Throws: `.outputRefused` if none can be made, `.inputOutput` if the disk is full. What
    ///   was there before is then as it was.
    package static func write(_ bytes: [UInt8], to path: String, isTyped: Bool = true) throws {
        if isTyped, isStream(path) { return try append(bytes, to: path) }
        let path = isTyped ? try followingLink(path) : path
        let (parent, name) = path.splitPath
        guard let directory = try Directory.open(parent) else {
            throw Failure(
                .outputRefused, "cannot write '\(path)': there is no directory '\(parent)'")
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

    /// The bytes of a file, or of a pipe up to its end, or nil if nothing has its name.
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

    /// The bytes of a regular file that is known by a name that nobody typed, or nil if nothing has it.
    ///
    /// - Throws: `.outputRefused` if something else has the name, `.badInput` if the file has more bytes than a file of
    ///   its kind needs.
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
            "it has more than \(largest >> 20) MiB, too many for a file of its kind",
            remedy: remedy)
    }

    /// The path of the file that a link leads to, and otherwise the path itself: the link stays.
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
            // It is a link to nothing where /proc is not mounted.
            if error.code == ENOENT, path == standardInput { return try FileDescriptor(duplicating: 0) }
            throw error
        }
    }

    private static func readStream(_ stream: borrowing FileDescriptor) throws(SystemError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        var bytes: [UInt8] = []
        while true {
            let count = try stream.read(into: buffer)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            // Whatever ends is shorter.
            if bytes.count > largestStream { throw SystemError(code: EFBIG) }
        }
    }

    private static let largestStream = 1 << 26

    /// Whether a path leads to a pipe, a terminal or another thing that takes bytes and is not a file, or
    /// stands for an open file.
    package static func isStream(_ path: String) -> Bool {
        if openFile(path) != nil { return true }
        var status = stat()
        return stat(path, &status) == 0 && FileStatus(status).kind == .other
    }

    /// The number of an open file that a path stands for: opened anew, it would be written from its
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
