import CDeflate
import Platform

/// A ZIP archive, such as a KMZ: its directory, and the content of files in it.
///
/// It supports what a KMZ needs: files that are stored or deflated. ZIP libraries are large or need large
/// ones. The hard part, inflating, is done by libdeflate; the rest is reading a table.
struct ZIPArchive: ~Copyable {
    /// A file in the archive.
    struct Entry {
        /// The name with its folders.
        let name: String
        fileprivate let flags: Int
        fileprivate let method: Int
        fileprivate let checksum: UInt32
        fileprivate let size: Int
        fileprivate let packedSize: Int
        fileprivate let headerOffset: Int

        /// The name in messages.
        fileprivate var title: String { "'\(name.shortened)'" }
    }

    /// The files in the order of the directory.
    let entries: [Entry]

    private let file: FileDescriptor
    private let size: Int

    /// The largest size of a directory, and of a file that is read from an archive.
    private static let largest = InputFile.largestXML

    /// Opens an archive and reads its directory.
    ///
    /// - Throws: a `Failure` whose message is only the reason, except for a missing file.
    init(path: String) throws {
        let file = try ZIPArchive.open(path)
        let size = (try? file.status().size) ?? 0
        let entries = try ZIPArchive.directory(of: file, size: size)
        (self.entries, self.size) = (entries, size)
        self.file = file
    }

    private static func open(_ path: String) throws -> FileDescriptor {
        do throws(SystemError) { return try FileDescriptor(opening: path, flags: O_RDONLY) } catch {
            throw InputFile.unreadable(path, error)
        }
    }

    /// The content of a small file, at most 16 MiB.
    func content(of entry: Entry) throws -> [UInt8] {
        let start = try start(of: entry, atMost: ZIPArchive.largest)
        let packed = try ZIPArchive.read(file, at: start, count: entry.packedSize, size: size)
        let content = try ZIPArchive.unpack(packed, entry)
        try ZIPArchive.check(libdeflate_crc32(0, content, content.count), entry)
        return content
    }

    /// The largest size of a file that is copied from an archive: 2 GiB.
    static let largestCopy = 1 << 31
    /// The maximum number of bytes that one byte of Deflate can become: two bits make at most 258 bytes.
    private static let mostPerByte = 1032

    /// Copies a file out of the archive. Uses no memory except the page cache.
    ///
    /// - Parameter directory: the folder for scratch files.
    /// - Throws: a `Failure` whose message is only the reason; the system's error if there is no room.
    func copy(_ entry: Entry, into directory: String) throws -> ReadableScratchFile {
        let start = try start(of: entry, atMost: ZIPArchive.largestCopy)
        guard entry.size > 0 else { throw ZIPArchive.damaged("\(entry.title) is empty") }
        guard entry.size <= ZIPArchive.mostPerByte * (entry.packedSize + 1) else {
            throw ZIPArchive.damaged("\(entry.title) cannot be inflated to its \(entry.size) bytes")
        }
        let copy = try ReadableScratchFile(in: directory)
        try copy.fill(length: entry.size) { content in
            switch entry.method {
            case 0 where entry.packedSize == entry.size: try read(at: start, into: content)
            case 8:
                try ReadableScratchFile(in: directory).fill(length: max(entry.packedSize, 1)) { packed in
                    let packed = UnsafeMutableRawBufferPointer(rebasing: packed[..<entry.packedSize])
                    try read(at: start, into: packed)
                    try ZIPArchive.inflate(UnsafeRawBufferPointer(packed), entry, into: content)
                }
            default: throw ZIPArchive.unread(entry)
            }
            try ZIPArchive.check(libdeflate_crc32(0, content.baseAddress, content.count), entry)
        }
        return copy
    }

    /// The offset of a file's bytes; checks that the archive has all of them.
    private func start(of entry: Entry, atMost largest: Int) throws -> Int {
        guard entry.flags & 1 == 0 else { throw ZIPArchive.damaged("\(entry.title) is encrypted") }
        guard max(entry.size, entry.packedSize) <= largest else {
            throw ZIPArchive.damaged("\(entry.title) is too large")
        }
        let header = try ZIPArchive.read(file, at: entry.headerOffset, count: 30, size: size)
        guard header.number(at: 0, bytes: 4) == 0x0403_4B50 else {
            throw ZIPArchive.damaged("\(entry.title) is not where its directory says")
        }
        let start =
            entry.headerOffset + 30 + header.number(at: 26, bytes: 2)
            + header.number(at: 28, bytes: 2)
        guard start + entry.packedSize <= size else {
            throw ZIPArchive.damaged("it points beyond its end, or is cut off")
        }
        return start
    }

    private static func check(_ checksum: UInt32, _ entry: Entry) throws {
        if checksum == entry.checksum { return }
        throw damaged("\(entry.title) does not match its checksum")
    }

