package import Tiling

/// A tileset that is being made, of whatever container.
///
/// It ends in one of three ways: `finish` when all tiles are written, `suspend` when something stopped
/// the run, `discard` when the run cannot succeed.
package protocol TilesetWriter: TileSink, Sendable {
    /// Whether an earlier run of the same job made all of it, and it is still there: then nothing need
    /// be written before `finish`.
    var isComplete: Bool { get }

    /// What the tileset would hold if it were finished now. Sorts the records of all tiles.
    var contents: TilesetContents { get }

    /// The addresses of all tiles, by zoom, column, row.
    var tiles: [TileCoordinate] { get }

    /// Puts tiles and documents in their place, documents last; the last call to a tileset.
    ///
    /// - Parameter announce: takes what differs from what the last run left, before that is forgotten:
    ///   if that fails, or the run after it, the next run announces the same again.
    /// - Throws: `DamagedArchive` if the tileset is complete, and its tiles are not what it said.
    consuming func finish(
        _ documents: TilesetDocuments, announcing announce: (TilesetSummary) throws -> Void
    ) throws -> TilesetSummary

    /// Stops, and keeps what the next run of the same job can go on from.
    consuming func suspend() throws

    /// Gives up a run that cannot succeed: what was there before is as it was, and nothing else is.
    consuming func discard() throws
}

extension TilesetWriter {
    /// Puts tiles and documents in their place; the last call to a tileset.
    package consuming func finish(_ documents: TilesetDocuments) throws -> TilesetSummary {
        try finish(documents) { _ in }
    }
}
