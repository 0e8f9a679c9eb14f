import Platform
import Synchronization
package import Tiling

/// Writes a tileset as an archive of PMTiles, version 3.
///
/// Tiles may come in any order. Their bytes, each content once, are written to a scratch file, and `finish`
/// copies them in the order of the archive: so the same tiles yield the same bytes in any order. While the
/// archive is finished, the disk needs space for the scratch file, the new archive, and the archive that it
/// replaces.
///
/// Takes about 60 bytes of memory for each unique tile, and for a moment half as much again when its tables
/// grow. Another run cannot continue an unfinished run.
package final class PMTilesWriter {
    static let companionEndings: [String] = []

    let transaction: ArchiveTransaction<PMTilesReader>
    // There is only one owner. The lock costs nothing, and proves this to the compiler.
    private let spool: Mutex<TileSpool>

    /// Locks OUTPUT.
    ///
    /// - Parameter scratchDirectory: the directory of the scratch file.
    /// - Throws: `.outputRefused` if OUTPUT is not ours or cannot be made, `.busy` if another run writes it.
    ///   Nothing new is left then.
    package init(_ options: TilesetOptions, scratchDirectory: String) throws {
        transaction = try ArchiveTransaction(options)
        do { spool = Mutex(try TileSpool(in: scratchDirectory)) } catch {
            transaction.file.discard()
            throw error
        }
    }
}

extension PMTilesWriter: ArchiveWriter {
    func withLedger<Result: Sendable>(_ body: (inout TileLedger) throws -> Result) rethrows -> Result {
        try spool.withLock { try body(&$0.ledger) }
    }

    package func write(_ tile: EncodedTile) throws {
        try spool.withLock { try $0.append(tile) }
    }

    func copyTiles(from reader: PMTilesReader) throws {
        try reader.forEachTile { tile in
            try Task.checkCancellation()
            try write(tile)
        }
    }

    /// Writes the whole file, and frees the ledger.
    ///
    /// - Throws: `.badInput` if there are no tiles, or two tiles have the same address; `.usage` if tiles
    ///   have different file types; `.inputOutput` if the disk is full.
    func writeRest(_ documents: TilesetDocuments) throws -> Int {
        try spool.withLock { try write(documents, and: &$0) }
    }

    private func write(_ documents: TilesetDocuments, and spool: inout TileSpool) throws -> Int {
        try spool.flush()
        let layout = try PMTilesLayout(
            spool.ledger.takeAddresses(), of: spool.ledger.contents, path: path)
        let size = spool.ledger.size
        let front = try PMTilesPreamble(
            layout, documents, origin: transaction.options.origin, dataSize: size, path: path)
        let output = try transaction.file.temporary()
        try trying("write '\(path)'", output.file.write(front.bytes))
        try spool.forEachPiece(of: layout.order) { piece in
            try Task.checkCancellation()
            try trying("write '\(path)'", output.file.write(piece))
        }
        spool.ledger.removeContents()
        return front.bytes.count + Int(size)
    }

    private var path: String { transaction.options.path }
}

/// The contents of an archive that is being written, in a scratch file without a name: each content once, in
/// the order in which they were added.
///
/// It takes the memory of its `TileLedger`.
struct TileSpool: ~Copyable, Sendable {
    /// The tiles and their contents.
    var ledger = TileLedger()

    private let file: FileDescriptor
    private let directory: String
    /// Bytes that are not in the file yet.
    private var buffer: [UInt8] = []
    private static let bufferSize = 1 << 20

    /// Makes the scratch file.
    ///
    /// - Throws: if the directory cannot be written to.
    init(in directory: String) throws {
        file = try trying("make a scratch file in '\(directory)'", FileDescriptor(scratchFileIn: directory))
        self.directory = directory
        buffer.reserveCapacity(Self.bufferSize)
    }

    /// Adds a tile, and writes its bytes if they are new.
    ///
    /// - Throws: if the tile is empty or has 4 GiB or more, which archives cannot store; if the disk is full.
    mutating func append(_ tile: EncodedTile) throws {
        guard 1...Int(UInt32.max) ~= tile.bytes.count else {
            throw Failure(
                .badInput, "cannot write tile \(tile.coordinate): it has \(tile.bytes.count) bytes")
        }
        if ledger.add(tile) != nil { try write(tile.bytes) }
    }

    private mutating func write(_ bytes: [UInt8]) throws {
        if buffer.count + bytes.count > Self.bufferSize { try flush() }
        if bytes.count > Self.bufferSize {
            try trying("write to a scratch file in '\(directory)'", file.write(bytes))
        } else {
            buffer += bytes
        }
    }

    /// Calls `body` with the concatenated contents, in pieces of up to 4 MiB.
    ///
    /// - Parameter order: the numbers of the contents.
    /// - Throws: `.inputOutput` if reading fails, and the errors of `body`.
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

    /// Calls `body` with the ranges of contents in the scratch file; adjacent contents form a single range.
    private func forEachRange(of order: [UInt32], _ body: (Range<Int>) throws -> Void) throws {
        var range = 0..<0
        for number in order {
            let content = ledger.contents[Int(number)]
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
        let count = try trying("read a scratch file in '\(directory)'", file.read(into: buffer, at: offset))
        if count < buffer.count {
            throw Failure(.inputOutput, "cannot read a scratch file in '\(directory)': it was truncated")
        }
    }

    /// Writes the buffer to the file.
    mutating func flush() throws {
        try trying("write to a scratch file in '\(directory)'", file.write(buffer))
        buffer.removeAll(keepingCapacity: true)
    }
}
