import Diagnostics
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
package final class PMTilesArchive: TilesetWriter {
    private let options: ArchiveOptions
    private let file: ArchiveFile
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
            options.path, force: options.force, isOurs: PMTilesFile.isOurs(_:))
        do { spool = Mutex(try TileSpool(in: scratchDirectory)) } catch {
            try? file.discard()
            throw error
        }
    }

    package var staged: Set<TileCoordinate> { [] }

    /// Never: what an archive was made of is not compared with what is to be made.
    package var isComplete: Bool { false }

    package func write(_ tile: EncodedTile) throws {
        try spool.withLock { try $0.append(tile) }
    }

    package var contents: TilesetContents { spool.withLock { $0.ledger.tilesetContents } }

    package var tiles: [TileCoordinate] { spool.withLock { $0.ledger.tiles } }

    /// Writes the archive, and gives it its name; the last call to a tileset.
    ///
    /// - Throws: `.badInput` where there is no tile, or two of one address; `.usage` for tiles of two
    ///   file types; `.inputOutput` where the disk is full. Nothing is left then.
    package func finish(_ documents: TilesetDocuments) throws -> TilesetSummary {
        let (tiles, size): ([PMTilesLayout.Tile], Int)
        do { (tiles, size) = try spool.withLock { try write(documents, and: &$0) } } catch {
            try? file.discard()
            throw error
        }
        try file.commit(fsync: options.fsync)
        var addresses = tiles.map { PackedCoordinate($0.id.coordinate) }
        addresses.sort()
        var summary = TilesetSummary()
        summary.added = addresses.map(\.coordinate)
        summary.bytes = size
        return summary
    }

    /// Writes the whole file, and lets go of the contents.
    ///
    /// - Returns: the tiles, and the bytes of the file.
    private func write(
        _ documents: TilesetDocuments, and spool: inout TileSpool
    ) throws -> (tiles: [PMTilesLayout.Tile], size: Int) {
        try spool.flush()
        let layout = try PMTilesLayout(
            spool.ledger.takeAddresses(), of: spool.ledger.contents, path: options.path)
        let size = spool.ledger.size
        let front = try PMTilesFront(layout, documents, dataSize: size, path: options.path)
        let output = try file.open()
        try writing { () throws(SystemError) in try output.write(front.bytes) }
        try spool.forEachPiece(of: layout.order) { piece in
            try writing { () throws(SystemError) in try output.write(piece) }
        }
        spool.ledger.removeContents()
        return (layout.tiles, front.bytes.count + Int(size))
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
