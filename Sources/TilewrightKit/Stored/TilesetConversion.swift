import Platform
import Publishing
public import Tilesets
public import Tiling

/// A request to copy a tileset into another container, without encoding its tiles again.
public struct ConversionRequest: Hashable, Sendable {
    /// The tileset: a folder or an archive.
    public var input: String
    /// The copy: a folder, or a file that ends in `.mbtiles` or `.pmtiles`.
    public var output: String
    /// The floor to copy, if a folder has several.
    public var floor: String?
    /// How rows are counted in a folder without a TileJSON, or in MBTiles; nil for what the tileset states.
    public var inScheme: TileScheme?
    /// The names of files in a folder; nil for `{z}/{x}/{y}.{ext}`.
    public var template: String?
    /// Whether row 0 of a folder is in the north or in the south; nil for the north.
    public var scheme: TileScheme?
    /// The address of a folder on the web, which makes the addresses in TileJSON absolute.
    public var url: String?
    /// The zooms to copy; an open end is that of the tileset.
    public var zooms = ZoomRange()
    /// The area whose tiles are copied, in degrees; nil for all. A west greater than the east crosses the
    /// antimeridian.
    public var bounds: BoundingBox?
    /// The labels of the copy, which replace the tileset's.
    public var labels = TilesetLabels()
    /// The maximum number of tiles that the tileset may have.
    public var maxTiles = BuildResources.standardMaxTiles
    /// Whether an output of another program is replaced.
    public var force = false
    /// Whether everything is written to the disk before success is reported.
    public var fsync = false

    /// Asks for a copy.
    public init(_ input: String, to output: String) {
        self.input = input
        self.output = output
    }

    /// Refuses contradictions.
    ///
    /// - Throws: `.usage`.
    package func check() throws {
        if let url { try WebAddress.checkBase(url) }
        try zooms.check()
        if let bounds, bounds.minY > bounds.maxY {
            throw Failure(
                .usage, "the south of --bounds is north of its north", remedy: "give W,S,E,N in degrees")
        }
        try TilesetContainer.checkName(output)
        try TilesetContainer(path: output).check(template: template, scheme: scheme, url: url)
    }
}

/// The copy of a tileset into another container: the same tiles, with new documents.
public struct TilesetConversion: Sendable {
    private let request: ConversionRequest
    private let copy: TilesetCopy
    /// Warnings for the user about the tileset.
    public let warnings: [Warning]

    /// Prepares a copy. A tileset that does not state its contents is first read once.
    ///
    /// - Throws: a `Failure` that says what is wrong with the request or with the tileset.
    public init(_ request: ConversionRequest) throws {
        self.request = request
        try request.check()
        let (input, output) = (request.input, request.output)
        try Self.checkPlaces(input, output)
        let source = try StoredTileset(
            input, floor: request.floor, scheme: request.inScheme, maxTiles: request.maxTiles)
        try source.tree?.checkNobodyWrites()
        warnings = request.inScheme == nil ? source.warnings : []
        let part = TilesetPart(of: source, zooms: request.zooms, bounds: request.bounds)
        copy = try TilesetCopy(
            of: part ?? source.reader, metadata: part?.metadata ?? source.metadata, budget: source.budget,
            request)
        try Self.check(output, copy, sparing: source)
        let container = TilesetContainer(path: output)
        if !container.takesMixedTypes, copy.format == .auto {
            throw Failure(
                .usage, cannot: "convert '\(input)' to \(container.name)",
                "its tiles are PNG or JPEG, and PMTiles has one type",
                remedy: "a folder or MBTiles can hold both PNG and JPEG")
        }
    }

    /// Refuses a tileset as its own copy, and nested folders, whose files would collide.
    private static func checkPlaces(_ input: String, _ output: String) throws {
        if OutputFile.areSame(input, output) {
            throw Failure(
                .usage, cannot: "convert '\(input)' into itself", nil, remedy: "choose another OUT")
        }
        if [input, output].contains(where: { TilesetContainer(existing: $0).isArchive }) { return }
        for (inner, outer) in [(output, input), (input, output)] where OutputFile.isInside(inner, outer) {
            throw Failure(
                .usage, cannot: "convert '\(input)' into '\(output)'", "'\(inner)' is in '\(outer)'",
                remedy: "choose another OUT")
        }
    }

