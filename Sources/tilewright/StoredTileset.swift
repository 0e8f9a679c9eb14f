import Diagnostics
import Publishing
import Tilesets
import Tiling

/// A finished tileset that a command reads, of whatever container.
struct StoredTileset {
    /// What reads its tiles.
    let reader: any TilesetReader
    /// What it says of itself.
    let metadata: TilesetMetadata

    /// Opens a tileset.
    ///
    /// - Parameters:
    ///   - path: a directory, or an archive.
    ///   - floor: the floor to read, of a directory that has several.
    init(_ path: String, floor: String? = nil) throws {
        reader = try Self.reader(of: path, floor: floor)
        metadata = try TilesetMetadata(
            reading: reader.statement(), limits: reader.limits, path: path)
    }

    private static func reader(of path: String, floor: String?) throws -> any TilesetReader {
        switch Container(path: path) {
        case .directory:
            try TileTree(path, floor: floor) { tileJSON in
                let metadata = try TilesetMetadata(
                    reading: .tileJSON(tileJSON), limits: { [] }, path: path)
                return try TileNames(
                    TileTemplate(metadata.template), fileExtension: metadata.format.fileExtension,
                    floor: floor, scheme: metadata.scheme)
            }
        case .mbtiles: try MBTilesFile(path)
        case .pmtiles: try PMTilesFile(path)
        }
    }
}
