import Platform
import Synchronization
package import Tiling

/// A tileset that becomes an archive of PMTiles, version 3.
///
/// Tiles come in any order. Their bytes, each content once, wait in a scratch file, and are copied by
/// `finish` in the order of the archive: the same tiles give the same bytes in any order. So while it is
/// finished, the disk needs room for twice the archive.
///
/// Holds about 60 bytes for a tile in memory, and half as much again for a moment when its tables
/// grow. A run that ends early leaves nothing from which another could go on.
package final class PMTilesWriter {
    static let companionEndings: [String] = []

    let transaction: ArchiveTransaction<PMTilesReader>
    // One owner writes; the lock costs nothing, and says so to the compiler.
    private let spool: Mutex<TileSpool>

    /// Locks OUTPUT.
    ///
    /// - Parameter scratchDirectory: where the tiles wait.
    /// - Throws: `.outputRefused` if a file is there that is not ours, or if none can be made,
    ///   `.busy` if another run writes it. Nothing is left then that was not there before.
    package init(_ options: ArchiveOptions, scratchDirectory: String) throws {
        transaction = try ArchiveTransaction(options, isOurs: PMTilesReader.isOurs) {
            try PMTilesReader($0, budget: options.budget)
        }
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

    /// Writes the whole file, and lets go of what is known of the tiles.
    ///
    /// - Throws: `.badInput` if there is no tile, or two of one address; `.usage` for tiles of two file
    ///   types; `.inputOutput` if the disk is full.
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

/// The tiles of an archive that is being written: each content once, in the order in which they came,
/// in a scratch file without a name.
///
/// Holds in memory what `TileLedger` does.
struct TileSpool: ~Copyable, Sendable {
    /// Which tiles there are, and which content each has.
    var ledger = TileLedger()

    private let file: FileDescriptor
    private let directory: String
    /// What is not in the file yet.
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

    /// Takes a tile; its bytes only if no tile before had them.
    ///
    /// - Throws: if it has none, or 4 GiB, which no archive can hold; if the disk is full.
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

    /// Lends contents, one behind the other, in pieces of up to 4 MiB.
    ///
    /// - Parameter order: their numbers.
    /// - Throws: `.inputOutput` if reading fails, and whatever `body` throws.
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
            throw Failure(.inputOutput, "cannot read a scratch file in '\(directory)': it was cut")
        }
    }

    /// Has all contents in the file.
    mutating func flush() throws {
        try trying("write to a scratch file in '\(directory)'", file.write(buffer))
        buffer.removeAll(keepingCapacity: true)
    }
}