    private static func check(_ output: String, _ copy: TilesetCopy, sparing source: StoredTileset) throws {
        if let tree = source.tree {
            return try ReadFiles.check(output, isNoPartOf: source.path) {
                tree.names.coordinate(ofPath: $0) != nil
            }
        }
        let files = ReadFiles([source.path] + MBTilesWriter.companionEndings.map { source.path + $0 })
        if TilesetContainer(path: output).isArchive { return try files.check(archive: output) }
        try files.check(folder: output) {
            copy.names.coordinate(ofPath: $0) != nil || copy.documents.contains($0)
        }
    }

    /// The hash of all tiles of the copy.
    public var digest: String { copy.contents.digest }

    /// The number of tiles to copy.
    public var tileCount: Int { copy.contents.tileCount }

    /// Copies all tiles; removes the copy if the input is damaged. The next run continues a copy that was
    /// stopped.
    ///
    /// Returns when everything is copied: call it from a task that may wait.
    ///
    /// - Parameter progress: receives the number of tiles that are done.
    /// - Throws: a `Failure`; `CancellationError` if the task was cancelled.
    public func run(progress: (Int) -> Void = { _ in }) throws -> TilesetSummary {
        var place = TilesetOptions(
            path: request.output, force: request.force, origin: copy.origin, fsync: request.fsync)
        place.budget = ReadingBudget(tiles: request.maxTiles)
        return try copy.run(to: place, progress: progress)
    }
}

/// A tileset to be copied: its tiles byte by byte, with new documents.
struct TilesetCopy {
    /// The names of the tiles in a tree, and their floor.
    let names: TileNames
    /// The hash of the contents: copies with the same hash are the same.
    let hash: ContentHash
    /// The origin of the tiles, as far as the source knows it.
    let origin: TilesetOrigin
    /// The contents of a complete copy.
    let contents: TilesetContents

    /// The names of the files of a tree that are not tiles.
    var documents: [String] { TilesetDocuments(metadata).sideFiles.map(\.name) }

    /// The file type of the tiles.
    var format: TileFormat { metadata.format }

    /// Further rows for the metadata of MBTiles.
    var otherRows: [MetadataRow] = []

    private let source: any TileCollection
    private let budget: ReadingBudget
    private let metadata: TilesetMetadata

    /// Prepares a copy. Tiles whose contents the metadata does not state are first read once.
    ///
    /// - Throws: `.badInput` if there are no tiles, or they are not images.
    init(
        of source: any TileCollection, metadata: TilesetMetadata, budget: ReadingBudget,
        _ request: ConversionRequest
    ) throws {
        (self.source, self.budget) = (source, budget)
        var metadata = metadata
        if let claimed = metadata.contents, !claimed.digest.isEmpty, claimed.tileCount > 0 {
            contents = claimed
        } else {
            let survey = try Survey(of: source, budget: budget)
            contents = survey.contents
            metadata.format = survey.format
        }
        if metadata.name == source.path { metadata.name = source.path.fileStem }
        metadata.name = request.labels.name ?? metadata.name
        metadata.description = request.labels.description ?? metadata.description
        metadata.attribution = request.labels.attribution ?? metadata.attribution
        names = try TileNames(
            writing: metadata.format, as: request.template ?? TileTemplate.standard, floor: metadata.floor,
            scheme: request.scheme ?? .xyz)
        metadata.template = names.clientTemplate
        metadata.scheme = names.clientScheme
        metadata.baseURL = request.url
        self.metadata = metadata
        origin = source.origin
        hash = JobFingerprint.ofCopy(contents)
    }

