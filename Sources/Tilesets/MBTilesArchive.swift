import Diagnostics
package import Tiling

/// A tileset as one SQLite database, MBTiles 1.3.
///
/// Identical tiles are stored once. The file is written from its beginning to its end, nothing is
/// sorted on the disk and no index made afterwards, so that its rate does not fall with its size, and
/// the disk needs room for the result alone. The addresses follow when all tiles are known.
///
/// The same tiles in the same order give the same bytes, with one version of SQLite: it leaves its
/// version in the header, and lays out pages as it likes.
///
/// A run that ends early leaves nothing to go on from. Holds 32 bytes per tile and some 30 to 60 per
/// different tile in memory, twice that while they grow or are sorted, and 2 MiB of pages.
package struct MBTilesArchive: TilesetWriter {
    /// None: what a stopped run wrote is not used.
    package let staged: Set<TileCoordinate> = []

    private let options: ArchiveOptions
    private let file: ArchiveFile
    private let tables: MBTilesTables
    /// The tiles, in the order in which they came.
    private var written: [TileRecord] = []
    /// The number of each tile's bytes in the database.
    private var numbers: [ContentHash: UInt32] = [:]

    /// Makes the file, under a temporary name.
    ///
    /// - Throws: `.outputRefused` where OUTPUT is not ours or cannot be made, `.busy` where another
    ///   run writes it. Nothing is left then that was not there before.
    package init(_ options: ArchiveOptions) throws {
        self.options = options
        file = try ArchiveFile(options.path, force: options.force, isOurs: MBTilesFile.isOurs)
        do throws(SQLiteError) { tables = try MBTilesTables(path: file.temporaryPath) } catch {
            try file.discard()
            throw Self.failure(error, options)
        }
    }

    /// Stores a tile's bytes unless they are there already.
    package mutating func write(_ tile: EncodedTile) throws {
        let hash = ContentHash(of: tile.bytes)
        if numbers[hash] == nil {
            let number = UInt32(numbers.count + 1)
            do throws(SQLiteError) { try tables.insert(tile.bytes, as: Int(number)) } catch {
                throw Self.failure(error, options)
            }
            numbers[hash] = number
        }
        written.append(TileRecord(tile.coordinate, size: tile.bytes.count, hash: hash))
    }

    package var contents: TilesetContents { TilesetContents(of: TileRecords(written)) }

    package var tiles: [TileCoordinate] { TileRecords(written).sorted.map(\.coordinate) }

    /// Writes the addresses and the metadata, and gives the whole file its name; the last call to a
    /// tileset.
    ///
    /// - Throws: `.badInput` where two tiles have one address, `.inputOutput` where the disk is full.
    ///   Nothing is left then.
    package consuming func finish(_ documents: TilesetDocuments) throws -> TilesetSummary {
        do {
            let records = TileRecords(written)
            try insertAddresses(records)
            var summary = TilesetSummary()
            do throws(SQLiteError) { summary.bytes = try tables.finish(documents.rows) } catch {
                throw Self.failure(error, options)
            }
            try file.commit(fsync: options.fsync)
            summary.added = records.sorted.map(\.coordinate)
            return summary
        } catch {
            try? file.discard()
            throw error
        }
    }

    private func insertAddresses(_ records: TileRecords) throws {
        // South to north is the order of the key.
        for record in records.columns.lazy.flatMap({ $0.reversed() }) {
            let tile = record.coordinate
            do throws(SQLiteError) {
                try tables.insert(tile, number: Int(numbers[record.hash] ?? 0))
            } catch {
                if error.isDuplicate {
                    throw Failure(
                        .badInput, "cannot write '\(options.path)': it got tile \(tile) twice")
                }
                throw Self.failure(error, options)
            }
        }
    }

    /// Stops. The tiles so far are of no use to another run, and are removed.
    package consuming func suspend() throws { try file.discard() }

    /// Gives up: what was there before is as it was.
    package consuming func discard() throws { try file.discard() }

    private static func failure(_ error: SQLiteError, _ options: ArchiveOptions) -> Failure {
        error.failure("write '\(options.path)'", otherwise: .inputOutput)
    }
}

extension TileRecords {
    /// The records of one column of one zoom after the other, each from the north to the south.
    fileprivate var columns: some Sequence<ArraySlice<TileRecord>> {
        sequence(state: sorted[...]) { rest -> ArraySlice<TileRecord>? in
            guard let first = rest.first?.coordinate else { return nil }
            let column = rest.prefix {
                let tile = $0.coordinate
                return tile.zoom == first.zoom && tile.column == first.column
            }
            rest = rest.dropFirst(column.count)
            return column
        }
    }
}
