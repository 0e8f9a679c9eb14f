import Platform
import Synchronization
package import Tiling

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A tileset that becomes an archive of PMTiles, version 3.
///
/// Tiles come in any order. Their bytes, each content once, wait in a scratch file, and are copied by
/// `finish` in the order in which the archive has them: the same tiles give the same bytes, whatever
/// the order. So while it is finished there is as much on the disk as the archive has, once more.
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
        try writing { () throws(SystemError) in try output.file.write(front.bytes) }
        try spool.forEachPiece(of: layout.order) { piece in
            try Task.checkCancellation()
            try writing { () throws(SystemError) in try output.file.write(piece) }
        }
        spool.ledger.removeContents()
        return front.bytes.count + Int(size)
    }

    private func writing<Result: ~Copyable>(
        _ body: () throws(SystemError) -> Result
    ) throws -> Result {
        do throws(SystemError) { return try body() } catch {
            throw error.failure("write '\(path)'")
        }
    }

    private var path: String { transaction.options.path }
}