    /// Copies everything; removes the copy if the input is damaged.
    ///
    /// - Parameter place: the options of the new tileset.
    func run(to place: TilesetOptions, progress: (Int) -> Void) throws -> TilesetSummary {
        var place = place
        place.reusesTiles = false
        var tileset = try place.open(names: names, job: hash, scratchDirectory: place.path.parentDirectory)
        let metadata: TilesetMetadata
        do {
            metadata = try write(to: &tileset, progress: progress)
        } catch let failure as Failure where failure.kind == .badInput {
            try tileset.discard()
            throw failure
        } catch {
            try tileset.suspend()
            throw error
        }
        var documents = TilesetDocuments(metadata)
        let known = Set(documents.rows(origin: origin).map(\.name))
        documents.rows += otherRows.filter { !known.contains($0.name) }
        return try tileset.finish(documents)
    }

    /// Writes all tiles except those that an interrupted copy has written already.
    ///
    /// - Returns: the metadata of the copy.
    /// - Throws: `.badInput` if the tiles differ from the source's claim, `CancellationError` if the task was
    ///   cancelled.
    private func write(
        to tileset: inout any TilesetWriter, progress: (Int) -> Void
    ) throws -> TilesetMetadata {
        let (staged, isComplete) = (tileset.staged, tileset.isComplete)
        var count = 0
        let metadata = try readTiles { tile in
            if !isComplete, !staged.contains(tile.coordinate) { try tileset.write(tile) }
            count += 1
            progress(count)
        }
        guard tileset.contents == contents else { throw mismatch }
        return metadata
    }

    /// Reads all tiles, in the order in which they are stored.
    ///
    /// - Returns: the metadata of the copy.
    /// - Throws: `.badInput` if there are more or fewer tiles than the source claims, `CancellationError` if
    ///   the task was cancelled; the errors of `body`.
    func readTiles(_ body: (EncodedTile) throws -> Void) throws -> TilesetMetadata {
        var zooms = TilesByZoom()
        var count = 0
        try budget.check(contents.tileCount, of: source.path)
        try source.forEachTile { tile in
            try Task.checkCancellation()
            // A file may hold many more tiles than it claims.
            if count == contents.tileCount { throw mismatch }
            try body(tile)
            zooms.count(tile.coordinate)
            count += 1
        }
        guard count == contents.tileCount else { throw mismatch }
        var metadata = metadata
        metadata.limits = zooms.limits
        metadata.contents = contents
        metadata.fitBounds()
        return metadata
    }

    /// The failure if the tiles are not those that the source claims.
    var mismatch: Failure {
        Failure(
            .badInput, cannot: "copy the tiles of '\(source.path)'", "its tiles differ from its metadata",
            remedy: "'tilewright verify' reports what is wrong")
    }

    /// The contents of a tileset that does not state them.
    private struct Survey {
        var contents: TilesetContents
        var format: TileFormat

        init(of tiles: any TileCollection, budget: ReadingBudget) throws {
            let path = tiles.path
            var tally = TileTally()
            var types: Set<TileFormat> = []
            try tiles.forEachTile { tile in
                try Task.checkCancellation()
                guard let type = TileFormat(signatureOf: tile.bytes) else {
                    let place = tiles.place(of: tile.coordinate)
                    throw Failure(
                        .badInput, "cannot copy the tiles of '\(path)': \(place) is not a PNG, JPEG or WebP",
                        remedy: "only images of these types can be converted")
                }
                types.insert(type)
                tally.count(tile)
                try budget.check(tally.tileCount, of: path)
            }
            guard !types.isEmpty else {
                throw Failure(
                    .badInput,
                    "cannot copy the tiles of '\(path)': it holds no tiles\(tiles is TilesetPart ? " there" : "")"
                )
            }
            guard let format = TileFormat(holding: types) else {
                let names = types.map(\.rawValue).sorted().joined(separator: " and ")
                throw Failure(
                    .badInput, "cannot copy the tiles of '\(path)': its tiles are \(names)",
                    remedy: "only tiles of one type, or of PNG and JPEG, can be converted")
            }
            self.contents = tally.contents
            self.format = format
        }
    }
}
