import Tilesets
import Tiling

/// Where tiles go.
struct TilesetOutput {
    /// OUTPUT.
    var path: String
    /// Take the place of what is not ours.
    var force: Bool
    /// Have everything on the disk before success is reported.
    var fsync: Bool
    /// Where tiles of an archive wait for their places.
    var scratchDirectory: String

    /// Opens or makes OUTPUT.
    ///
    /// - Parameters:
    ///   - names: how the tiles of a tree are named, and which floor they show.
    ///   - job: runs of one job write the same tiles.
    func open(names: TileNames, job: ContentHash) throws -> any TilesetWriter {
        let archive = ArchiveOptions(path: path, force: force, fsync: fsync)
        return switch Container(path: path) {
        case .directory:
            try DirectoryTileset(
                DirectoryTileset.Options(
                    path: path, names: names, job: job, force: force, fsync: fsync))
        case .mbtiles: try MBTilesArchive(archive)
        case .pmtiles: try PMTilesArchive(archive, scratchDirectory: scratchDirectory)
        }
    }
}
