import Diagnostics

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A small text file beside an image.
enum TextFile {
    /// Larger files are none of the kinds read here: hundreds of thousands of control points fit.
    /// A byte can cost 50 when it is parsed, where lines or fields are empty.
    private static let largestText = 8 << 20
    /// A larger XML file than GDAL's for an image, unless that has a table of attributes, or than a
    /// KML file for its overlays. A byte can cost 30.
    static let largestXML = 16 << 20

    /// The text of a file; bytes that are no UTF-8 become replacement characters.
    static func read(_ path: String) throws -> String {
        String(decoding: try bytes(of: path, atMost: largestText), as: UTF8.self)
    }

    /// The bytes of an XML file.
    static func xml(of path: String) throws -> [UInt8] {
        try bytes(of: path, atMost: largestXML)
    }

    private static func bytes(of path: String, atMost largest: Int) throws -> [UInt8] {
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

    /// The first bytes of a file, fewer where it is shorter.
    static func head(of path: String, count: Int) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw unreadable(path, errno) }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = fread(&bytes, 1, count, file)
        return Array(bytes.prefix(read))
    }

    /// Whether a file is there. One that cannot be looked at is, and fails when it is read: without it
    /// the image might lie somewhere else.
    static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0 || ![ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno)
    }

    /// Why a file could not be opened, by `errno`.
    static func unreadable(_ path: String, _ code: Int32) -> Failure {
        Failure(
            Failure.Kind(ofReading: code),
            cannot: "read '\(path)'", String(cString: strerror(code)).lowercased())
    }
}
