import Platform
import Synchronization
package import Tiling

/// Writes a tileset as an archive of PMTiles, version 3.
///
/// Tiles may come in any order. The bytes of new contents are kept in a `TileSpool`, and `finish` copies them
/// and those of the earlier archive in the order of the new one: so the same tiles yield the same bytes in any
/// order. While the archive is finished, the disk needs space for the scratch file, the new archive, and the
/// archive that it replaces.
///
/// Takes about 60 bytes of memory for each unique tile, and for a moment half as much again when its tables
/// grow. Another run cannot continue an unfinished run.
package final class PMTilesWriter {
    static let companionEndings: [String] = []

    let transaction: ArchiveTransaction<PMTilesReader>
    // There is only one owner. The lock costs nothing, and proves this to the compiler.
    private let spool: Mutex<TileSpool>

    /// Locks OUTPUT, and reads the tiles of the earlier archive.
    ///
    /// - Parameter scratchDirectory: the directory of the scratch file.
    /// - Throws: `.outputRefused` if OUTPUT is not ours or cannot be made, `.busy` if another run writes it.
    ///   Nothing new is left then.
    package init(_ options: TilesetOptions, scratchDirectory: String) throws {
        transaction = try ArchiveTransaction(options)
        spool = Mutex(try transaction.spool(in: scratchDirectory))
    }
}

extension PMTilesWriter: ArchiveWriter {
    func withSpool<Result: Sendable>(_ body: (inout TileSpool) throws -> Result) rethrows -> Result {
        try spool.withLock { try body(&$0) }
    }

    /// Adds a tile.
    ///
    /// - Throws: if the tile is empty, since an entry of no bytes means that there is no tile.
    package func write(_ tile: EncodedTile) throws {
        if tile.bytes.isEmpty {
            throw Failure(.badInput, "cannot write tile \(tile.coordinate): it has 0 bytes")
        }
        try withSpool { try $0.append(tile) }
    }

    /// Writes the whole file, and frees the ledger.
    ///
    /// - Throws: `.badInput` if there are no tiles; `.usage` if tiles have different file types;
    ///   `.inputOutput` if the disk is full.
    func prepare(_ documents: TilesetDocuments, mayUpdate: Bool) throws -> PreparedArchive {
        try spool.withLock { spool in
            let layout = try PMTilesLayout(
                spool.ledger.takeAddresses(), of: spool.ledger.contents, path: path)
            let front = try PMTilesPreamble(
                layout, documents, origin: transaction.options.origin, path: path)
            let output = try transaction.file.temporary()
            try trying("write '\(path)'", output.file.write(front.bytes))
            try forEachPiece(of: layout.order, in: spool) { piece in
                try Task.checkCancellation()
                try trying("write '\(path)'", output.file.write(piece))
            }
            spool.ledger.removeContents()
            return PreparedArchive(bytes: front.bytes.count + Int(layout.dataSize))
        }
    }

    /// Calls `body` with the concatenated contents, in pieces of up to 4 MiB.
    ///
    /// - Parameter order: the numbers of the contents.
    /// - Throws: `.inputOutput` if reading fails, and the errors of `body`.
    private func forEachPiece(
        of order: [UInt32], in spool: borrowing TileSpool, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 << 20, alignment: 4096)
        defer { piece.deallocate() }
        var filled = 0
        for run in Runs(order, of: spool.ledger) {
            var offset = run.range.lowerBound
            while offset < run.range.upperBound {
                let count = min(run.range.upperBound - offset, piece.count - filled)
                let end = filled + count
                let part = UnsafeMutableRawBufferPointer(rebasing: piece[filled..<end])
                if run.isEarlier {
                    try transaction.earlier?.reader.read(into: part, at: offset)
                } else {
                    try spool.read(into: part, at: offset)
                }
                offset += count
                filled = end % piece.count
                if filled == 0 { try body(UnsafeRawBufferPointer(piece)) }
            }
        }
        if filled > 0 { try body(UnsafeRawBufferPointer(rebasing: piece[..<filled])) }
    }

    private var path: String { transaction.options.path }
}

/// Contents that follow each other in the earlier archive, or in the spool, and in the new archive.
private struct Runs: Sequence, IteratorProtocol {
    private var order: ArraySlice<UInt32>
    private let ledger: TileLedger

    init(_ order: [UInt32], of ledger: TileLedger) { (self.order, self.ledger) = (order[...], ledger) }

    /// The next run, and whether it is in the earlier archive.
    mutating func next() -> (range: Range<Int>, isEarlier: Bool)? {
        guard let first = order.first else { return nil }
        let isEarlier = ledger.isEarlier(first)
        let start = Int(ledger.contents[Int(first)].offset)
        var end = start
        while let number = order.first, ledger.isEarlier(number) == isEarlier {
            let content = ledger.contents[Int(number)]
            if Int(content.offset) != end { break }
            end += Int(content.length)
            order.removeFirst()
        }
        return (start..<end, isEarlier)
    }
}
