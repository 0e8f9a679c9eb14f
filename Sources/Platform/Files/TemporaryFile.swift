/// A new file next to the file that it will replace: `NAME.0123456789abcdef.tilewright-partial`.
///
/// This process always creates it, under a name that cannot be guessed: so a file that another user put into
/// the directory is never written into, and never becomes the result. It is locked while it is written;
/// flock(2). A file without a lock was left by a run that was killed, and the next run removes it.
///
/// The last call is `publish` or `discard`.
package final class TemporaryFile: Sendable {
    /// The ending of the names of unfinished files.
    package static let ending = ".tilewright-partial"

    /// The open file, for reading and writing.
    package let file: FileDescriptor
    /// Its name until it is complete.
    package let name: String

    private let target: String
    private let directory: Directory
    private let status: FileStatus

    /// Makes an empty file.
    ///
    /// - Parameter target: the name that it will have. If that file exists, only this user may read the new
    ///   file until `publish` gives it the old file's mode.
    /// - Throws: a `Failure` if it cannot be made.
    package init(replacing target: String, in directory: Directory) throws {
        (self.target, self.directory) = (target, directory)
        do throws(SystemError) {
            let isNew = try directory.lookUp(target)?.kind != .file
            // Another run may take the file for abandoned and remove it before we lock it.
            while true {
                let name = Self.name(for: target)
                let file = try directory.open(
                    name, O_RDWR | O_CREAT | O_EXCL, permissions: isNew ? 0o666 : 0o600)
                // If the file system has no locks, files of killed runs are not removed.
                file.withNumber { _ = flock($0, LOCK_EX | LOCK_NB) }
                let status = try file.status()
                guard try directory.lookUp(name)?.isSameFile(as: status) == true else { continue }
                (self.name, self.status) = (name, status)
                self.file = file
                return
            }
        } catch {
            throw error.failure("write '\(directory.path(of: target))'")
        }
    }

    /// Its path until it is complete.
    package var path: String { directory.path(of: name) }

    /// Whether its name still leads to it: it may have been moved or replaced.
    private var isInPlace: Bool {
        get throws { try directory.status(of: name)?.isSameFile(as: status) == true }
    }

    /// Gives the file its final name, and replaces the file that had it. The new file gets that file's mode
    /// and, if the system allows it, owner.
    ///
    /// - Throws: `.inputOutput` if the temporary file is gone. After any failure, it is removed.
    package func publish() throws {
        do {
            try directory.giveAccess(of: target, to: file)
            guard try isInPlace, try directory.moveFile(name, to: directory, as: target) else {
                throw Failure(
                    .inputOutput, cannot: "write '\(directory.path(of: target))'",
                    "its temporary file is gone", remedy: "run the same command again")
            }
        } catch {
            discard()
            throw error
        }
    }

    /// Removes the file, unless its name now leads to another file.
    package func discard() {
        if (try? isInPlace) == true { _ = try? directory.removeFile(name) }
    }
}

extension TemporaryFile {
    /// A name that cannot be guessed. It begins with the target's name, cut if it is too long.
    static func name(for target: String) -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return prefix(of: target) + String(repeating: "0", count: digitCount - digits.count) + digits + ending
    }

    /// Removes what killed runs left for a target: regular files with names as above that are not locked.
    package static func removeAbandoned(of target: String, in directory: Directory) throws {
        let prefix = prefix(of: target)
        for name in try directory.names() where name.hasPrefix(prefix) && isOne(name, behind: prefix) {
            // A file that cannot be opened belongs to another user; one that cannot be removed does no harm.
            guard let file = try? directory.openFile(name),
                file.withNumber({ flock($0, LOCK_EX | LOCK_NB) }) == 0
            else { continue }
            _ = try? directory.removeFile(name)
        }
    }

    /// Whether a name is that of a temporary file, for any target.
    package static func isOne(_ name: String) -> Bool { name.hasSuffix(ending) }

    private static func isOne(_ name: String, behind prefix: String) -> Bool {
        let digits = name.utf8.dropFirst(prefix.utf8.count).dropLast(ending.utf8.count)
        return name.hasSuffix(ending) && digits.count == digitCount
            && digits.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    private static func prefix(of target: String) -> String {
        String(decoding: target.utf8.prefix(mostOfTarget), as: UTF8.self) + "."
    }

    /// 64 bits.
    private static let digitCount = 16
    /// In bytes: NAME_MAX, less a dot, the digits, the ending, and 3 bytes, because the rest of a character
    /// that was cut in two becomes U+FFFD.
    private static let mostOfTarget = 255 - 1 - digitCount - ending.utf8.count - 3
}

/// A private temporary file with a path, so that readers can open it.
///
/// If the system shows open files under `/proc`, the file has no name in the directory, and vanishes even if
/// the program is killed. Otherwise it has a name until this object is released. mkstemp(3), proc(5).
package final class ReadableScratchFile: Sendable {
    /// The path that opens it, as long as this object exists.
    package let path: String
    /// The file, open for reading and writing.
    package let file: FileDescriptor

    private let name: String?

    /// Makes an empty file in a directory.
    package init(in directory: String) throws(SystemError) {
        var name = ""
        file = try FileDescriptor(scratchFileIn: directory) { name = $0 }
        let shown = file.withNumber { "/proc/self/fd/\($0)" }
        if access(shown, R_OK) == 0 {
            unlink(name)
            (path, self.name) = (shown, nil)
        } else {
            (path, self.name) = (name, name)
        }
    }

    deinit { if let name { unlink(name) } }

    /// Whether it has a name in the directory until this object is released.
    package var hasName: Bool { name != nil }

    /// Reserves disk space, and calls `body` with the mapped bytes: a full disk is an error here, and not a
    /// signal later; posix_fallocate(3), mmap(2).
    ///
    /// - Parameters:
    ///   - length: the length of the file, at least 1.
    ///   - body: writes the bytes, which are zero at first.
    package func fill(length: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
        let mapping = try file.map(length: length)
        defer { munmap(mapping, length) }
        try body(UnsafeMutableRawBufferPointer(start: mapping, count: length))
    }
}
