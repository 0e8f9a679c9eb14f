import Platform
import Tiling

/// What an archive is made with: a whole tileset in one file.
package struct ArchiveOptions: Sendable {
    /// OUTPUT: a file that is ours, or not there yet.
    package var path: String
    /// Take the place of a file that is not ours.
    package var force: Bool
    /// The job and images of the tiles: a later run of the same job recognises them, and one of other images
    /// does not replace them.
    package var origin: TilesetOrigin
    /// Take the place of an archive that was made of other images.
    package var replacesOthers = false
    /// Take the tiles of the archive that is there, if that is whole and names the same job.
    package var reusesTiles: Bool
    /// Have everything on the disk before `finish` returns.
    package var fsync: Bool
    /// What reading the archive that is there may cost.
    package var budget = ReadingBudget()

    /// Makes options.
    package init(
        path: String, force: Bool = false, origin: TilesetOrigin = TilesetOrigin(),
        reusesTiles: Bool = true, fsync: Bool = false
    ) {
        (self.path, self.force, self.origin) = (path, force, origin)
        (self.reusesTiles, self.fsync) = (reusesTiles, fsync)
    }
}

/// The making of one archive, of whatever format: it begins with the lock on the archive's name, and
/// ends with a whole file under that name or with what was there before.
struct ArchiveTransaction<Reader: ArchiveReader>: Sendable {
    /// What the archive is made with.
    let options: ArchiveOptions
    /// The file that is written.
    let file: ArchiveFile
    /// The archive that it replaces, if that is ours and can be read.
    let earlier: EarlierArchive<Reader>?

    /// Locks the name, makes the empty file, and looks at the archive that is there.
    ///
    /// - Parameters:
    ///   - isOurs: whether the file of a path was made by this program.
    ///   - open: opens the archive that is there.
    /// - Throws: `.outputRefused` if OUTPUT is not ours, was made of other images or cannot be made, `.busy`
    ///   if another run writes it. Nothing is left then that was not there before.
    init(
        _ options: ArchiveOptions, isOurs: (String) -> Bool, opening open: (String) throws -> Reader
    ) throws {
        self.options = options
        file = try ArchiveFile(options.path, force: options.force, isOurs: isOurs)
        earlier = EarlierArchive(options, open: open)
        do {
            try checkSize()
            try checkImages()
        } catch {
            file.discard()
            throw error
        }
    }

    /// Refuses to replace an archive that is too large to be compared: what became of its tiles would be unknown.
    private func checkSize() throws(Failure) {
        guard !options.force, let claimed = earlier?.contents?.tileCount, claimed > options.budget.tiles
        else { return }
        throw ReadingExcess.tiles(found: claimed, most: options.budget.tiles).failure(reading: options.path)
    }

    private func checkImages() throws(Failure) {
        guard !options.force, !options.replacesOthers, let earlier else { return }
        try earlier.origin.images.checkReplacement(
            by: options.origin.images, of: "'\(options.path)'", wayOut: "give each floor its own OUTPUT")
    }

    /// The earlier archive if it holds all tiles of the job.
    var complete: EarlierArchive<Reader>? { earlier?.complete == nil ? nil : earlier }
}

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

    /// Writes what is missing, and gives the archive its name, unless the one that is there is the same. If
    /// only the origin differs, the new file gets the time of the old one.
    ///
    /// - Throws: whatever the parts throw. Nothing is left then that was not there before; a file that
    ///   another run has begun meanwhile is left alone.
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
            if !isNews, let earlier, earlier.origin == transaction.options.origin {
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
        if withLedger({ $0.tilesetContents }) != earlier.contents { throw DamagedArchive() }
    }

    /// Stops. What was written is of no use to another run, and is removed.
    package consuming func suspend() throws { transaction.file.discard() }

    package consuming func discard() throws { transaction.file.discard() }
}
