import CDeflate
import Diagnostics
import Files

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A ZIP archive, such as a KMZ: its directory, and the content of small files in it.
///
/// Only what a KMZ needs: files that are stored or deflated. The libraries for ZIP are large or bring
/// large ones along, and the hard part, inflating, is libdeflate's; what is left is reading a table.
struct ZIPArchive: ~Copyable {
    /// A file in the archive.
    struct Entry {
        /// The name with its folders.
        var name: String
        fileprivate var flags: Int
        fileprivate var method: Int
        fileprivate var checksum: UInt32
        fileprivate var packedSize: Int
        fileprivate var size: Int
        fileprivate var headerOffset: Int

        /// How messages call it.
        fileprivate var title: String { "'\(name.shortened)'" }
    }

    /// The files in the order of the directory.
    let entries: [Entry]

    private let file: UnsafeMutablePointer<FILE>
    private let size: Int

    /// No file that is read out of an archive is larger; a directory neither.
    private static let largest = InputFile.largestXML

    /// Opens an archive and reads its directory.
    ///
    /// - Throws: a `Failure` whose message is the reason alone, but for files that are not there.
    init(path: String) throws {
        guard let file = fopen(path, "rb") else { throw InputFile.unreadable(path, errno) }
        do {
            guard fseeko(file, 0, SEEK_END) == 0 else { throw InputFile.unreadable(path, errno) }
            let size = Int(ftello(file))
            entries = try ZIPArchive.directory(of: file, size: size)
            self.size = size
            self.file = file
        } catch {
            fclose(file)
            throw error
        }
    }

    deinit { fclose(file) }

    /// The content of a file, at most 16 MiB.
    func content(of entry: Entry) throws -> [UInt8] {
        guard entry.flags & 1 == 0 else { throw ZIPArchive.damaged("\(entry.title) is encrypted") }
        guard max(entry.size, entry.packedSize) <= ZIPArchive.largest else {
            throw ZIPArchive.damaged("\(entry.title) is too large")
        }
        let header = try ZIPArchive.read(file, at: entry.headerOffset, count: 30, size: size)
        guard header.number(at: 0, bytes: 4) == 0x0403_4B50 else {
            throw ZIPArchive.damaged("\(entry.title) is not where its directory says")
        }
        let start =
            entry.headerOffset + 30 + header.number(at: 26, bytes: 2)
            + header.number(at: 28, bytes: 2)
        let packed = try ZIPArchive.read(file, at: start, count: entry.packedSize, size: size)
        let content = try ZIPArchive.unpack(packed, entry)
        guard libdeflate_crc32(0, content, content.count) == entry.checksum else {
            throw ZIPArchive.damaged("\(entry.title) is not what its checksum says")
        }
        return content
    }

    /// Never writes more than the size in the directory, however much there is.
    private static func unpack(_ packed: [UInt8], _ entry: Entry) throws -> [UInt8] {
        switch entry.method {
        case 0 where packed.count == entry.size: return packed
        case 8:
            guard let inflater = libdeflate_alloc_decompressor() else {
                throw Failure(.systemLimit, "there is no memory to inflate \(entry.title)")
            }
            defer { libdeflate_free_decompressor(inflater) }
            var content = [UInt8](repeating: 0, count: entry.size)
            let result = libdeflate_deflate_decompress(
                inflater, packed, packed.count, &content, content.count, nil)
            guard result == LIBDEFLATE_SUCCESS else {
                throw damaged("\(entry.title) cannot be inflated to its \(entry.size) bytes")
            }
            return content
        default: throw damaged("\(entry.title) is packed in a way that is not read")
        }
    }

    private static func directory(
        of file: UnsafeMutablePointer<FILE>, size: Int
    ) throws -> [Entry] {
        // The end record has 22 bytes and a comment of up to 65535.
        let tailSize = min(size, 22 + 65535)
        let tail = try read(file, at: size - tailSize, count: tailSize, size: size)
        guard
            let end = stride(from: tail.count - 22, through: 0, by: -1).first(where: {
                tail.number(at: $0, bytes: 4) == 0x0605_4B50
            })
        else { throw damaged("it is not a ZIP archive, or is cut off") }
        let (count, length, start) = (
            tail.number(at: end + 10, bytes: 2), tail.number(at: end + 12, bytes: 4),
            tail.number(at: end + 16, bytes: 4)
        )
        guard length <= largest else { throw damaged("its directory is too large") }
        let table = try read(file, at: start, count: length, size: size)
        return try entries(in: table, count: count)
    }

    private static func entries(in table: [UInt8], count: Int) throws -> [Entry] {
        var entries: [Entry] = []
        var offset = 0
        for _ in 0..<count {
            guard offset + 46 <= table.count, table.number(at: offset, bytes: 4) == 0x0201_4B50
            else { throw damaged("its directory is damaged") }
            let name = offset + 46..<offset + 46 + table.number(at: offset + 28, bytes: 2)
            let next =
                name.upperBound + table.number(at: offset + 30, bytes: 2)
                + table.number(at: offset + 32, bytes: 2)
            guard next <= table.count else { throw damaged("its directory is damaged") }
            entries.append(
                Entry(
                    name: String(decoding: table[name], as: UTF8.self),
                    flags: table.number(at: offset + 8, bytes: 2),
                    method: table.number(at: offset + 10, bytes: 2),
                    checksum: UInt32(table.number(at: offset + 16, bytes: 4)),
                    packedSize: table.number(at: offset + 20, bytes: 4),
                    size: table.number(at: offset + 24, bytes: 4),
                    headerOffset: table.number(at: offset + 42, bytes: 4)))
            offset = next
        }
        return entries
    }

    private static func read(
        _ file: UnsafeMutablePointer<FILE>, at offset: Int, count: Int, size: Int
    ) throws -> [UInt8] {
        guard offset >= 0, count >= 0, offset + count <= size else {
            throw damaged("it points beyond its end, or is cut off")
        }
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        guard fseeko(file, off_t(offset), SEEK_SET) == 0, fread(&bytes, 1, count, file) == count
        else { throw damaged("it cannot be read to its end") }
        return bytes
    }

    private static func damaged(_ reason: String) -> Failure { Failure(.badInput, reason) }
}

extension [UInt8] {
    /// A little-endian number.
    fileprivate func number(at offset: Int, bytes: Int) -> Int {
        self[offset..<offset + bytes].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
