import Diagnostics
import Tilesets
import Tiling

/// What holds a tileset, as the name of OUTPUT says.
enum Container: CaseIterable {
    /// A tree of files.
    case directory
    /// An SQLite database, MBTiles 1.3.
    case mbtiles
    /// An archive of PMTiles, version 3.
    case pmtiles

    /// Tells by the ending of a path.
    init(path: String) {
        let path = path.lowercased()
        self = Self.allCases.first { $0.ending.map(path.hasSuffix) ?? false } ?? .directory
    }

    /// How names of archives end; nil for a tree.
    private var ending: String? {
        switch self {
        case .directory: nil
        case .mbtiles: ".mbtiles"
        case .pmtiles: ".pmtiles"
        }
    }

    /// What an archive is called; nil for a tree.
    private var archiveName: String? {
        switch self {
        case .directory: nil
        case .mbtiles: "MBTiles"
        case .pmtiles: "PMTiles"
        }
    }

    /// Whether it is one file, in which tiles have no names and no address of their own.
    var isArchive: Bool { archiveName != nil }

    /// Refuses options that mean nothing for an archive.
    func check(_ output: OutputOptions, _ tiles: TileOptions) throws {
        guard let archiveName else { return }
        func refuse(_ option: String, _ why: String) throws {
            throw Failure(.usage, "\(option) has no meaning for \(archiveName), \(why)")
        }
        if output.template != TileTemplate.standard {
            try refuse("--template", "whose tiles have no file names")
        }
        if tiles.scheme != .xyz { try refuse("--scheme tms", "which has one way to count rows") }
        if output.url != nil { try refuse("--url", "which holds no addresses") }
        if output.docKml != nil { try refuse("--doc-kml", "beside which there are no files") }
        if self == .pmtiles, tiles.format == .auto {
            throw Failure(
                .usage, "--format auto has no meaning for PMTiles, whose tiles are all of one type",
                remedy: "--format webp has transparency and is small; a folder or MBTiles "
                    + "take --format auto")
        }
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

    /// Opens or makes OUTPUT.
    ///
    /// - Parameters:
    ///   - names: how the tiles of a tree are named, and which floor they show.
    ///   - job: runs of one job write the same tiles.
    ///   - scratchDirectory: where tiles of an archive wait for their places.
    func makeTileset(
        names: TileNames, job: ContentHash, scratchDirectory: String
    ) throws -> any TilesetWriter {
        let archive = ArchiveOptions(path: output, force: force, fsync: fsync)
        return switch Container(path: output) {
        case .directory:
            try DirectoryTileset(
                DirectoryTileset.Options(
                    path: output, names: names, job: job, force: force, fsync: fsync))
        case .mbtiles: try MBTilesArchive(archive)
        case .pmtiles: try PMTilesArchive(archive, scratchDirectory: scratchDirectory)
        }
    }
}
