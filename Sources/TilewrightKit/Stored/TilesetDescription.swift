import Codecs
import Platform
import Publishing
public import Tilesets
public import Tiling

/// A description of a finished tileset: its container, its metadata, and the sums of its tiles.
///
/// It also works for tilesets of other programs, and for tiles that are not images. Only one tile is decoded.
///
/// ```swift
/// let tileset = try TilesetDescription("tiles.pmtiles")
/// print(tileset.tileCount, tileset.duplicates.contents)
/// ```
public struct TilesetDescription: Sendable {
    /// The tiles of a zoom.
    public struct Zoom: Hashable, Sendable {
        /// The zoom.
        public var zoom: Int
        /// The rectangle that the tiles fill, perhaps with gaps; two across the antimeridian.
        public var limits: [TileRange]
        /// The number of tiles.
        public var tiles: Int
        /// The bytes of the tiles, as clients get them.
        public var bytes: Int
    }

    /// Tiles with the same content as others.
    public struct Duplicates: Hashable, Sendable {
        /// The number of tiles with the content of another tile.
        public var tiles: Int
        /// The number of different contents.
        public var contents: Int
        /// The bytes of all different contents.
        public var contentBytes: Int
        /// Whether the container stores each content once: an archive of PMTiles, and MBTiles with a table of
        /// contents.
        public var isStoredOnce: Bool
    }

    /// The folder or the archive.
    public var path: String
    /// The container.
    public var container: TilesetContainer
    /// The floor; nil for a tileset without one.
    public var floor: String?
    /// A name for people, if it has one.
    public var name: String?
    /// A description for people, if it has one.
    public var description: String?
    /// The people or organizations to credit; may be HTML.
    public var attribution: String?
    /// The types of the tiles, in the order of `TileKind.allCases`; several if they are mixed.
    public var kinds: [TileKind]
    /// The additional compression of tiles, such as `gzip` for vector tiles; nil for none.
    public var compression: String?
    /// Pixels along a tile's edge; nil if it is unknown, and the first tile cannot be decoded.
    public var tileSize: Int?
    /// The layers of vector tiles, if they are listed.
    public var vectorLayers: [String]
    /// The names of tiles, with the client's placeholders; nil for an archive.
    public var template: String?
    /// The address before the template on the web, if it is known.
    public var baseURL: String?
    /// The scheme of rows: in names of tiles, or in the archive by its specification.
    public var scheme: TileScheme
    /// Whether the scheme is unknown, and `xyz` is assumed.
    public var isSchemeAssumed: Bool
    /// The zooms that have tiles, from the lowest; rows are counted from the north, whatever the scheme.
    public var zooms: [Zoom]
    /// The bounds in degrees on WGS 84; the east is beyond 180 across the antimeridian.
    public var bounds: BoundingBox
    /// Whether the tileset states its bounds; else they are those of the finest tiles.
    public var areBoundsStated: Bool
    /// Tiles with the same content as others.
    public var duplicates: Duplicates
    /// The number of tiles in a folder's list of files that are missing or have another length.
    public var missingTiles: Int
    /// The program that made it, with its version if that is known; nil if it is unknown.
    public var generator: String?
    /// The arguments of that program, if they are known.
    public var generatorOptions: String?
    /// The files of its images, such as `plan.png` or `plan.pdf, page 2`; empty if they are unknown.
    public var images: [String]
    /// The hash of its job: source bytes, options and version; nil if it is unknown.
    public var job: String?
    /// The time when it was made, as the tileset states it; nil if it does not.
    public var made: String?
    /// The time of the last change of its file, or of its newest document, in seconds since 1970; nil if
    /// there is no such file.
    public var changed: Int?
    /// Warnings for the user.
    public var warnings: [Warning]

    /// The bytes of all tiles as clients get them.
    public var bytes: Int

    /// The number of tiles.
    public var tileCount: Int { zooms.reduce(0) { $0 + $1.tiles } }
}

extension TilesetDescription {
    /// Describes a tileset. Counts the tiles. If the container does not tell which tiles are the same, reads
    /// each tile once, with some 40 bytes of memory for each different content.
    ///
    /// - Parameters:
    ///   - path: a folder, or a file that ends in `.mbtiles` or `.pmtiles`.
    ///   - floor: the floor, of a folder that has several.
    ///   - maxTiles: the maximum number of tiles that the tileset may have.
    /// - Throws: a `Failure`: `missingInput` if it does not exist, `badInput` if it is damaged or has no
    ///   tiles, `busy` if another run writes it, `usage` if the floor does not apply to it, or it has too
    ///   many tiles.
    public init(
        _ path: String, floor: String? = nil, maxTiles: Int = BuildResources.standardMaxTiles
    ) throws {
        let budget = ReadingBudget(tiles: maxTiles)
        let container = TilesetContainer(existing: path)
        do {
            let reader = try StoredTileset.reader(of: path, floor: floor, budget) {
                try Self.tree(path, floor: floor)
            }
            try self.init(reader, in: container, budget)
        } catch var failure as Failure where failure.kind == .badInput && container.isArchive {
            failure.remedy = failure.remedy ?? "copy the archive again, or build it again"
            throw failure
        }
    }

