internal import CTileArchives
import Foundation

/// The directories of a PMTiles archive as far as they have been read: they tell where a tile's bytes are.
///
/// It reads nothing itself: who has the archive, in a file or far away, reads what the next step asks for.
/// PMTiles 3: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
struct PMTiles: Sendable {
    /// The next step on the way to a tile.
    enum Step: Hashable {
        /// The tile is at these bytes.
        case tile(Range<Int>)
        /// There is no such tile.
        case never
        /// Read the directory at these bytes first, and `add` it.
        case directory(Range<Int>)
    }

    private struct Entry {
        let first: Int
        let run: Int
        /// From the start of its section.
        let bytes: Range<Int>
    }

    /// The header and the root directory are within these bytes, says the specification.
    static let headLength = 16_384
    /// The longest directory that is read, packed and unpacked: a million tiles need less.
    private static let longestDirectory = 16 << 20

    private let root, leaves, tiles: Range<Int>
    /// The text about the tiles.
    let metadata: Range<Int>
    private let isPacked: Bool
    private let zooms: (lowest: Int, highest: Int)
    private let bounds: [Double]
    private var directories: [Range<Int>: [Entry]] = [:]

    /// Reads the header.
    ///
    /// - Parameter head: the first `headLength` bytes, or the whole archive if it is shorter.
    /// - Throws: a `TileError` of kind `unreadable`.
    init(head: Data) throws {
        let bytes = [UInt8](head)
        guard bytes.count >= 127, bytes.starts(with: Array("PMTiles".utf8)), bytes[7] == 3 else {
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
        func degrees(_ at: Int) -> Double { Double(Int32(truncatingIfNeeded: number(at, 4))) / 1e7 }
        (root, metadata, leaves, tiles) = try (section(8), section(24), section(40), section(56))
        guard bytes[97] == 1 || bytes[97] == 2 else {
            throw TileError(.unreadable, "the archive's directories are packed by a method that is not gzip")
        }
        isPacked = bytes[97] == 2
        zooms = (Int(bytes[100]), Int(bytes[101]))
        bounds = [degrees(102), degrees(106), degrees(110), degrees(114)]
        guard metadata.count <= Self.longestDirectory else { throw Self.damage }
        if root.upperBound <= head.count { try add(head[root], at: root) }
    }

    private static let damage = TileError(.unreadable, "the archive is damaged")

    /// What the header and the text about the tiles say.
    ///
    /// - Parameter text: the bytes of `metadata`. What is not JSON is left out.
    func facts(_ text: Data) throws -> TilesetFacts {
        let json = try? unpacked(text)
        let about = json.flatMap { try? JSONDecoder().decode(TilesetDocument.self, from: $0) }
        let east = bounds[2] < bounds[0] ? bounds[2] + 360 : bounds[2]
        let edges = [bounds[0], bounds[1], east, bounds[3]]
        let facts = about?.facts(zooms.lowest, zooms.highest, edges)
        guard let facts = facts ?? TilesetFacts(zooms.lowest, zooms.highest, edges, tileSize: nil)
        else { throw Self.damage }
        return facts
    }

    /// The next step on the way to a tile.
    func step(to address: TileAddress) throws -> Step {
        let id = Self.id(address)
        var directory = root
        // Readers may stop after three levels of leaves, says the specification.
        for _ in 0..<4 {
            guard let entries = directories[directory] else {
                guard directory.count <= Self.longestDirectory else { throw Self.damage }
                return .directory(directory)
            }
            guard let entry = Self.last(upTo: id, in: entries) else { return .never }
            if entry.run > 0 {
                return id < entry.first + entry.run ? .tile(try place(entry.bytes, in: tiles)) : .never
            }
            directory = try place(entry.bytes, in: leaves)
        }
        throw Self.damage
    }

    /// The last entry that begins at an ID or before it.
    private static func last(upTo id: Int, in entries: [Entry]) -> Entry? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].first <= id { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? entries[low - 1] : nil
    }

    private func place(_ bytes: Range<Int>, in section: Range<Int>) throws -> Range<Int> {
        guard bytes.upperBound <= section.count, bytes.count <= Tile.longest else { throw Self.damage }
        return bytes.lowerBound + section.lowerBound..<bytes.upperBound + section.lowerBound
    }

