/// A file that the user gave the program to read.
package enum InputFile {
    /// The bytes of a small file.
    ///
    /// - Throws: `.missingInput` if it cannot be opened or read, `.badInput` if it has more bytes than a
    ///   file of its kind needs.
    package static func bytes(of path: String, atMost largest: Int) throws -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileDescriptor(opening: path, flags: O_RDONLY).readToEnd(stoppingBeyond: largest)
        } catch { throw unreadable(path, error) }
        if bytes.count <= largest { return bytes }
        throw Failure(.badInput, cannot: "read '\(path)'", "it is too large for a file of its kind")
    }

    /// The failure if a file changed while it was read.
    ///
    /// - Parameter attempt: what was tried, such as `draw 'plan.pdf'`.
    package static func changed(_ attempt: String) -> Failure {
        Failure(
            .inputOutput, cannot: attempt, "it changed while it was read",
            remedy: "run the same command again when no program writes to it")
    }

    /// The first bytes of a file, fewer if it is shorter.
    package static func head(of path: String, count: Int) throws -> [UInt8] {
        do throws(SystemError) {
            return try FileDescriptor(opening: path, flags: O_RDONLY).readHead(count)
        } catch { throw unreadable(path, error) }
    }

    /// The length of a file in bytes; 0 if it does not exist.
    package static func size(of path: String) -> Int { FileStatus(at: path)?.size ?? 0 }

    /// Whether the path leads to a regular file, and not to a folder, a pipe or a device.
    package static func isRegular(_ path: String) -> Bool { FileStatus(at: path)?.kind == .file }

    /// The first of several names that exists, for a file that the user did not name.
    ///
    /// - Throws: `.missingInput` if it is not a regular file. If a pipe or a device were skipped, another
    ///   file might place the image elsewhere.
    package static func first(of names: [String]) throws -> String? {
        guard let name = names.first(where: exists) else { return nil }
        if let found = FileStatus(at: name), found.kind != .file {
            throw Failure(
                .missingInput, cannot: "read '\(name)'", SystemError.notRegular.text,
                remedy: "remove it, or give it another name")
        }
        return name
    }

    /// Whether a file exists. A file whose status cannot be read counts, and fails when it is read: if it
    /// were skipped, the image might be placed elsewhere.
    package static func exists(_ path: String) -> Bool {
        if let known = FarFiles.known(path) { return known.exists }
        return access(path, F_OK) == 0 || ![ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno)
    }

    /// The failure if a file cannot be opened.
    ///
    package static func unreadable(_ path: String, _ error: SystemError) -> Failure {
        error.cause ?? RemoteAddress(path)?.readingFailure
            ?? Failure(Failure.Kind(ofReading: error.code), cannot: "read '\(path)'", error.text)
    }
}

extension Failure {
    /// The result of `body`, which reads what may be foreign or damaged; nil if it fails.
    ///
    /// - Throws: `.systemLimit`, which says nothing about the file.
    package static func unlessLimited<Result>(_ body: () throws -> Result) throws -> Result? {
        do { return try body() } catch let failure as Failure where failure.kind == .systemLimit {
            throw failure
        } catch { return nil }
    }

    /// Runs `body`, whose files are inputs: if a file cannot be opened, the failure is `.missingInput`, not
    /// `.outputRefused`.
    package static func ofInput<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch var failure as Failure where failure.kind == .outputRefused {
            failure.kind = .missingInput
            throw failure
        }
    }
}

/// A name that is an address on another machine, such as `s3://plans/ground.png`. The system would look for a
/// file below a folder `s3:`.
package struct RemoteAddress {
    private let path: String
    private let scheme: String

    /// Recognises an address by its scheme (RFC 3986, 3.1); nil for other names.
    package init?(_ path: String) {
        guard let range = path.firstRange(of: "://") else { return nil }
        let scheme = path[..<range.lowerBound].lowercased()
        let isScheme =
            scheme.first.map { ("a"..."z").contains($0) } ?? false
            && scheme.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
            }
        guard isScheme else { return nil }
        // A query may be a secret.
        self.path = String(path.prefix { $0 != "?" })
        self.scheme = scheme
    }

    /// The failure if it is an input, with the command that downloads it.
    package var readingFailure: Failure {
        let way =
            switch scheme {
            case "file": "leave 'file://' out"
            case "s3": "copy it first, aws s3 cp \(word) ."
            case "gs": "copy it first, gcloud storage cp \(word) ."
            case "http", "https", "ftp": "copy it first, curl -O \(word)"
            default: "copy it first, and give the name of the copy"
            }
        return Failure(.usage, cannot: "read '\(path)'", "it is an address, not a file", remedy: way)
    }

    /// The failure if it is an output, with the command that uploads the tiles.
    package var writingFailure: Failure {
        let way =
            switch scheme {
            case "file": "leave 'file://' out"
            case "s3": "build with -o tiles, then tilewright publish tiles \(word)"
            case "gs": "build with -o tiles, then gcloud storage rsync --recursive tiles \(word)"
            default: "build with -o tiles, and copy that"
            }
        return Failure(
            .usage, cannot: "write to '\(path)'", "it is an address, not a folder or a file", remedy: way)
    }

    private var word: String { ShellWord.quoted(path) }
}

/// The encoding of a text file: UTF-8, or as its byte order mark says (The Unicode Standard, section 23.8).
/// Spreadsheets and Notepad write UTF-16.
package enum TextEncoding {
    /// The bytes of a file as UTF-8, without a byte order mark. Damaged UTF-16 becomes replacement
    /// characters.
    package static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        if bytes.starts(with: [0xFF, 0xFE]) { return utf8(bytes, low: 0, high: 1) }
        if bytes.starts(with: [0xFE, 0xFF]) { return utf8(bytes, low: 1, high: 0) }
        return bytes
    }

    /// - Parameters:
    ///   - low: the index of the low byte in a pair of bytes.
    ///   - high: the index of the high byte.
    private static func utf8(_ bytes: [UInt8], low: Int, high: Int) -> [UInt8] {
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
            UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + low])
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
