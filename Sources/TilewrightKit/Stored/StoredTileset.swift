import Codecs
import Platform
import Publishing
public import Tilesets
public import Tiling

/// A finished tileset, in a folder or an archive, of this program or of another one.
public struct StoredTileset: Sendable {
    /// What reads its tiles.
    let reader: any TilesetReader
    /// What it says of itself.
    public let metadata: TilesetMetadata
    /// What is not an error, and what the user should know.
    public let warnings: [Warning]
    /// What reading its tiles may cost.
    let budget: ReadingBudget

    /// Opens a tileset.
    ///
    /// - Parameters:
    ///   - path: a folder, or a file that ends in `.mbtiles` or `.pmtiles`.
    ///   - floor: the floor to read, of a folder that has several.
    ///   - scheme: how rows count in a folder without a TileJSON, or in MBTiles; nil if that can be seen.
    ///   - maxTiles: the most tiles that it may have, by what it says.
    /// - Throws: a `Failure`: `missingInput` or `badInput` if it cannot be read, `usage` if a parameter has
    ///   no meaning for the tileset, or it has too many tiles.
    public init(
        _ path: String, floor: String? = nil, scheme: TileScheme? = nil,
        maxTiles: Int = BuildResources.standardMaxTiles
    ) throws {
        budget = ReadingBudget(tiles: maxTiles)
        let reader = try Self.reader(of: path, floor: floor, scheme: scheme, budget)
        self.reader = reader
        var metadata = try TilesetMetadata(
            reading: reader.statement(), limits: reader.limits,
            tileSize: { try Self.tileSize(of: reader) }, path: path)
        if metadata.template.isEmpty, let names = (reader as? TreeReader)?.names {
            metadata.template = names.clientTemplate
            metadata.scheme = names.clientScheme
        }
        self.metadata = metadata
        warnings = try Self.warnings(of: reader, metadata)
    }

    /// Opens a tileset that is to be checked: damage inside does not keep it from that.
    package init(
        checking path: String, floor: String?, maxTiles: Int = BuildResources.standardMaxTiles
    ) throws {
        budget = ReadingBudget(tiles: maxTiles)
        let reader = try Self.reader(of: path, floor: floor, scheme: nil, budget)
        self.reader = reader
        metadata = try TilesetMetadata(
            reading: reader.statement(), limits: { (try? reader.limits()) ?? [] },
            tileSize: { (try? Self.tileSize(of: reader)) ?? 256 }, path: path)
        warnings = (try? Self.warnings(of: reader, metadata)) ?? []
    }

    private static func warnings(of reader: any TilesetReader, _ metadata: TilesetMetadata) throws
        -> [Warning]
    {
        try StatedTileset(reader.statement(), path: reader.path).placeWarnings(
            metadata.limits, scheme: reader.rowScheme, path: reader.path)
    }

    /// Whether a path means a tileset: a folder does, and so does a name that ends in `.mbtiles` or
    /// `.pmtiles`, whether or not there is such a file. Any other path means an image.
    ///
    /// Looks for a folder, and opens nothing.
    public static func isTileset(_ path: String) -> Bool { TilesetContainer(ofTileset: path) != nil }

    /// The folder or the archive.
    public var path: String { reader.path }

    /// The bytes of a tile; nil if there is no such tile.
    ///
    /// Costs the opening of a file in a folder, of the database of MBTiles, or the inflation of the
    /// directories of a PMTiles archive that lead to the tile.
    ///
    /// - Throws: a `Failure` if it cannot be read.
    public func tile(at coordinate: TileCoordinate) throws -> [UInt8]? {
        coordinate.isInWorld ? try reader.tile(at: coordinate) : nil
    }

    /// Hands over all tiles, in the order in which they are stored.
    ///
    /// - Throws: a `Failure` if one cannot be read, and what `body` throws.
    public func forEachTile(_ body: (EncodedTile) throws -> Void) throws {
        try reader.forEachTile(body)
    }

    /// The tileset as a tree, or nil if it is an archive.
    package var tree: TreeReader? { reader as? TreeReader }

    private static func reader(
        of path: String, floor: String?, scheme: TileScheme?, _ budget: ReadingBudget
    ) throws -> any TilesetReader {
        if let address = RemoteAddress(path) { throw address.readingFailure }
        let container = TilesetContainer(existing: path)
        if container.isArchive, floor != nil {
            throw Failure(
                .usage, "--floor has no meaning for '\(path)': an archive holds one tileset")
        }
        if container == .pmtiles, scheme != nil {
            throw Failure(
                .usage, "--in-scheme has no meaning for '\(path)': PMTiles counts in one way")
        }
        switch container {
        case .directory:
            let tree = try tree(path, floor: floor, scheme: scheme)
            try budget.check(tree)
            return tree
        case .mbtiles: return try MBTilesReader(path, scheme: scheme, budget: budget)
        case .pmtiles: return try PMTilesReader(path, budget: budget)
        }
    }

    private static func tree(
        _ path: String, floor: String?, scheme: TileScheme?
    ) throws -> TreeReader {
        let tree = try TreeReader(path, floor: floor) { statement, fileExtension in
            let metadata = try TilesetMetadata(
                reading: statement, limits: { [] }, path: path)
            let ending = fileExtension.isEmpty ? metadata.format.fileExtension : fileExtension
            let template =
                metadata.template.isEmpty ? "{z}/{x}/{y}.\(ending)" : metadata.template
            do {
                return try TileNames(
                    TileTemplate(template), fileExtension: metadata.format.fileExtension,
                    floor: floor, scheme: scheme ?? metadata.scheme)
            } catch let failure as Failure {
                throw Failure(.badInput, "cannot read '\(path)': \(failure.message)")
            }
        }
        if case .tileJSON = tree.statement(), scheme != nil {
            throw Failure(
                .usage, "--in-scheme has no meaning for '\(path)': its TileJSON says it")
        }
        return tree
    }

    /// The size of the first tile, if that can be decoded.
    private static func tileSize(of reader: any TilesetReader) throws -> Int {
        guard let tile = try reader.firstTile() else { return 256 }
        do {
            let size = try TileInspection.inspect(tile.bytes).width
            return TilesetMetadata.possibleTileSizes ~= size ? size : 256
        } catch  where !error.isOfSystem { return 256 }
    }
}

extension TilesetReader {
    /// How it takes rows to count; nil of PMTiles, which counts in one way.
    var rowScheme: TileScheme? {
        get throws {
            switch self {
            case let tree as TreeReader: tree.names.clientScheme
            case let archive as MBTilesReader: try archive.storedScheme
            default: nil
            }
        }
    }
}
