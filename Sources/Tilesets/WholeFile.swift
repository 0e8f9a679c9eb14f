import Diagnostics

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file that stands beside tilesets, such as a list of changes.
package enum WholeFile {
    private static let ending = ".partial"

    /// Writes a file in the place of what has its name, whole or not at all; a link stays, and what it
    /// leads to is replaced. What is no file, such as a pipe, is written to.
    ///
    /// - Throws: `.outputRefused` where none can be made, `.inputOutput` where the disk is full. What
    ///   was there before is then as it was.
    package static func write(_ bytes: [UInt8], to path: String) throws {
        if isStream(path) { return try append(bytes, to: path) }
        let path = try ArchiveFile.followingLink(path)
        let (parent, name) = ArchiveFile.split(path)
        guard let directory = try Directory.open(parent) else {
            throw Failure(
                .outputRefused, "cannot write '\(path)': there is no directory '\(parent)'")
        }
        do {
            try directory.writeFile(name + ending, bytes)
            guard try directory.moveFile(name + ending, to: directory, as: name) else {
                throw Failure(.inputOutput, "cannot write '\(path)': its directory is gone")
            }
        } catch {
            _ = try? directory.removeFile(name + ending)
            throw error
        }
    }

    /// The bytes of a file, or nil where nothing has its name.
    ///
    /// - Throws: `.missingInput` where it cannot be opened, `.inputOutput` where reading fails.
    package static func read(_ path: String) throws -> [UInt8]? {
        try reading {
            do throws(SystemError) {
                return try FileDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK).readAll()
            } catch {
                if error.code == ENOENT { return nil }
                throw error.failure("read '\(path)'")
            }
        }
    }

    /// Whether a path is that of a pipe, a terminal or another thing that takes bytes and is no file.
    package static func isStream(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && FileStatus(status).kind == .other
    }

    private static func append(_ bytes: [UInt8], to path: String) throws {
        do throws(SystemError) {
            try FileDescriptor(opening: path, flags: O_WRONLY).write(bytes)
        } catch {
            throw error.failure("write '\(path)'")
        }
    }
}
