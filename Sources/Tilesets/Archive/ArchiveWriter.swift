import Platform
import Tiling

/// A writer of archives: what the formats have in common. A format says how a tile, the tiles of an
/// earlier archive, and all the rest are written.
protocol ArchiveWriter: AnyObject, TilesetWriter {
    associatedtype Reader: ArchiveReader

    /// What is being made, and what it replaces.
    var transaction: ArchiveTransaction<Reader> { get }

    /// How the names of files end that belong to an archive and stand beside it.
    static var companionEndings: [String] { get }

    /// Lends what is known of the tiles so far.
    func withLedger<Result: Sendable>(_ body: (inout TileLedger) throws -> Result) rethrows -> Result

    /// Takes all tiles of an earlier archive.
    ///
    /// - Throws: `.badInput` or `DamagedArchive` if it is damaged.
    func copyTiles(from reader: Reader) throws

    /// Writes the rest of the file when all tiles are known.
    ///
    /// - Returns: the bytes of the file.
    func writeRest(_ documents: TilesetDocuments) throws -> Int
}

extension ArchiveWriter {
    /// None: the tiles of a run that ended early are of no use to another.
    package var staged: Set<TileCoordinate> { [] }

    package var isComplete: Bool { transaction.complete != nil }

    package var contents: TilesetContents {
        transaction.complete?.contents ?? withLedger { $0.tilesetContents }
    }

    package var tiles: [TileCoordinate] {
        transaction.complete?.complete?.map(\.coordinate) ?? withLedger { $0.tiles }
    }

    /// Writes what is missing, and gives the archive its name; see `ArchiveTransaction.finish`.
    package consuming func finish(
        _ documents: TilesetDocuments, announcing announce: (TilesetSummary) throws -> Void
    ) throws -> TilesetSummary {
        try transaction.finish(
            documents,
            comparing: {
                try withLedger { ledger in
                    ledger.sort()
                    return try transaction.changes(to: ledger)
                }
            },
            writing: {
                if let complete = transaction.complete { try copyAll(of: complete) }
                return try writeRest(documents)
            },
            removing: Self.companionEndings, announcing: announce)
    }

    private func copyAll(of earlier: EarlierArchive<Reader>) throws {
        do { try copyTiles(from: earlier.reader) } catch let failure as Failure
            where failure.kind == .badInput
        { throw DamagedArchive() }
        if withLedger({ $0.tilesetContents }) != earlier.contents { throw DamagedArchive() }
    }

    /// Stops. What was written is of no use to another run, and is removed.
    package consuming func suspend() throws { transaction.file.discard() }

    package consuming func discard() throws { transaction.file.discard() }
}
