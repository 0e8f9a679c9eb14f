import Diagnostics

/// What the first bytes of a file say that it is.
enum FileType: Equatable {
    case png
    case jpeg
    case tiff
    /// A type that is known, but not read.
    case other(UnreadType)

    /// The type of a file that begins with these bytes, or nil.
    init?(head: [UInt8]) {
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if Self.tiffSignatures.contains(where: { head.starts(with: $0) }) {
            self = .tiff
        } else if let type = UnreadType(head: head) {
            self = .other(type)
        } else {
            return nil
        }
    }

    /// Byte order, then 42 for TIFF or 43 for BigTIFF.
    private static let tiffSignatures: [[UInt8]] = [
        [0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 43],
    ]
}