    /// Opens a folder of tiles of any type.
    private static func tree(_ path: String, floor: String?) throws -> TreeReader {
        let tree = try TreeReader(path, floor: floor) { statement, fileExtension in
            let stated = try StatedTileset(statement, path: path)
            let ending = fileExtension.isEmpty ? stated.format ?? "png" : fileExtension
            return try TileNames(
                readFrom: path, template: stated.address.template, ending: ending,
                fileExtension: ending, floor: floor, scheme: stated.scheme ?? .xyz)
        }
        try tree.checkNobodyWrites()
        return tree
    }

    private init(
        _ reader: any TilesetReader, in container: TilesetContainer, _ budget: ReadingBudget
    ) throws {
        let stated = try StatedTileset(reader.anyStatement(), path: reader.path)
        let tree = reader as? TreeReader
        let survey = try reader.survey()
        try budget.check(survey.tileCount, of: reader.path)
        guard survey.tileCount > 0 else { throw Self.empty(reader.path, survey) }
        let origin = reader.origin
        let kinds = Self.kinds(survey, stated, template: tree?.names.clientTemplate)
        let scheme = try reader.rowScheme
        let isSchemeKnown = tree?.knowsScheme(stated: stated.scheme != nil) ?? true
        let title = try tree?.tileMapResource().flatMap(TileMapResource.title)
        self.init(
            path: reader.path, container: container, floor: tree?.floor ?? stated.floor,
            name: stated.name ?? title, description: stated.description, attribution: stated.attribution,
            kinds: kinds, compression: survey.compression,
            tileSize: try stated.tileSize ?? Self.tileSize(of: reader, kinds),
            vectorLayers: stated.vectorLayers, template: tree?.names.clientTemplate,
            baseURL: stated.address.base, scheme: scheme ?? .xyz, isSchemeAssumed: !isSchemeKnown,
            zooms: Self.zooms(survey), bounds: stated.bounds(survey.limits),
            areBoundsStated: stated.statedBounds != nil,
            duplicates: Duplicates(
                tiles: survey.sharingTiles, contents: survey.contentCount,
                contentBytes: survey.contentBytes, isStoredOnce: survey.storesOnce),
            missingTiles: survey.missing, generator: stated.generator,
            generatorOptions: stated.generatorOptions,
            images: origin.images.map { $0.page == 1 ? $0.name : "\($0.name), page \($0.page)" },
            job: origin.job?.hex, made: stated.made, changed: reader.changed,
            warnings: stated.placeWarnings(survey.limits, scheme: scheme, path: reader.path),
            bytes: survey.bytes)
    }

    private static func empty(_ path: String, _ survey: TilesetSurvey) -> Failure {
        Failure(
            .badInput, cannot: "describe '\(path)'",
            survey.missing > 0
                ? "all of its \(survey.missing) tiles are missing or have another length"
                : "it has no tiles", remedy: "build it again, or copy the whole folder again")
    }

    /// The types of tiles: by their bytes, or by the metadata for those without a signature.
    private static func kinds(
        _ survey: TilesetSurvey, _ stated: StatedTileset, template: String?
    ) -> [TileKind] {
        var kinds = survey.kinds
        if kinds.isEmpty || kinds.contains(.unknown) {
            let ending = template.flatMap { $0.split(separator: ".").last.map(String.init) }
            let words = stated.mediaTypes.isEmpty ? [stated.format ?? ending ?? ""] : stated.mediaTypes
            let said = words.compactMap { TileKind(named: $0) }
            // Bytes of another type are not an image, whatever the metadata says.
            let possible = kinds.isEmpty ? said : said.filter { $0 == .mvt }
            if !possible.isEmpty { kinds.subtract([.unknown]) }
            kinds.formUnion(possible)
        }
        return kinds.isEmpty ? [.unknown] : TileKind.allCases.filter(kinds.contains)
    }

    /// The size of the first tile, if that can be decoded.
    private static func tileSize(of reader: any TilesetReader, _ kinds: [TileKind]) throws -> Int? {
        let decoded: Set<TileKind> = [.png, .jpeg, .webp]
        guard !decoded.isDisjoint(with: kinds) else { return nil }
        return try (try? reader.firstTile())?.size
    }

    private static func zooms(_ survey: TilesetSurvey) -> [Zoom] {
        let limits = Dictionary(grouping: survey.limits, by: \.zoom)
        return survey.levels.map { level in
            Zoom(
                zoom: level.zoom, limits: limits[level.zoom] ?? [], tiles: level.tiles, bytes: level.bytes)
        }
    }
}

extension TileNames {
    /// The names of tiles as a document of a folder describes them.
    ///
    /// - Parameters:
    ///   - template: the names; empty for the standard ones, with the given `ending`.
    ///   - fileExtension: the extension for `{ext}`.
    init(
        readFrom path: String, template: String, ending: String, fileExtension: String, floor: String?,
        scheme: TileScheme
    ) throws {
        let template = template.isEmpty ? "{z}/{x}/{y}.\(ending)" : template
        do {
            try self.init(
                TileTemplate(template), fileExtension: fileExtension, floor: floor, scheme: scheme)
        } catch let failure as Failure {
            throw Failure(.badInput, "cannot read '\(path)': \(failure.message)")
        }
    }
}
