import Platform

/// The first bytes of a file: enough to tell its type.
struct FileHead {
    /// At most `FileHead.size` bytes, and more of a text that begins as XML.
    let bytes: [UInt8]

    /// Enough to tell the type of an image.
    static let size = 1024
    /// The root element of an SVG follows declarations and comments, which hold licences.
    private static let markupSize = 1 << 16

    /// Reads the head of a regular file.
    ///
    /// - Throws: `.missingInput` if there is no such file, or the failure to read it.
    init(path: String) throws {
        do throws(SystemError) {
            let file = try FileDescriptor(reading: path)
            let head = try file.readBytes(at: 0, count: Self.size)
            bytes = Self.isMarkup(head) ? try file.readBytes(at: 0, count: Self.markupSize) : head
        } catch {
            guard error == .notRegular else { throw InputFile.unreadable(path, error.code) }
            let isDirectory = FileStatus(at: path)?.kind == .directory
            throw Failure(
                .missingInput, cannot: "read '\(path)'", isDirectory ? "it is a directory" : error.text)
        }
    }

    /// Whether a text begins with a tag, a declaration or a comment.
    static func isMarkup(_ head: [UInt8]) -> Bool {
        TextEncoding.utf8(head).first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
    }
}
