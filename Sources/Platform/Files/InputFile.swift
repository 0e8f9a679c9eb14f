#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file that somebody gave the program to read.
package enum InputFile {
    /// The bytes of a small file.
    ///
    /// - Throws: `.missingInput` if it cannot be opened or read, `.badInput` if it has more bytes than a
    ///   file of its kind needs.
    package static func bytes(of path: String, atMost largest: Int) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw unreadable(path, errno) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            errno = 0
            let count = fread(&chunk, 1, chunk.count, file)
            if count == 0 { break }
            bytes += chunk[..<count]
            guard bytes.count <= largest else {
                throw Failure(
                    .badInput, cannot: "read '\(path)'", "it is too large for a file of its kind")
            }
        }
        guard ferror(file) == 0 else { throw unreadable(path, errno) }
        return bytes
    }

    /// What is wrong if a file is no longer what it was.
    ///
    /// - Parameter attempt: what was tried, as `draw 'plan.pdf'`.
    package static func changed(_ attempt: String) -> Failure {
        Failure(
            .inputOutput, cannot: attempt, "it changed while it was read",
            remedy: "run the same command again when nobody writes it any more")
    }

    /// The first bytes of a file, fewer if it is shorter.
    package static func head(of path: String, count: Int) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw unreadable(path, errno) }
        defer { fclose(file) }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = fread(buffer.baseAddress, 1, buffer.count, file)
        }
    }

    /// The length of a file in bytes; 0 if it is not there.
    package static func size(of path: String) -> Int {
        var status = stat()
        _ = stat(path, &status)
        return Int(status.st_size)
    }

    /// Whether there is a file of bytes, and not a folder, a pipe or a device.
    package static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The first name that exists, of those under which a file is looked for without the user naming it.
    ///
    /// - Throws: `.missingInput` if it is not a regular file. To skip a pipe or a device might place the image somewhere
    ///   else.
    package static func first(of names: [String]) throws -> String? {
        guard let name = names.first(where: exists) else { return nil }
        if let found = FileStatus(at: name), found.kind != .file {
            throw Failure(
                .missingInput, cannot: "read '\(name)'", SystemError.notRegular.text,
                remedy: "remove it, or give it another name")
        }
        return name
    }

    /// Whether a file is there. One that cannot be looked at is, and fails when it is read: without it
    /// the image might lie somewhere else.
    package static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0 || ![ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno)
    }

    /// The failure to report if a file cannot be opened.
    ///
    /// - Parameter code: a value of errno(3).
    package static func unreadable(_ path: String, _ code: Int32) -> Failure {
        RemoteAddress(path)?.readingFailure
            ?? Failure(Failure.Kind(ofReading: code), cannot: "read '\(path)'", SystemError(code: code).text)
    }
}

extension Failure {
    /// Does something with files that are an input: what cannot be opened is a missing input then, and
    /// not a refused output.
    package static func ofInput<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch var failure as Failure where failure.kind == .outputRefused {
            failure.kind = .missingInput
            throw failure
        }
    }
}
