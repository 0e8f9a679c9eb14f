import Codecs
import Platform
import Publishing
public import Tilesets
public import Tiling

/// A finished tileset of any program, in a folder or an archive.
public struct StoredTileset: Sendable {
    /// The reader of its tiles.
    let reader: any TilesetReader
    /// The metadata.
    public let metadata: TilesetMetadata
    /// Warnings for the user.
    public let warnings: [Warning]
    /// The limits of reading.
    let budget: ReadingBudget

    /// Opens a tileset.
    ///
    /// - Parameters:
    ///   - path: a folder, or a file that ends in `.mbtiles` or `.pmtiles`.
    ///   - floor: the floor to read, of a folder that has several.
    ///   - scheme: how rows are counted in a folder without a TileJSON, or in MBTiles; nil for what the
    ///     tileset states.
    ///   - maxTiles: the maximum number of tiles that the tileset may claim.
    /// - Throws: a `Failure`: `missingInput` or `badInput` if it cannot be read, `usage` if a parameter does
    ///   not apply to it, or it has too many tiles.
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

    /// Opens a tileset to check it, even if it is damaged inside.
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

    /// Whether a path means a tileset: a folder, or any name that ends in `.mbtiles` or `.pmtiles`. Any other
    /// path means an image. Opens nothing.
    public static func isTileset(_ path: String) -> Bool { TilesetContainer(ofTileset: path) != nil }

    /// The folder or the archive.
    public var path: String { reader.path }

    /// The bytes of a tile; nil if there is no such tile.
    ///
    /// Opens a file in a folder, reads the database of MBTiles, or inflates the directories of PMTiles that
    /// lead to the tile.
    ///
    /// - Throws: a `Failure` if the tile cannot be read.
    public func tile(at coordinate: TileCoordinate) throws -> [UInt8]? {
        coordinate.isInWorld ? try reader.tile(at: coordinate) : nil
    }

    /// Calls a function with all tiles, in the order in which they are stored.
    ///
    /// - Throws: a `Failure` if a tile cannot be read, and the errors of `body`.
    public func forEachTile(_ body: (EncodedTile) throws -> Void) throws {
        try reader.forEachTile(body)
    }

    /// The tileset as a tree, or nil if it is an archive.
    package var tree: TreeReader? { reader as? TreeReader }

    /// Opens the reader of a tileset.
    ///
    /// - Parameter openTree: opens a folder; nil to open a folder of image tiles.
    static func reader(
        of path: String, floor: String?, scheme: TileScheme? = nil, _ budget: ReadingBudget,
        openTree: (() throws -> TreeReader)? = nil
    ) throws -> any TilesetReader {
        if let address = RemoteAddress(path) { throw address.readingFailure }
        let container = TilesetContainer(existing: path)
        if container.isArchive, floor != nil {
            throw Failure(
                .usage, "--floor does not apply to '\(path)': an archive holds one tileset",
                remedy: "leave it out")
        }
        if container == .pmtiles, scheme != nil {
            throw Failure(
                .usage, "--in-scheme does not apply to '\(path)': PMTiles always counts rows from the north")
        }
        switch container {
        case .directory:
            let tree = try openTree?() ?? tree(path, floor: floor, scheme: scheme)
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
            let metadata = try TilesetMetadata(reading: statement, limits: { [] }, path: path)
            let ending = fileExtension.isEmpty ? metadata.format.fileExtension : fileExtension
            return try TileNames(
                readFrom: path, template: metadata.template, ending: ending,
                fileExtension: metadata.format.fileExtension, floor: floor, scheme: scheme ?? metadata.scheme)
        }
        if case .tileJSON = tree.statement(), scheme != nil {
            throw Failure(.usage, "--in-scheme does not apply to '\(path)': its TileJSON states the scheme")
        }
        return tree
    }

    /// The size of the first tile, if the tile can be decoded.
    private static func tileSize(of reader: any TilesetReader) throws -> Int {
        let size = try reader.firstTile().flatMap { try $0.size }
        return size.flatMap { TilesetMetadata.possibleTileSizes ~= $0 ? $0 : nil } ?? 256
    }
}

extension EncodedTile {
    /// Pixels along its edge; nil if it cannot be decoded.
    var size: Int? {
        get throws {
            do { return try TileInspection.inspect(bytes).width } catch  where !error.isOfSystem {
                return nil
            }
        }
    }
}

extension TilesetReader {
    /// The way in which it counts rows; nil for PMTiles, which has only one.
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

/// The container of a tileset, by the name of the output.
public enum TilesetContainer: CaseIterable, Sendable {
    /// A tree of files.
    case directory
    /// An SQLite database, MBTiles 1.3.
    case mbtiles
    /// An archive of PMTiles, version 3.
    case pmtiles

