#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A new file beside the one whose place it will take: `NAME.0123456789abcdef.tilewright-partial`.
///
/// It is always made by this process, under a name that nobody can foresee: nothing that others put into the directory
/// is written into or becomes the result. It is locked, flock(2), as long as it is written: what is not was left by a
/// run that was killed, and whoever writes next removes it.
///
/// Whoever makes one ends with `publish` or `discard`.
package final class TemporaryFile: Sendable {
    /// How the names of files end that are not whole yet.
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
            // Whoever removes abandoned files may be quicker than our lock.
            while true {
                let name = Self.name(for: target)
                let file = try directory.open(
                    name, O_RDWR | O_CREAT | O_EXCL, permissions: isNew ? 0o666 : 0o600)
                // Where files cannot be locked, nobody removes what killed runs left.
                file.withNumber { _ = flock($0, LOCK_EX | LOCK_NB) }
                let status = try file.status()
                guard try directory.lookUp(name)?.isSameFile(as: status) == true else { continue }
                self.name = name
                self.status = status
                self.file = file
                return
            }
        } catch {
            throw error.failure("write '\(directory.path(of: target))'")
        }
    }

    /// Where it is until it is whole.
    package var path: String { directory.path(of: name) }

    /// Whether its name is still its own: somebody may have moved it away, or put another file in its place.
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
    /// A name that nobody can foresee. What is in front of it is not the whole of a name that is too long for that.
    static func name(for target: String) -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return prefix(of: target) + String(repeating: "0", count: digitCount - digits.count) + digits + ending
    }

    /// Removes what runs that were killed left of a file: regular files under such a name that nobody writes.
    package static func removeAbandoned(of target: String, in directory: Directory) throws {
        let prefix = prefix(of: target)
        for name in try directory.names() where name.hasPrefix(prefix) && isOne(name, behind: prefix) {
            // What cannot be opened is another user's, and what cannot be removed is in nobody's way.
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
