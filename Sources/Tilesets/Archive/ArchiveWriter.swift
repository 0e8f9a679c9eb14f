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

    /// The place for the tiles of a new archive. Reads the earlier one, unless it contains all of them.
    ///
    /// - Throws: if the scratch file cannot be made. Nothing new is left then.
    func spool(in directory: String) throws -> TileSpool {
        do {
            let tiles = complete == nil ? try earlier?.ledger() : nil
            return try TileSpool(in: directory, after: tiles ?? TileLedger())
        } catch {
            file.discard()
            throw error
        }
    }
}

/// An archive that is written, but does not have its place yet.
struct PreparedArchive {
    /// The size of the file in bytes.
    var bytes: Int
    /// Ends the transaction that changes the existing file, unless others read it for too long; nil if a new
    /// file takes its place.
    var commitUpdate: (() throws -> Bool)?
}

/// A writer of archives. Each format implements how the file is written.
protocol ArchiveWriter: AnyObject, TilesetWriter {
    associatedtype Reader: ArchiveReader

    /// The archive that is being made, and the one that it replaces.
    var transaction: ArchiveTransaction<Reader> { get }

    /// The name endings of files that belong to an archive and are next to it.
    static var companionEndings: [String] { get }

    /// Calls `body` with the tiles so far.
    func withSpool<Result: Sendable>(_ body: (inout TileSpool) throws -> Result) rethrows -> Result

    /// Writes the file, or changes the existing one in a transaction that has not ended, after the last tile.
    /// The tiles are sorted, and each is there once.
    ///
    /// - Parameter mayUpdate: whether the existing file may be changed.
    func prepare(_ documents: TilesetDocuments, mayUpdate: Bool) throws -> PreparedArchive
}

extension ArchiveWriter {
    /// Empty: an archive cannot continue from the tiles of an unfinished run.
    package var staged: Set<TileCoordinate> { [] }

    package var isComplete: Bool { transaction.complete != nil }

    package var contents: TilesetContents {
        transaction.complete?.claims.contents ?? withSpool { $0.ledger.tilesetContents }
    }

    package var tiles: [TileCoordinate] {
        transaction.complete?.complete?.map(\.coordinate) ?? withSpool { $0.ledger.tiles }
    }

    package func write(_ tile: EncodedTile) throws { try withSpool { try $0.append(tile) } }

    /// Completes the archive and gives it its place, unless the existing archive is the same. If only the
    /// origin differs, the file keeps its time.
    ///
    /// - Throws: the errors of writing and of `announce`. Nothing new is left then; a file that another run
    ///   has begun meanwhile is not touched.
    package consuming func finish(
        _ documents: TilesetDocuments, announcing announce: (TilesetSummary) throws -> Void
    ) throws -> TilesetSummary {
        let (file, earlier, options) = (transaction.file, transaction.earlier, transaction.options)
        do {
            let changes =
                try transaction.complete?.complete.map { ArchiveChanges(unchanged: $0.count) }
                ?? withSpool { spool in
                    spool.ledger.sort()
                    if let twice = spool.ledger.firstDuplicate {
                        throw Failure(
                            .badInput, "cannot write '\(options.path)': there are two tiles \(twice)")
                    }
                    return spool.ledger.changes
                }
            let isNews = !changes.isEmpty || earlier?.isWhole(saying: documents) != true
            if !isNews, let earlier, earlier.claims.origin == options.origin {
                let summary = changes.summary(bytes: earlier.reader.size)
                try announce(summary)
                file.discard()
                return summary
            }
            if let complete = transaction.complete { try keepTiles(of: complete) }
            let prepared = try prepare(documents, mayUpdate: true)
            var summary = changes.summary(bytes: prepared.bytes)
            try announce(summary)
            if let commit = prepared.commitUpdate {
                if try file.update(isNews: isNews, fsync: options.fsync, commit) { return summary }
                // Programs that have the old file open go on reading it.
                summary.bytes = try prepare(documents, mayUpdate: false).bytes
            }
            try file.commit(fsync: options.fsync, isNews: isNews, removing: Self.companionEndings)
            return summary
        } catch is DamagedArchive where transaction.complete == nil {
            file.discard()
            throw Failure(
                .inputOutput, cannot: "write '\(options.path)'", "another program changed it meanwhile",
                remedy: "run the same command again")
        } catch {
            file.discard()
            throw error
        }
    }

    private func keepTiles(of earlier: EarlierArchive<Reader>) throws {
        let tiles = try earlier.ledger()
        let contents = withSpool { spool in
            spool.ledger = tiles
            spool.ledger.keepEarlier()
            return spool.ledger.tilesetContents
        }
        if contents != earlier.claims.contents { throw DamagedArchive() }
    }

    /// Stops, and removes what was written, since another run could not use it.
    package consuming func suspend() throws { transaction.file.discard() }

    package consuming func discard() throws { transaction.file.discard() }
}
