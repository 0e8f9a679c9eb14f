import Diagnostics
import Tiling

/// The tiles of an archive that is being written: each content once, in the order in which they came,
/// in a scratch file without a name.
///
/// Holds 16 bytes for each tile in memory, 32 for each content, and its place in the index.
struct TileSpool: ~Copyable, Sendable {
    /// A tile that was written.
    struct Address: Sendable, BitwiseCopyable {
        /// Which tile.
        var tile: PackedCoordinate
        /// The number of its content.
        var content: UInt32
    }

    /// What one or more tiles hold.
    struct Content: Sendable, BitwiseCopyable {
        /// The hash of the bytes.
        var hash: ContentHash
        /// Where they begin in the scratch file.
        var offset: UInt64
        /// How many they are.
        var length: UInt32
    }

    /// The tiles, in the order of their coming until `sortAddresses`.
    private(set) var addresses: [Address] = []
    /// The contents by their numbers.
    private(set) var contents: [Content] = []
    /// Bytes of all contents.
    private(set) var size: UInt64 = 0

    private let file: FileDescriptor
    private let directory: String
    private var index = ContentIndex()
    /// What is not in the file yet.
    private var buffer: [UInt8] = []
    private static let bufferSize = 1 << 20

    /// Makes the scratch file.
    ///
    /// - Throws: where the directory cannot be written to.
    init(in directory: String) throws {
        do throws(SystemError) { file = try FileDescriptor(scratchIn: directory) } catch {
            throw error.failure("make a scratch file in '\(directory)'")
        }
        self.directory = directory
        buffer.reserveCapacity(Self.bufferSize)
    }

    /// Takes a tile; its bytes only where no tile before had them.
    ///
    /// - Throws: where it has none, or 4 GiB, which no archive can hold; where the disk is full.
    mutating func append(_ tile: EncodedTile) throws {
        guard let length = UInt32(exactly: tile.bytes.count), length > 0 else {
            throw Failure(
                .badInput, "cannot write tile \(tile.coordinate): it has \(tile.bytes.count) bytes")
        }
        let hash = ContentHash(of: tile.bytes)
        let number = number(of: hash)
        if number == contents.count {
            contents.append(Content(hash: hash, offset: size, length: length))
            size += UInt64(length)
            try write(tile.bytes)
        }
        let address = PackedCoordinate(tile.coordinate)
        addresses.append(Address(tile: address, content: UInt32(number)))
    }

    /// The number of a content, which is the next one where it is new.
    private mutating func number(of hash: ContentHash) -> Int {
        let contents = contents
        index.reserve { contents[Int($0)].hash }
        return index.find(hash) { contents[Int($0)].hash }.map { Int($0) } ?? contents.count
    }

    private mutating func write(_ bytes: [UInt8]) throws {
        if buffer.count + bytes.count > Self.bufferSize { try flush() }
        if bytes.count > Self.bufferSize {
            try write { () throws(SystemError) in try file.write(bytes) }
        } else {
            buffer += bytes
        }
    }

    /// Ends the writing of tiles, and hands them over in no order; the contents stay.
    mutating func takeAddresses() throws -> [Address] {
        try flush()
        index = ContentIndex()
        let taken = addresses
        addresses = []
        return taken
    }

    /// Lets go of what is known of the contents.
    mutating func removeContents() { contents = [] }

    /// Lends contents, one behind the other, in pieces of up to 4 MiB.
    ///
    /// - Parameter order: their numbers.
    /// - Throws: `.inputOutput` where reading fails, and whatever `body` throws.
    func forEachPiece(
        of order: [UInt32], _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 << 20, alignment: 4096)
        defer { piece.deallocate() }
        var filled = 0
        try forEachRange(of: order) { range in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let count = min(range.upperBound - offset, piece.count - filled)
                let end = filled + count
                try read(UnsafeMutableRawBufferPointer(rebasing: piece[filled..<end]), at: offset)
                offset += count
                filled = end % piece.count
                if filled == 0 { try body(UnsafeRawBufferPointer(piece)) }
            }
        }
        if filled > 0 { try body(UnsafeRawBufferPointer(rebasing: piece[..<filled])) }
    }

    /// Where contents lie in the scratch file; those that follow each other there are one range.
    private func forEachRange(of order: [UInt32], _ body: (Range<Int>) throws -> Void) throws {
        var range = 0..<0
        for number in order {
            let content = contents[Int(number)]
            let (start, end) = (Int(content.offset), Int(content.offset) + Int(content.length))
            if start != range.upperBound {
                try body(range)
                range = start..<start
            }
            range = range.lowerBound..<end
        }
        try body(range)
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
        let count: Int
        do throws(SystemError) { count = try file.read(into: buffer, at: offset) } catch {
            throw error.failure("read a scratch file in '\(directory)'")
        }
        if count < buffer.count {
            throw Failure(.inputOutput, "cannot read a scratch file in '\(directory)': it was cut")
        }
    }

    private mutating func flush() throws {
        try write { () throws(SystemError) in try file.write(buffer) }
        buffer.removeAll(keepingCapacity: true)
    }

    private func write(_ body: () throws(SystemError) -> Void) throws {
        do throws(SystemError) { try body() } catch {
            throw error.failure("write to a scratch file in '\(directory)'")
        }
    }

    /// Brings the tiles into the order of zoom, column, row.
    mutating func sortAddresses() { addresses.sort { $0.tile < $1.tile } }

    /// The addresses so far, by zoom, column, row.
    var tiles: [TileCoordinate] {
        mutating get {
            sortAddresses()
            return addresses.map(\.tile.coordinate)
        }
    }

    /// What the tileset holds so far. Sorts the tiles.
    var tilesetContents: TilesetContents {
        mutating get {
            sortAddresses()
            let contents = contents
            return TilesetContents(
                ofSorted: addresses.lazy.map { address in
                    let content = contents[Int(address.content)]
                    return TileRecord(
                        address.tile.coordinate, size: Int(content.length), hash: content.hash)
                })
        }
    }
}
