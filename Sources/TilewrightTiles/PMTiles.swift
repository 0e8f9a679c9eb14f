internal import CTileArchives
import Foundation

/// The directories of a PMTiles archive as far as they have been read: they tell where a tile's bytes are.
///
/// It reads nothing itself: who has the archive, in a file or far away, reads what the next step asks for.
/// PMTiles 3: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
struct PMTiles: Sendable {
    /// The next step on the way to a tile: it is at these bytes, there is none, or the directory at these
    /// bytes must be read first and added.
    enum Step { case tile(Range<Int>), never, directory(Range<Int>) }

    private struct Entry {
        let first, run: Int
        /// From the start of its section.
        let bytes: Range<Int>
    }

    /// The header and the root directory are within these bytes, says the specification.
    static let head = 0..<16_384
    /// The longest directory that is read, packed and unpacked: a million tiles need less.
    private static let longestDirectory = 16 << 20
    private static let damage = TileError(.unreadable, "the archive is damaged")

    /// The text about the tiles.
    let metadata: Range<Int>
    private let root, leaves, tiles: Range<Int>
    private let isPacked: Bool
    /// What the header says about the tiles.
    private var about = TilesetDocument()
    private var directories: [Range<Int>: [Entry]] = [:]

    /// Reads the header from the bytes of `head`, or from the whole archive if it is shorter.
    init(head: Data) throws {
        let bytes = [UInt8](head)
        guard bytes.count >= 127, bytes.starts(with: Array("PMTiles\u{3}".utf8)) else {
            throw TileError(.unreadable, "this is not a PMTiles archive of version 3")
        }
        func number(_ at: Int, _ count: Int) -> UInt64 {
            (0..<count).reduce(0) { $0 | UInt64(bytes[at + $1]) << (8 * $1) }
        }
        func section(_ at: Int) throws -> Range<Int> {
            let (offset, length) = (number(at, 8), number(at + 8, 8))
            guard offset < 1 << 60, length < 1 << 60 else { throw Self.damage }
            return Int(offset)..<Int(offset + length)
        }
        (root, metadata, leaves, tiles) = try (section(8), section(24), section(40), section(56))
        guard bytes[97] == 1 || bytes[97] == 2 else {
            throw TileError(.unreadable, "the archive's directories are packed by a method that is not gzip")
        }
        isPacked = bytes[97] == 2
        (about.minzoom, about.maxzoom) = (Int(bytes[100]), Int(bytes[101]))
        var edges = [102, 106, 110, 114].map { Double(Int32(truncatingIfNeeded: number($0, 4))) / 1e7 }
        if edges[2] < edges[0] { edges[2] += 360 }
        about.bounds = edges
        guard max(root.count, metadata.count) <= Self.longestDirectory else { throw Self.damage }
        if root.upperBound <= head.count { try add(head[root], at: root) }
    }

    /// What the header and the bytes of `metadata` say. What is not JSON is left out.
    func facts(_ text: Data) throws -> TilesetFacts {
        let json = (try? unpacked(text)).map { Data($0) } ?? Data()
        var all = (try? JSONDecoder().decode(TilesetDocument.self, from: json)) ?? about
        (all.minzoom, all.maxzoom, all.bounds) = (about.minzoom, about.maxzoom, about.bounds)
        if let facts = all.facts ?? about.facts { return facts }
        throw Self.damage
    }

    func step(to address: TileAddress) throws -> Step {
        let id = Self.id(address)
        var directory = root
        // Readers may stop after three levels of leaves, says the specification.
        for _ in 0..<4 {
            guard let entries = directories[directory] else { return .directory(directory) }
            guard let entry = entries.last(where: { $0.first <= id }) else { return .never }
            if entry.run > 0, id >= entry.first + entry.run { return .never }
            if entry.run > 0 { return .tile(try Self.place(entry.bytes, in: tiles, longest: Tile.longest)) }
            directory = try Self.place(entry.bytes, in: leaves, longest: Self.longestDirectory)
        }
        throw Self.damage
    }

