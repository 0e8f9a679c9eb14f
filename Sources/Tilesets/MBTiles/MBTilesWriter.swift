import Diagnostics
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
package final class MBTilesWriter: TilesetWriter {
    /// What SQLite leaves beside a database that was not closed, and applies to whatever has its
    /// name.
    private static let journalEndings = ["-journal", "-wal", "-shm"]

    private let options: ArchiveOptions
    private let file: ArchiveFile
    private let earlier: EarlierArchive<MBTilesReader>?
    private let tables: MBTilesTables
    // One owner writes; the lock costs nothing, and says so to the compiler.
    private let ledger = Mutex(TileLedger())

    /// Makes the file, under a temporary name.
    ///
    /// - Throws: `.outputRefused` where OUTPUT is not ours or cannot be made, `.busy` where another
    ///   run writes it. Nothing is left then that was not there before.
    package init(_ options: ArchiveOptions) throws {
        self.options = options
        // Beside no database they are of no use.
        if !options.force, access(options.path, F_OK) == 0 {
            try MBTilesReader.checkFinished(options.path, to: "write", as: .outputRefused)
        }
        file = try ArchiveFile(options.path, force: options.force, isOurs: MBTilesReader.isOurs)
        earlier = EarlierArchive(options) { try MBTilesReader($0) }
        do throws(SQLiteError) { tables = try MBTilesTables(path: file.temporaryPath) } catch {
            try? file.discard()
            throw error.failure("write '\(options.path)'", otherwise: .inputOutput)
        }
    }

    package var staged: Set<TileCoordinate> { [] }

    package var isComplete: Bool { earlier?.complete != nil }

    /// Stores a tile's bytes unless they are there already.
    package func write(_ tile: EncodedTile) throws {
        guard let number = ledger.withLock({ $0.add(tile) }) else { return }
        try writing { () throws(SQLiteError) in try tables.insert(tile.bytes, as: number) }
    }

    package var contents: TilesetContents {
        if let earlier, isComplete { return earlier.contents }
        return ledger.withLock { $0.tilesetContents }
    }

    package var tiles: [TileCoordinate] {
        earlier?.complete?.map(\.coordinate) ?? ledger.withLock { $0.tiles }
    }

    /// Writes the addresses and the metadata, and gives the whole file its name, unless the one that is
    /// there is the same; the last call to a tileset. Where only the job is another, the time of the
    /// file stays.
    ///
    /// - Throws: `.badInput` where two tiles have one address, `.inputOutput` where the disk is full,
    ///   `DamagedArchive`. Nothing is left then.
    package func finish(
        _ documents: TilesetDocuments, announcing announce: (TilesetSummary) throws -> Void
    ) throws -> TilesetSummary {
        do {
            let changes = try changes()
            let isNews = !changes.isEmpty || earlier?.isWhole(saying: documents) != true
            if !isNews, let earlier, earlier.isMade(by: options.job) {
                let summary = changes.summary(bytes: earlier.reader.size)
                try announce(summary)
                try file.discard()
                return summary
            }
            if isComplete { try copyTiles() }
            let summary = changes.summary(bytes: try write(documents))
            try announce(summary)
            try file.commit(
                fsync: options.fsync, isNews: isNews, removing: Self.journalEndings)
            return summary
        } catch {
            try? file.discard()
            throw error
        }
    }

    private func changes() throws -> ArchiveChanges {
        let ledger = ledger.withLock { ledger in
            ledger.sort()
            return ledger
        }
        return try earlier?.changes(to: ledger) ?? ArchiveComparison(with: ledger).changes
    }

    /// Takes all tiles of the earlier archive, in the order in which they came there.
    private func copyTiles() throws {
        guard let earlier else { return }
        try DamagedArchive.reading {
            try earlier.reader.forEachContent { number, bytes in
                try Task.checkCancellation()
                let entered = ledger.withLock { $0.add(content: bytes) }
                guard entered == (UInt32(exactly: number), true) else { throw DamagedArchive() }
                try writing { () throws(SQLiteError) in try tables.insert(bytes, as: number) }
            }
            try earlier.reader.forEachAddress { tile, number in
                try ledger.withLock { ledger in
                    guard ledger.contents.indices.contains(number) else { throw DamagedArchive() }
                    ledger.add(tile, content: UInt32(number))
                }
            }
        }
        if ledger.withLock({ $0.tilesetContents }) != earlier.contents { throw DamagedArchive() }
    }

    /// Writes the addresses and the metadata.
    ///
    /// - Returns: the bytes of the file.
    private func write(_ documents: TilesetDocuments) throws -> Int {
        let addresses = ledger.withLock { ledger in
            ledger.sort()
            return ledger.addresses
        }
        try insert(addresses)
        return try writing { () throws(SQLiteError) in
            try tables.finish(documents.rows(job: options.job?.hex))
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
                    .badInput, "cannot write '\(options.path)': there are two tiles \(tile)")
            }
        }
    }

    private func writing<Result>(_ body: () throws(SQLiteError) -> Result) throws -> Result {
        do throws(SQLiteError) { return try body() } catch {
            throw error.failure("write '\(options.path)'", otherwise: .inputOutput)
        }
    }

    /// Stops. What was written is of no use to another run, and is removed.
    package func suspend() throws { try file.discard() }

    package func discard() throws { try file.discard() }
}

extension [TileLedger.Address] {
    /// Sorted tiles, one column of one zoom after the other, each from the north to the south.
    fileprivate var columns: some Sequence<ArraySlice<TileLedger.Address>> {
        sequence(state: self[...]) { rest -> ArraySlice<TileLedger.Address>? in
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
