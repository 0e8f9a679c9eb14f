import Diagnostics
import Files
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
/// Holds about 60 bytes for a tile in memory, and half as much again for a moment where its tables
/// grow. A run that ends early leaves nothing from which another could go on.
package final class PMTilesWriter: TilesetWriter {
    private let options: ArchiveOptions
    private let file: ArchiveFile
    private let earlier: EarlierArchive<PMTilesReader>?
    // One owner writes; the lock costs nothing, and says so to the compiler.
    private let spool: Mutex<TileSpool>

    /// Locks OUTPUT.
    ///
    /// - Parameter scratchDirectory: where the tiles wait.
    /// - Throws: `.outputRefused` where a file is there that is not ours, or where none can be made,
    ///   `.busy` where another run writes it. Nothing is left then that was not there before.
    package init(_ options: ArchiveOptions, scratchDirectory: String) throws {
        self.options = options
        file = try ArchiveFile(
            options.path, force: options.force, isOurs: PMTilesReader.isOurs(_:))
        earlier = EarlierArchive(options) { try PMTilesReader($0) }
        do { spool = Mutex(try TileSpool(in: scratchDirectory)) } catch {
            try? file.discard()
            throw error
        }
    }

    package var staged: Set<TileCoordinate> { [] }

    package var isComplete: Bool { earlier?.complete != nil }

    package func write(_ tile: EncodedTile) throws {
        try spool.withLock { try $0.append(tile) }
    }

    package var contents: TilesetContents {
        if let earlier, isComplete { return earlier.contents }
        return spool.withLock { $0.ledger.tilesetContents }
    }

    package var tiles: [TileCoordinate] {
        earlier?.complete?.map(\.coordinate) ?? spool.withLock { $0.ledger.tiles }
    }

    /// Writes the archive, and gives it its name, unless the one that is there is the same; the last
    /// call to a tileset. Where only the job is another, the time of the file stays.
    ///
    /// - Throws: `.badInput` where there is no tile, or two of one address; `.usage` for tiles of two
    ///   file types; `.inputOutput` where the disk is full; `DamagedArchive`. Nothing is left then.
    package func finish(
        _ documents: TilesetDocuments, announcing announce: (TilesetSummary) throws -> Void
    ) throws -> TilesetSummary {
        let (summary, isNews): (TilesetSummary, Bool)
        do {
            let changes = try changes()
            isNews = !changes.isEmpty || earlier?.isWhole(saying: documents) != true
            if !isNews, let earlier, earlier.isMade(by: options.job) {
                let summary = changes.summary(bytes: earlier.reader.size)
                try announce(summary)
                try file.discard()
                return summary
            }
            if isComplete { try copyTiles() }
            let size = try spool.withLock { try write(documents, and: &$0) }
            summary = changes.summary(bytes: size)
            try announce(summary)
        } catch {
            try? file.discard()
            throw error
        }
        try file.commit(fsync: options.fsync, isNews: isNews)
        return summary
    }

    private func changes() throws -> ArchiveChanges {
        let ledger = spool.withLock { spool in
            spool.ledger.sort()
            return spool.ledger
        }
        return try earlier?.changes(to: ledger) ?? ArchiveComparison(with: ledger).changes
    }

    /// Takes all tiles of the earlier archive.
    private func copyTiles() throws {
        guard let earlier else { return }
        try DamagedArchive.reading {
            try earlier.reader.forEachTile { tile in
                try Task.checkCancellation()
                try write(tile)
            }
        }
        if spool.withLock({ $0.ledger.tilesetContents }) != earlier.contents {
            throw DamagedArchive()
        }
    }

    /// Writes the whole file, and lets go of the contents.
    ///
    /// - Returns: the bytes of the file.
    private func write(_ documents: TilesetDocuments, and spool: inout TileSpool) throws -> Int {
        try spool.flush()
        let layout = try PMTilesLayout(
            spool.ledger.takeAddresses(), of: spool.ledger.contents, path: options.path)
        let size = spool.ledger.size
        let front = try PMTilesFront(
            layout, documents, job: options.job, dataSize: size, path: options.path)
        let output = try file.open()
        try writing { () throws(SystemError) in try output.write(front.bytes) }
        try spool.forEachPiece(of: layout.order) { piece in
            try Task.checkCancellation()
            try writing { () throws(SystemError) in try output.write(piece) }
        }
        spool.ledger.removeContents()
        return front.bytes.count + Int(size)
    }

    private func writing<Result: ~Copyable>(
        _ body: () throws(SystemError) -> Result
    ) throws -> Result {
        do throws(SystemError) { return try body() } catch {
            throw error.failure("write '\(options.path)'")
        }
    }

    package func suspend() throws { try file.discard() }

    package func discard() throws { try file.discard() }
}