    private static func place(_ bytes: Range<Int>, in section: Range<Int>, longest: Int) throws -> Range<Int>
    {
        guard bytes.upperBound <= section.count, bytes.count <= longest else { throw damage }
        return bytes.lowerBound + section.lowerBound..<bytes.upperBound + section.lowerBound
    }

    /// Adds a directory that a step asked for.
    mutating func add(_ bytes: Data, at place: Range<Int>) throws {
        let input = try unpacked(bytes)
        var rest = input[...]
        /// The next number: seven bits a byte, the lowest first. Below 2^60, sums of a few do not overflow.
        func next() throws -> Int {
            var value = 0
            for shift in stride(from: 0, to: 60, by: 7) {
                guard let byte = rest.popFirst() else { break }
                value |= (Int(byte) & 127) << shift
                if byte < 128, value < 1 << 60 { return value }
            }
            throw Self.damage
        }
        let count = try next()
        // An entry has at least four bytes.
        guard count <= input.count / 4 else { throw Self.damage }
        let columns = try (0..<4).map { _ in try (0..<count).map { _ in try next() } }
        var entries: [Entry] = []
        var (id, end) = (0, 0)
        for index in 0..<count {
            let (run, length, offset) = (columns[1][index], columns[2][index], columns[3][index])
            id += columns[0][index]
            // 0 is the place behind the entry before; other places are one more than they are.
            let start = offset == 0 ? end : offset - 1
            guard id < 1 << 61, start < 1 << 61, offset > 0 || index > 0 else { throw Self.damage }
            end = start + length
            entries.append(Entry(first: id, run: run, bytes: start..<end))
        }
        directories[place] = entries
    }

    private func unpacked(_ bytes: Data) throws -> [UInt8] {
        if !isPacked { return [UInt8](bytes) }
        if let unpacked = gunzip([UInt8](bytes), limit: Self.longestDirectory) { return unpacked }
        throw Self.damage
    }

    /// The number of a tile: that on the Hilbert curve of its zoom, after the tiles of all lower zooms.
    private static func id(_ tile: TileAddress) -> Int {
        var (x, y) = (tile.column, tile.row)
        var id = (1 << (2 * tile.zoom) - 1) / 3
        for bit in (0..<tile.zoom).reversed() {
            let (right, below) = (x >> bit & 1, y >> bit & 1)
            id += (3 * right ^ below) << (2 * bit)
            // The curve in a northern quarter is turned: in the west one way, in the east the other.
            if below == 0 { (x, y) = (y ^ -right, x ^ -right) }
        }
        return id
    }
}

/// Unpacks gzip; nil if it is damaged, or longer than a limit.
private func gunzip(_ packed: [UInt8], limit: Int) -> [UInt8]? {
    // The last four bytes are the length.
    let length = packed.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    var (input, stream) = (packed, z_stream())
    // 15 bits of window, and 16 for gzip's header.
    let size = Int32(MemoryLayout<z_stream>.size)
    guard length <= limit, inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var isWhole = false
    let output = [UInt8](unsafeUninitializedCapacity: length) { output, count in
        input.withUnsafeMutableBufferPointer { input in
            (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
            (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(length))
            isWhole = inflate(&stream, Z_FINISH) == Z_STREAM_END
        }
        count = length - Int(stream.avail_out)
    }
    return isWhole ? output : nil
}

/// A PMTiles archive in the app.
struct LocalPMTiles: TileSource {
    let url: URL

    private func open() throws -> (LocalFile, PMTiles) {
        let file = try LocalFile(url)
        return (file, try PMTiles(head: file.bytes(PMTiles.head.clamped(to: 0..<file.length))))
    }

    func facts() throws -> TilesetFacts {
        let (file, archive) = try open()
        return try archive.facts(file.bytes(archive.metadata))
    }

    func bytesNow(of tile: TileAddress) throws -> Data? {
        var (file, archive) = try open()
        while true {
            switch try archive.step(to: tile) {
            case .never: return nil
            case .tile(let place): return try file.bytes(place)
            case .directory(let place): try archive.add(file.bytes(place), at: place)
            }
        }
    }
}
