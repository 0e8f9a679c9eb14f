#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What the first 100 bytes of an SQLite database say of the file (its file format, section 1.3).
struct SQLiteHeader: Hashable, Sendable {
    /// The bytes that it takes.
    static let size = 100
    /// How to open a file for it; a pipe would wait for its other end.
    static let openFlags = O_RDONLY | O_NONBLOCK

    private static let magic = Array("SQLite format 3\0".utf8)

    /// Bytes of a page.
    var pageSize: Int
    /// Pages of the file.
    var pageCount: Int
    /// Transactions that ever changed the file.
    var changes: Int
    /// The number of changes for which `pageCount` holds; old versions of SQLite leave it behind.
    var countedChanges: Int
    /// Which program's file it is.
    var applicationID: Int

    /// Makes a header.
    init(pageSize: Int, pageCount: Int, changes: Int, applicationID: Int) {
        self.pageSize = pageSize
        self.pageCount = pageCount
        self.changes = changes
        countedChanges = changes
        self.applicationID = applicationID
    }

    /// Reads the front of a file.
    ///
    /// - Returns: nil if it is not a database, or too short.
    init?(decoding bytes: [UInt8]) {
        guard bytes.count >= Self.size, bytes.starts(with: Self.magic) else { return nil }
        func number(_ offset: Int, bytes count: Int) -> Int {
            bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        self.init(
            pageSize: number(16, bytes: 2), pageCount: number(28, bytes: 4),
            changes: number(24, bytes: 4), applicationID: number(68, bytes: 4))
        countedChanges = number(92, bytes: 4)
    }
}
