/// A new file next to the one that it will replace: `NAME.0123456789abcdef.tilewright-partial`.
///
/// It is always made by this process, under a name that cannot be guessed: no file that others put into the
/// directory is written into or becomes the result. It is locked, flock(2), as long as it is written: one
/// without a lock was left by a run that was killed, and the next run removes it.
///
/// The last call is `publish` or `discard`.
package final class TemporaryFile: Sendable {
    /// The ending of the names of unfinished files.
    package static let ending = ".tilewright-partial"

    /// The open file, for reading and writing.
    package let file: FileDescriptor
    /// Its name until it is whole.
    package let name: String

    private let target: String
    private let directory: Directory
    private let status: FileStatus

    /// Makes an empty file.
    ///
    /// - Parameter target: the name that it will have. If a file has it, nobody else may read the new one meanwhile: it
    ///   gets the mode of the old one at the end.
    /// - Throws: a `Failure` if none can be made.
    package init(replacing target: String, in directory: Directory) throws {
        (self.target, self.directory) = (target, directory)
        do throws(SystemError) {
            let isNew = try directory.lookUp(target)?.kind != .file
            // A run that removes abandoned files may be quicker than our lock.
            while true {
                let name = Self.name(for: target)
                let file = try directory.open(
                    name, O_RDWR | O_CREAT | O_EXCL, permissions: isNew ? 0o666 : 0o600)
                // Where files cannot be locked, no run removes what killed ones left.
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

    /// Where it is until it is whole.
    package var path: String { directory.path(of: name) }

    /// Whether its name is still its own: it may have been moved away or replaced.
    private var isInPlace: Bool {
        get throws { try directory.status(of: name)?.isSameFile(as: status) == true }
    }

    /// Gives it its name. What had that before is gone; its mode stays, and its owner where the system allows that.
    ///
    /// - Throws: `.inputOutput` if it is gone. It is removed then.
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

    /// Removes it, unless its name is another file's by now.
    package func discard() {
        if (try? isInPlace) == true { _ = try? directory.removeFile(name) }
    }
}

extension TemporaryFile {
    /// A name that cannot be guessed. It begins with the target's name, or with the front of one that is too
    /// long.
    static func name(for target: String) -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return prefix(of: target) + String(repeating: "0", count: digitCount - digits.count) + digits + ending
    }

    /// Removes what runs that were killed left of a file: regular files under such a name that have no lock.
    package static func removeAbandoned(of target: String, in directory: Directory) throws {
        let prefix = prefix(of: target)
        for name in try directory.names() where name.hasPrefix(prefix) && isOne(name, behind: prefix) {
            // One that cannot be opened is another user's, and one that cannot be removed is in no one's way.
            guard let file = try? directory.openFile(name),
                file.withNumber({ flock($0, LOCK_EX | LOCK_NB) }) == 0
            else { continue }
            _ = try? directory.removeFile(name)
        }
    }

    /// Whether a name is one of ours, whatever it is for.
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
    /// Bytes: NAME_MAX, less a dot, the digits and the ending, and what a character that was cut in two may grow by.
    private static let mostOfTarget = 255 - 1 - digitCount - ending.utf8.count - 3
}

/// A private file for a while, which has a path so that readers can open it.
///
/// Where the system shows open files under `/proc`, the file has no name: nothing is left behind when the
/// program is killed. Elsewhere it has a name until this object is gone. mkstemp(3), proc(5).
package final class ReadableScratchFile: Sendable {
    /// The path that opens it, as long as this object is there.
    package let path: String

    private let file: FileDescriptor
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

    /// Takes room on the disk for some bytes and lends them: a full disk is an error here, and not a signal later;
    /// posix_fallocate(3), mmap(2).
    ///
    /// - Parameters:
    ///   - length: of the file, at least 1.
    ///   - body: writes the bytes, which are zero.
    package func fill(length: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
        let mapping = try file.map(length: length)
        defer { munmap(mapping, length) }
        try body(UnsafeMutableRawBufferPointer(start: mapping, count: length))
    }
}
