import Diagnostics
import Publishing
import Tilesets

/// What holds a tileset, as the name of OUTPUT says.
enum Container {
    /// A tree of files.
    case directory

    /// Tells by the ending of a path.
    init(path: String) throws {
        for ending in [".mbtiles", ".pmtiles"] where path.lowercased().hasSuffix(ending) {
            throw Failure(
                .usage, "cannot write '\(path)': this version writes directories of tiles only")
        }
        self = .directory
    }
}

extension OutputOptions {
    /// Documents of so many tiles take some 60 MB.
    private static let mostTilesOfSuperOverlay = 100_000

    /// Refuses what so many tiles are too many for.
    func check(tileCount: Int) throws {
        guard docKml == .superoverlay, tileCount > Self.mostTilesOfSuperOverlay else { return }
        throw Failure(
            .usage,
            "cannot write a superoverlay of \(tileCount) tiles: Google Earth wants no more than "
                + "\(Self.mostTilesOfSuperOverlay)",
            remedy: "ask for a lower --zoom, or for --doc-kml overlay")
    }

    /// The file that changes when the output does: its TileJSON, or the archive itself.
    var target: String {
        let isArchive = [".mbtiles", ".pmtiles"].contains { output.lowercased().hasSuffix($0) }
        if isArchive { return output }
        let directory = output.hasSuffix("/") ? String(output.dropLast()) : output
        return "\(directory)/" + TileJSON.fileName(floor: floor)
    }

    /// Opens or makes OUTPUT.
    ///
    /// - Parameters:
    ///   - names: how the tiles of a tree are named, and which floor they show.
    ///   - job: runs of one job write the same tiles.
    func makeTileset(names: TileNames, job: ContentHash) throws -> any TilesetWriter {
        switch try Container(path: output) {
        case .directory:
            try DirectoryTileset(
                DirectoryTileset.Options(
                    path: output, names: names, job: job, force: force, fsync: fsync))
        }
    }
}