    /// Adds a directory that a step asked for.
    mutating func add(_ bytes: Data, at place: Range<Int>) throws {
        var numbers = Varints(bytes: [UInt8](try unpacked(bytes)))
        let count = try numbers.next()
        // An entry has at least four bytes.
        guard count <= numbers.bytes.count / 4 else { throw Self.damage }
        var ids: [Int] = []
        for _ in 0..<count {
            ids.append((ids.last ?? 0) + (try numbers.next()))
            guard ids.last ?? 0 < 1 << 61 else { throw Self.damage }
        }
        let runs = try (0..<count).map { _ in try numbers.next() }
        let lengths = try (0..<count).map { _ in try numbers.next() }
        var entries: [Entry] = []
        for (index, length) in lengths.enumerated() {
            let offset = try numbers.next()
            guard let start = offset == 0 ? entries.last?.bytes.upperBound : offset - 1, start < 1 << 61
            else { throw Self.damage }
            entries.append(Entry(first: ids[index], run: runs[index], bytes: start..<start + length))
        }
        directories[place] = entries
    }

    private func unpacked(_ bytes: Data) throws -> Data {
        guard isPacked else { return bytes }
        guard let unpacked = gunzip(bytes, limit: Self.longestDirectory) else { throw Self.damage }
        return unpacked
    }

    /// The number of a tile: that on the Hilbert curve of its zoom, after the tiles of all lower zooms.
    private static func id(_ tile: TileAddress) -> Int {
        var (x, y) = (tile.column, tile.row)
        var id = ((1 << (2 * tile.zoom)) - 1) / 3
        for bit in (0..<tile.zoom).reversed() {
            let half = 1 << bit
            let (right, below) = (x & half != 0, y & half != 0)
            id += half * half * ((right ? 3 : 0) ^ (below ? 1 : 0))
            if !below {
                if right { (x, y) = (half - 1 - (x & (half - 1)), half - 1 - (y & (half - 1))) }
                (x, y) = (y, x)
            }
        }
        return id
    }
}

/// Numbers of seven bits a byte, the lowest first.
private struct Varints {
    let bytes: [UInt8]
    private var at = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The next number, below 2^60, so that sums of a few do not overflow.
    mutating func next() throws -> Int {
        var (value, shift) = (0, 0)
        while at < bytes.count, shift < 60 {
            let byte = Int(bytes[at])
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128, value < 1 << 60 { return value }
        }
        throw TileError(.unreadable, "the archive is damaged")
    }
}

/// Unpacks gzip; nil if it is damaged, or longer than a limit.
private func gunzip(_ packed: Data, limit: Int) -> Data? {
    var (input, stream) = ([UInt8](packed), z_stream())
    // 15 bits of window, and 16 for gzip's header.
    let size = Int32(MemoryLayout<z_stream>.size)
    guard !input.isEmpty, inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    return input.withUnsafeMutableBufferPointer { input in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        var (output, part) = (Data(), [UInt8](repeating: 0, count: 1 << 16))
        while output.count <= limit {
            let status = part.withUnsafeMutableBufferPointer { part in
                (stream.next_out, stream.avail_out) = (part.baseAddress, UInt32(part.count))
                return inflate(&stream, Z_NO_FLUSH)
            }
            output.append(contentsOf: part.dropLast(Int(stream.avail_out)))
            if status == Z_STREAM_END { return output }
            if status != Z_OK { return nil }
        }
        return nil
    }
}

/// A PMTiles archive in a file.
struct NearPMTiles: NearTiles {
    private let file: LocalFile
    private let archive: PMTiles

    init(_ url: URL) throws {
        file = try LocalFile(url)
        archive = try PMTiles(head: file.bytes(0..<min(file.length, PMTiles.headLength)))
    }

    func facts() throws -> TilesetFacts {
        try archive.facts((try? file.bytes(archive.metadata)) ?? Data())
    }

    func bytesNow(of tile: TileAddress) throws -> Data? {
        var archive = archive
        while true {
            switch try archive.step(to: tile) {
            case .never: return nil
            case .tile(let place): return try file.bytes(place)
            case .directory(let place): try archive.add(file.bytes(place), at: place)
            }
        }
    }
}
