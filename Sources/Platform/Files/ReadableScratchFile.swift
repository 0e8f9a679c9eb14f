#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A private file for a while, which has a path so that readers can open it.
///
/// Where the system shows open files under `/proc`, the file has no name of its own: nothing is left behind when
/// the program is killed. Elsewhere it has a name until its owner lets it go. mkstemp(3), proc(5).
package final class ReadableScratchFile: Sendable {
    /// What opens it, as long as this object is there.
    package let path: String

    private let file: FileDescriptor
    private let name: String?

    /// Makes an empty file in a directory.
    package init(in directory: String) throws(SystemError) {
        var template = Array("\(directory)/.tilewright-scratch-XXXXXX".utf8CString)
        file = FileDescriptor(owning: try systemCall { mkstemp(&template) })
        let name = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let number = file.withNumber { number in
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            return number
        }
        let shown = "/proc/self/fd/\(number)"
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
