import Platform
import WebRequests

/// An archive that is open, and stays what it is while it is sent, also if another takes its name.
final class ServedFile: Sendable {
    /// Its bytes.
    let size: Int
    /// What tells it from another state of the same name.
    let tag: EntityTag
    private let number: Int32

    /// Opens a file.
    ///
    /// - Returns: nil if it is not there, or not a file.
    init?(_ path: String) {
        number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        guard number >= 0, fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            if number >= 0 { close(number) }
            return nil
        }
        size = Int(status.st_size)
        let changed = status.contentTime
        let parts = [Int(status.st_ino), size, changed.tv_sec, changed.tv_nsec]
        tag = EntityTag(parts.map { String($0, radix: 16) }.joined(separator: "-"))
    }

    deinit { close(number) }

    /// Some bytes of the file; nil if they cannot be read.
    func bytes(_ range: Range<Int>) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { memory, count in
            count = max(0, pread(number, memory.baseAddress, range.count, off_t(range.lowerBound)))
        }
        return bytes.count == range.count ? bytes : nil
    }
}
