import Diagnostics
import Files

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The first bytes of a file: enough to tell its type.
struct FileHead {
    /// At most `FileHead.size` bytes.
    let bytes: [UInt8]

    /// The most bytes that are read: an SVG's root element follows declarations and comments.
    static let size = 1024

    /// Reads the head of a regular file.
    ///
    /// - Throws: `.missingInput` if there is no such file, or the failure to read it.
    init(path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { throw InputFile.unreadable(path, errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw Self.missing(path, "it is a directory")
        default: throw Self.missing(path, "it is not a regular file")
        }
        do throws(SystemError) {
            bytes = try FileDescriptor(reading: path).readBytes(at: 0, count: Self.size)
        } catch {
            if error == .notRegular { throw Self.missing(path, error.text) }
            throw InputFile.unreadable(path, error.code)
        }
    }

    private static func missing(_ path: String, _ reason: String) -> Failure {
        Failure(.missingInput, "cannot read '\(path)': \(reason)")
    }
}
