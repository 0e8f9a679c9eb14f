import Platform
import Tiling

/// The archive of this program that stands where a new one is being made.
struct EarlierArchive<Reader: ArchiveReader>: Sendable {
    /// What reads it.
    let reader: Reader
    /// Its tiles, by zoom, column, row, if they are known to be what the job makes.
    let complete: [PackedCoordinate]?

    private let claims: ArchiveClaims

    /// Looks at what has the name of the archive.
    ///
    /// - Parameter open: opens it.
    /// - Returns: nil if nothing is there, or what is there is not ours or cannot be read.
    init?(_ options: ArchiveOptions, open: (String) throws -> Reader) {
        guard let reader = try? open(options.path), let claims = try? reader.claims(), claims.isOurs
        else { return nil }
        self.reader = reader
        self.claims = claims
        complete = options.reusesTiles ? Self.tiles(of: options.origin.job, in: reader, claims) : nil
    }

    private static func tiles(
        of job: ContentHash?, in reader: Reader, _ claims: ArchiveClaims
    ) -> [PackedCoordinate]? {
        guard let job, claims.origin.job == job, let contents = claims.contents,
            let tiles = try? reader.intactAddresses(), tiles.count == contents.tileCount
        else { return nil }
        return tiles
    }

    /// What it says that it holds; nil if it does not say.
    var contents: TilesetContents? { claims.contents }

    /// What it says that it was made of.
    var origin: TilesetOrigin { claims.origin }

    /// Whether nothing shows that it is damaged, and it says of itself what documents say, of whatever
    /// origin.
    func isWhole(saying documents: TilesetDocuments) -> Bool {
        guard (try? reader.says(documents, origin: claims.origin)) == true else { return false }
        return complete != nil || (try? reader.intactAddresses()) != nil
    }

    /// What differs in a new archive. Reads the tiles of the earlier one, and holds one byte for each
    /// new tile, and eight for each that is gone, beside what the reader does. Where it is damaged,
    /// all tiles are new.
    ///
    /// - Parameter ledger: the new tiles, sorted.
    /// - Throws: `CancellationError` if the task was cancelled.
    func changes(to ledger: TileLedger) throws -> ArchiveChanges {
        if let complete { return ArchiveChanges(unchanged: complete.count) }
        do {
            var comparison = ArchiveComparison(with: ledger)
            try reader.forEachRecord { record in
                try Task.checkCancellation()
                comparison.count(record)
            }
            return comparison.changes
        } catch let cancellation as CancellationError {
            throw cancellation
        } catch { return ArchiveComparison(with: ledger).changes }
    }
}

/// An archive of ours does not hold the tiles that it says it holds. Nothing was changed.
package struct DamagedArchive: Error {}
