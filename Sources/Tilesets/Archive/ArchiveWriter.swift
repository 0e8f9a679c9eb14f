import Platform
import Tiling

/// The making of one archive, of any format: it begins by locking the archive's name, and ends with a
/// complete file under that name, or with the old file unchanged.
struct ArchiveTransaction<Reader: ArchiveReader>: Sendable {
    /// The options of the archive.
    let options: TilesetOptions
    /// The file that is written.
    let file: ArchiveFile
    /// The archive that it replaces, if it is ours and can be read.
    let earlier: EarlierArchive<Reader>?

    /// Locks the archive's name, and reads the existing archive.
    ///
    /// - Throws: `.outputRefused` if OUTPUT is not ours, was made from other images or cannot be made,
    ///   `.busy` if another run writes it. Nothing new is left then.
    init(_ options: TilesetOptions) throws {
        self.options = options
        file = try ArchiveFile(options.path, force: options.force, isOurs: Reader.isOurs)
        do {
            earlier = try EarlierArchive(options)
            try checkSize()
            try options.checkReplacement(
                of: earlier?.claims.origin.images ?? [], place: "'\(options.path)'",
                wayOut: "give each floor its own OUTPUT")
        } catch {
            file.discard()
            throw error
        }
    }

    /// Refuses to replace an archive that is too large to compare: it would be unknown which of its tiles
    /// changed.
    private func checkSize() throws(Failure) {
        guard !options.force, let claimed = earlier?.claims.contents?.tileCount,
            claimed > options.budget.tiles
        else { return }
        throw ReadingExcess.tiles(found: claimed, most: options.budget.tiles).failure(reading: options.path)
    }

    /// The earlier archive, if it contains all tiles of the job.
    var complete: EarlierArchive<Reader>? { earlier?.complete == nil ? nil : earlier }
}

/// A writer of archives. Each format implements how to write a tile, the tiles of an earlier archive, and the
/// rest of the file.
protocol ArchiveWriter: AnyObject, TilesetWriter {
    associatedtype Reader: ArchiveReader

    /// The archive that is being made, and the one that it replaces.
    var transaction: ArchiveTransaction<Reader> { get }

    /// The name endings of files that belong to an archive and are next to it.
    static var companionEndings: [String] { get }

    /// Calls `body` with the ledger of the tiles so far.
    func withLedger<Result: Sendable>(_ body: (inout TileLedger) throws -> Result) rethrows -> Result

    /// Copies all tiles of an earlier archive.
    ///
    /// - Throws: `.badInput` or `DamagedArchive` if that archive is damaged.
    func copyTiles(from reader: Reader) throws

    /// Writes the rest of the file after the last tile.
    ///
    /// - Returns: the size of the file in bytes.
    func writeRest(_ documents: TilesetDocuments) throws -> Int
}

extension ArchiveWriter {
    /// Empty: an archive cannot continue from the tiles of an unfinished run.
    package var staged: Set<TileCoordinate> { [] }

    package var isComplete: Bool { transaction.complete != nil }

    package var contents: TilesetContents {
        transaction.complete?.claims.contents ?? withLedger { $0.tilesetContents }
    }

    package var tiles: [TileCoordinate] {
        transaction.complete?.complete?.map(\.coordinate) ?? withLedger { $0.tiles }
    }

    /// Completes the archive and renames it, unless the existing archive is the same. If only the origin
    /// differs, the new file gets the time of the old one.
    ///
    /// - Throws: the errors of writing and of `announce`. Nothing new is left then; a file that another run
    ///   has begun meanwhile is not touched.
    package consuming func finish(
        _ documents: TilesetDocuments, announcing announce: (TilesetSummary) throws -> Void
    ) throws -> TilesetSummary {
        let (file, earlier) = (transaction.file, transaction.earlier)
        do {
            let changes = try withLedger { ledger in
                ledger.sort()
                return try earlier?.changes(to: ledger) ?? ArchiveComparison(with: ledger).changes
            }
            let isNews = !changes.isEmpty || earlier?.isWhole(saying: documents) != true
            if !isNews, let earlier, earlier.claims.origin == transaction.options.origin {
                let summary = changes.summary(bytes: earlier.reader.size)
                try announce(summary)
                file.discard()
                return summary
            }
            if let complete = transaction.complete { try copyAll(of: complete) }
            let summary = changes.summary(bytes: try writeRest(documents))
            try announce(summary)
            let endings = Self.companionEndings
            try file.commit(fsync: transaction.options.fsync, isNews: isNews, removing: endings)
            return summary
        } catch {
            file.discard()
            throw error
        }
    }

    private func copyAll(of earlier: EarlierArchive<Reader>) throws {
        do { try copyTiles(from: earlier.reader) } catch let failure as Failure
            where failure.kind == .badInput
        { throw DamagedArchive() }
        if withLedger({ $0.tilesetContents }) != earlier.claims.contents { throw DamagedArchive() }
    }

    /// Stops, and removes what was written, since another run could not use it.
    package consuming func suspend() throws { transaction.file.discard() }

    package consuming func discard() throws { transaction.file.discard() }
}
