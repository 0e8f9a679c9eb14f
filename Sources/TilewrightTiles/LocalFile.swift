import Foundation

/// A regular file in the app.
struct LocalFile {
    private let url: URL
    private let handle: FileHandle
    let length: Int

    /// Opens a file, or throws a `TileError` of kind `missing` or `unreadable`.
    init(_ url: URL) throws {
        self.url = url.resolvingSymlinksInPath()
        guard url.isFileURL else { throw TileError(.unreadable, "\(url.absoluteString) is not in the app") }
        guard let facts = try? FileManager.default.attributesOfItem(atPath: self.url.path) else {
            throw TileError(.missing, "there is no \(url.path)")
        }
        // A pipe would wait for its writer.
        guard facts[.type] as? FileAttributeType == .typeRegular, let length = facts[.size] as? NSNumber,
            let handle = try? FileHandle(forReadingFrom: self.url)
        else { throw TileError(.unreadable, "\(url.path) is not a file that can be read") }
        (self.handle, self.length) = (handle, length.intValue)
    }

    /// The bytes of a range, or an error if the file ends before.
    func bytes(_ range: Range<Int>) throws -> Data {
        if range.isEmpty { return Data() }
        guard range.upperBound <= length, (try? handle.seek(toOffset: UInt64(range.lowerBound))) != nil,
            let bytes = try? handle.read(upToCount: range.count), bytes.count == range.count
        else { throw TileError(.unreadable, "\(url.path) is cut short") }
        return bytes
    }

    /// A whole file of at most `limit` bytes.
    static func contents(of url: URL, limit: Int) throws -> Data {
        let file = try LocalFile(url)
        guard file.length <= limit else { throw TileError(.unreadable, "\(url.path) is too long") }
        return try file.bytes(0..<file.length)
    }
}