    private func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
        guard (try? file.read(into: buffer, at: offset)) == buffer.count else {
            throw ZIPArchive.damaged("it cannot be read to its end")
        }
    }

    /// Never writes more than the size in the directory, even if the file has more.
    private static func unpack(_ packed: [UInt8], _ entry: Entry) throws -> [UInt8] {
        switch entry.method {
        case 0 where packed.count == entry.size: return packed
        case 8:
            var content = [UInt8](repeating: 0, count: entry.size)
            try content.withUnsafeMutableBytes { content in
                try packed.withUnsafeBytes { try inflate($0, entry, into: content) }
            }
            return content
        default: throw unread(entry)
        }
    }

    private static func inflate(
        _ packed: UnsafeRawBufferPointer, _ entry: Entry, into content: UnsafeMutableRawBufferPointer
    ) throws {
        guard let inflater = libdeflate_alloc_decompressor() else {
            throw Failure(.systemLimit, "there is not enough memory to inflate \(entry.title)")
        }
        defer { libdeflate_free_decompressor(inflater) }
        let result = libdeflate_deflate_decompress(
            inflater, packed.baseAddress, packed.count, content.baseAddress, content.count, nil)
        guard result == LIBDEFLATE_SUCCESS else {
            throw damaged("\(entry.title) cannot be inflated to its \(entry.size) bytes")
        }
    }

    private static func directory(of file: borrowing FileDescriptor, size: Int) throws -> [Entry] {
        // The end record has 22 bytes and a comment of up to 65535 bytes.
        let tailSize = min(size, 22 + 65535)
        let tail = try read(file, at: size - tailSize, count: tailSize, size: size)
        guard
            let end = stride(from: tail.count - 22, through: 0, by: -1).first(where: {
                tail.number(at: $0, bytes: 4) == 0x0605_4B50
            })
        else { throw damaged("it is not a ZIP archive, or is cut off") }
        let (length, start) = (tail.number(at: end + 12, bytes: 4), tail.number(at: end + 16, bytes: 4))
        guard length <= largest else { throw damaged("its directory is too large") }
        let table = try read(file, at: start, count: length, size: size)
        return try entries(in: table, count: tail.number(at: end + 10, bytes: 2))
    }

    private static func entries(in table: [UInt8], count: Int) throws -> [Entry] {
        var entries: [Entry] = []
        var offset = 0
        for _ in 0..<count {
            guard offset + 46 <= table.count, table.number(at: offset, bytes: 4) == 0x0201_4B50
            else { throw damaged("its directory is damaged") }
            let name = offset + 46..<offset + 46 + table.number(at: offset + 28, bytes: 2)
            let extra = name.upperBound..<name.upperBound + table.number(at: offset + 30, bytes: 2)
            let next = extra.upperBound + table.number(at: offset + 32, bytes: 2)
            guard next <= table.count else { throw damaged("its directory is damaged") }
            var large = ZIP64Numbers(in: table[extra])
            entries.append(
                Entry(
                    name: String(decoding: table[name], as: UTF8.self),
                    flags: table.number(at: offset + 8, bytes: 2),
                    method: table.number(at: offset + 10, bytes: 2),
                    checksum: UInt32(table.number(at: offset + 16, bytes: 4)),
                    // In the order of the ZIP64 numbers.
                    size: try large.number(or: table.number(at: offset + 24, bytes: 4)),
                    packedSize: try large.number(or: table.number(at: offset + 20, bytes: 4)),
                    headerOffset: try large.number(or: table.number(at: offset + 42, bytes: 4))))
            offset = next
        }
        return entries
    }

    private static func read(
        _ file: borrowing FileDescriptor, at offset: Int, count: Int, size: Int
    ) throws -> [UInt8] {
        guard offset >= 0, count >= 0, offset + count <= size else {
            throw damaged("it points beyond its end, or is cut off")
        }
        guard let bytes = try? file.readBytes(at: offset, count: count), bytes.count == count else {
            throw damaged("it cannot be read to its end")
        }
        return bytes
    }

    private static func unread(_ entry: Entry) -> Failure {
        Failure(
            .badInput, "\(entry.title) uses an unsupported compression",
            remedy: "unpack it, and build the image with the document, --kml doc.kml")
    }

    private static func damaged(_ reason: String) -> Failure { Failure(.badInput, reason) }
}

/// The numbers of a file that are too large for their fields (APPNOTE 6.3.10, 4.5.3), in order. Some programs
/// also write them for small files.
private struct ZIP64Numbers {
    private var rest: ArraySlice<UInt8> = []

    /// Looks for the numbers among the extra fields.
    init(in extra: ArraySlice<UInt8>) {
        var extra = extra
        while extra.count >= 4 {
            let (id, size) = (Self.number(extra.prefix(2)), Self.number(extra.dropFirst(2).prefix(2)))
            extra = extra.dropFirst(4)
            if id == 1 { rest = extra.prefix(size) }
            extra = extra.dropFirst(size)
        }
    }

    /// The next number if the field is full; else the field.
    mutating func number(or field: Int) throws -> Int {
        if field != 0xFFFF_FFFF { return field }
        let number = Self.number(rest.prefix(8))
        guard rest.count >= 8, number < 1 << 48 else {
            throw Failure(.badInput, "its directory is damaged")
        }
        rest = rest.dropFirst(8)
        return number
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        // The highest of the eight bytes is 0 in all valid numbers.
        bytes.reversed().reduce(0) { $0 > 1 << 54 ? 1 << 62 : $0 << 8 | Int($1) }
    }
}

extension [UInt8] {
    /// A little-endian number.
    fileprivate func number(at offset: Int, bytes: Int) -> Int {
        self[offset..<offset + bytes].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
