import Platform
import Synchronization
package import Tiling

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A tileset that becomes one SQLite database, MBTiles 1.3.
///
/// Identical tiles are stored once. The bytes of tiles are written as they come, and the addresses in
/// the order of their key when all tiles are known: the file only grows at its end, nothing is sorted
/// on the disk and no index made afterwards. So its rate does not fall with its size, and the disk
/// needs room for the result alone, and for the file that it replaces.
///
/// The same tiles in the same order give the same bytes, with one version of SQLite: it leaves its
/// version in the header, and lays out pages as it likes.
///
/// Holds some 85 bytes in memory for a tile that is like no other, and 2 MiB of pages. A run that ends
/// early leaves nothing from which another could go on.
package final class MBTilesWriter {
    /// What SQLite leaves beside a database that was not closed, and applies to whatever has its
    /// name.
    package static let companionEndings = ["-journal", "-wal", "-shm"]

    let transaction: ArchiveTransaction<MBTilesReader>
    private let tables: MBTilesTables
    // One owner writes; the lock costs nothing, and says so to the compiler.
    private let ledger = Mutex(TileLedger())

    /// Makes the file, under a temporary name.
    ///
    /// - Throws: `.outputRefused` if OUTPUT is not ours or cannot be made, `.busy` if another
    ///   run writes it. Nothing is left then that was not there before.
    package init(_ options: ArchiveOptions) throws {
        // Beside no database they are of no use.
        if !options.force, access(options.path, F_OK) == 0 {
            try MBTilesReader.checkFinished(options.path, to: "write", as: .outputRefused)
        }
        transaction = try ArchiveTransaction(options, isOurs: MBTilesReader.isOurs) {
            try MBTilesReader($0, budget: options.budget)
        }
        do { tables = try MBTilesTables(in: transaction.file.temporary()) } catch {
            transaction.file.discard()
            throw (error as? SQLiteError)?.failure("write '\(options.path)'", otherwise: .inputOutput)
                ?? error
        }
    }
}

extension MBTilesWriter: ArchiveWriter {
    func withLedger<Result: Sendable>(_ body: (inout TileLedger) throws -> Result) rethrows -> Result {
        try ledger.withLock { try body(&$0) }
    }

    /// Stores a tile's bytes unless they are there already.
    package func write(_ tile: EncodedTile) throws {
        guard let number = ledger.withLock({ $0.add(tile) }) else { return }
        try writing { () throws(SQLiteError) in try tables.insert(tile.bytes, as: number) }
    }

    /// Takes the tiles in the order in which they came into the earlier archive.
    func copyTiles(from reader: MBTilesReader) throws {
        try reader.forEachContent { number, bytes in
            try Task.checkCancellation()
            let entered = ledger.withLock { $0.add(content: bytes) }
            guard entered == (UInt32(exactly: number), true) else { throw DamagedArchive() }
            try writing { () throws(SQLiteError) in try tables.insert(bytes, as: number) }
        }
        try reader.forEachAddress { tile, number in
            try ledger.withLock { ledger in
                guard ledger.contents.indices.contains(number) else { throw DamagedArchive() }
                ledger.add(tile, content: UInt32(number))
            }
        }
    }

    /// Writes the addresses and the metadata.
    ///
    /// - Throws: `.badInput` if two tiles have one address, `.inputOutput` if the disk is full.
    func writeRest(_ documents: TilesetDocuments) throws -> Int {
        let addresses = ledger.withLock { ledger in
            ledger.sort()
            return ledger.addresses
        }
        try insert(addresses)
        return try writing { () throws(SQLiteError) in
            try tables.finish(documents.rows(origin: transaction.options.origin))
        }
    }

    private func insert(_ addresses: [TileLedger.Address]) throws {
        // South to north is the order of the key.
        for address in addresses.columns.lazy.flatMap({ $0.reversed() }) {
            let tile = address.tile.coordinate
            let isNew = try writing { () throws(SQLiteError) in
                try tables.insert(tile, number: Int(address.content))
            }
            if !isNew {
                throw Failure(
                    .badInput, "cannot write '\(path)': there are two tiles \(tile)")
            }
        }
    }

    private func writing<Result>(_ body: () throws(SQLiteError) -> Result) throws -> Result {
        do throws(SQLiteError) { return try body() } catch {
            throw error.failure("write '\(path)'", otherwise: .inputOutput)
        }
    }

    private var path: String { transaction.options.path }
}

extension [TileLedger.Address] {
    /// Sorted tiles, one column of one zoom after the other, each from the north to the south.
    fileprivate var columns: some Sequence<ArraySlice<TileLedger.Address>> {
        sequence(state: ArraySlice(self)) { rest -> ArraySlice<TileLedger.Address>? in
            guard let first = rest.first?.tile.coordinate else { return nil }
            let column = rest.prefix {
                let tile = $0.tile.coordinate
                return tile.zoom == first.zoom && tile.column == first.column
            }
            rest = rest.dropFirst(column.count)
            return column
        }
    }
}
