import Diagnostics
import Files

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
        do throws(SystemError) {
            bytes = try FileDescriptor(reading: path).readBytes(at: 0, count: Self.size)
        } catch {
            guard error == .notRegular else { throw InputFile.unreadable(path, error.code) }
            let isDirectory = FileStatus(at: path)?.kind == .directory
            throw Failure(
                .missingInput, cannot: "read '\(path)'", isDirectory ? "it is a directory" : error.text)
        }
    }
}