    /// Chooses the container by a path's ending.
    public init(path: String) {
        let path = path.lowercased()
        self = Self.allCases.first { $0.ending.map(path.hasSuffix) ?? false } ?? .directory
    }

    /// Chooses the container of an existing path. A directory is a tree, whatever its name.
    public init(existing path: String) { self = TilesetContainer(ofTileset: path) ?? .directory }

    /// The container of a path; nil for an image: a path that is not a directory, and does not end like an
    /// archive.
    init?(ofTileset path: String) {
        let isDirectory = FileStatus(at: path)?.kind == .directory
        let container = isDirectory ? .directory : TilesetContainer(path: path)
        guard isDirectory || container.isArchive else { return nil }
        self = container
    }

    /// The ending of an archive's name; nil for a tree.
    private var ending: String? {
        switch self {
        case .directory: nil
        case .mbtiles: ".mbtiles"
        case .pmtiles: ".pmtiles"
        }
    }

    /// Its name for people.
    var name: String {
        switch self {
        case .directory: "a folder"
        case .mbtiles: "MBTiles"
        case .pmtiles: "PMTiles"
        }
    }

    /// Whether the container is one file, whose tiles have no names or addresses.
    public var isArchive: Bool { ending != nil }

    /// Whether the container can hold tiles of several file types.
    var takesMixedTypes: Bool { self != .pmtiles }

    /// Endings, without the dot, of names that are not tilesets.
    private static let foreignEndings: [(kind: String, endings: [String])] = [
        ("a ZIP archive", ["zip"]), ("an archive", ["tar", "tgz", "gz", "bz2", "xz", "zst", "7z", "rar"]),
        ("a Deep Zoom image", ["dzi"]), ("a GeoPackage", ["gpkg"]),
        ("a database", ["sqlite", "sqlitedb", "db"]),
        ("an overlay of Google Earth", ["kmz", "kml"]), ("a page", ["html", "htm"]),
        ("a document", ["json", "geojson", "tilejson", "yaml", "yml", "xml", "pdf", "svg", "dxf", "dwg"]),
        (
            "an image",
            ["png", "jpg", "jpeg", "webp", "tif", "tiff", "gif", "bmp", "avif", "heic", "vrt", "jp2"]
        ),
        ("a mistyped MBTiles file", ["mbtile", "mbtils"]), ("a mistyped PMTiles file", ["pmtile", "pmtils"]),
    ]

    /// Refuses a web address, and a name with the ending of another kind of file, which would become the name
    /// of a folder.
    ///
    /// An existing folder may have any name, and so may a folder whose name is given with a slash at its end.
    ///
    /// - Throws: `.usage`.
    static func checkName(_ path: String) throws(Failure) {
        if let address = RemoteAddress(path) { throw address.writingFailure }
        let ending = path.splitExtension.fileExtension.lowercased()
        guard let kind = foreignEndings.first(where: { $0.endings.contains(ending) })?.kind,
            FileStatus(at: path)?.kind != .directory
        else { return }
        throw Failure(
            .usage, "cannot write tiles to '\(path)', which ends like \(kind)",
            remedy: "name a folder, or a file that ends in .pmtiles or .mbtiles; if you want a folder "
                + "of this name, add a slash")
    }

    /// Refuses options that do not apply to the container.
    func check(_ output: OutputRequest, _ format: TileFormat) throws {
        try check(
            template: output.template == TileTemplate.standard ? nil : output.template,
            scheme: output.scheme == .xyz ? nil : output.scheme, url: output.url)
        if isArchive, output.docKML != nil {
            throw Failure(
                .usage, "--doc-kml does not apply to \(name), which holds no other files")
        }
        if !takesMixedTypes, format == .auto {
            throw Failure(
                .usage, "--format auto does not apply to \(name), whose tiles are all of one type",
                remedy: "use --format webp (small, with transparency); only a folder or MBTiles takes auto")
        }
    }

    /// Refuses values that do not apply to an archive.
    package func check(template: String?, scheme: TileScheme?, url: String?) throws {
        guard isArchive else { return }
        func refusal(_ option: String, _ why: String) -> Failure {
            Failure(.usage, "\(option) does not apply to \(name), \(why)")
        }
        if template != nil { throw refusal("--template", "whose tiles have no file names") }
        if let scheme {
            throw refusal("--scheme \(scheme.rawValue)", "which always counts rows from the north")
        }
        if url != nil { throw refusal("--url", "which holds no addresses") }
    }
}
