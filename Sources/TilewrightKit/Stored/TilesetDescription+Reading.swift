import Codecs
import Platform
import Publishing
import Tilesets
import Tiling

extension TilesetDescription {
    /// Looks at a tileset. Tiles are counted, and where the container does not tell which hold the same, each is
    /// read once; some 40 bytes of memory are taken for each different content.
    ///
    /// - Parameters:
    ///   - path: a folder, or a file that ends in `.mbtiles` or `.pmtiles`.
    ///   - floor: the floor, of a folder that has several.
    ///   - maxTiles: the most tiles that it may have.
    /// - Throws: a `Failure`: `missingInput` if nothing is there, `badInput` if it is damaged or has no tiles,
    ///   `busy` if another run writes it, `usage` if the floor has no meaning for it, or it has too many tiles.
    public init(
        _ path: String, floor: String? = nil, maxTiles: Int = BuildResources.standardMaxTiles
    ) throws {
        let budget = ReadingBudget(tiles: maxTiles)
        let container = TilesetContainer(existing: path)
        if container.isArchive, floor != nil {
            throw Failure(
                .usage, "--floor has no meaning for '\(path)': an archive holds one tileset",
                remedy: "leave it out")
        }
        do {
            switch container {
            case .directory: try self.init(Self.tree(path, floor: floor), in: container, budget)
            case .mbtiles: try self.init(MBTilesReader(path, budget: budget), in: container, budget)
            case .pmtiles: try self.init(PMTilesReader(path, budget: budget), in: container, budget)
            }
        } catch var failure as Failure where failure.kind == .badInput && container.isArchive {
            failure.remedy = failure.remedy ?? "copy the archive again, or build it again"
            throw failure
        }
    }

    /// Opens a folder, whatever its tiles are.
    private static func tree(_ path: String, floor: String?) throws -> TreeReader {
        let tree = try TreeReader(path, floor: floor) { statement, fileExtension in
            let stated = try StatedTileset(statement, path: path)
            let ending = fileExtension.isEmpty ? stated.format ?? "png" : fileExtension
            let template = stated.address.template.flatMap { $0.isEmpty ? nil : $0 }
            do {
                return try TileNames(
                    TileTemplate(template ?? "{z}/{x}/{y}.\(ending)"), fileExtension: ending, floor: floor,
                    scheme: stated.scheme ?? .xyz)
            } catch let failure as Failure {
                throw Failure(.badInput, "cannot read '\(path)': \(failure.message)")
            }
        }
        try tree.checkNobodyWrites()
        return tree
    }

    private init(
        _ reader: any TilesetReader, in container: TilesetContainer, _ budget: ReadingBudget
    ) throws {
        let stated = try StatedTileset(reader.anyStatement(), path: reader.path)
        let tree = reader as? TreeReader
        if let tree { try budget.check(tree) }
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
            vectorLayers: stated.vectorLayers,
            template: tree?.names.clientTemplate, baseURL: stated.address.base,
            scheme: scheme ?? .xyz, isSchemeAssumed: !isSchemeKnown,
            zooms: Self.zooms(survey), bounds: stated.bounds(survey.limits),
            areBoundsStated: stated.hasBounds,
            duplicates: Duplicates(survey), missingTiles: survey.missing, generator: stated.generator,
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
                ? "all its tiles, \(survey.missing) of them, are missing or of another length"
                : "it has no tiles",
            remedy: "build it again, or copy all of it")
    }

    /// What the tiles are: by their bytes, and for those that have no signature by what the tileset says.
    private static func kinds(
        _ survey: TilesetSurvey, _ stated: StatedTileset, template: String?
    ) -> [TileKind] {
        var kinds = survey.kinds
        if kinds.isEmpty || kinds.contains(.unknown) {
            let ending = template.flatMap { $0.split(separator: ".").last.map(String.init) }
            let words = stated.mediaTypes.isEmpty ? [stated.format ?? ending ?? ""] : stated.mediaTypes
            let said = words.compactMap { TileKind(named: $0) }
            // Bytes that are no image are not one because a document says so.
            let possible = kinds.isEmpty ? said : said.filter { $0 == .mvt }
            if !possible.isEmpty { kinds.subtract([.unknown]) }
            kinds.formUnion(possible)
        }
        return kinds.isEmpty ? [.unknown] : TileKind.allCases.filter(kinds.contains)
    }

    /// The size of the first tile, if that can be decoded.
    private static func tileSize(of reader: any TilesetReader, _ kinds: [TileKind]) throws -> Int? {
        let decoded: Set<TileKind> = [.png, .jpeg, .webp]
        guard !decoded.isDisjoint(with: kinds), let tile = try? reader.firstTile() else { return nil }
        do { return try TileInspection.inspect(tile.bytes).width } catch  where !error.isOfSystem {
            return nil
        }
    }

    private static func zooms(_ survey: TilesetSurvey) -> [Zoom] {
        let limits = Dictionary(grouping: survey.limits, by: \.zoom)
        return survey.levels.map { level in
            Zoom(
                zoom: level.zoom, limits: limits[level.zoom] ?? [], tiles: level.tiles, bytes: level.bytes)
        }
    }
}

extension TilesetDescription.Duplicates {
    fileprivate init(_ survey: TilesetSurvey) {
        self.init(
            tiles: survey.sharingTiles, contents: survey.contentCount, contentBytes: survey.contentBytes,
            isStoredOnce: survey.storesOnce)
    }
}
