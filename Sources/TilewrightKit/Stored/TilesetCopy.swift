import Platform
import Publishing
import Tilesets
import Tiling

/// A tileset on its way into another container: its tiles byte by byte, its documents made anew.
struct TilesetCopy {
    /// How the tiles are named in a tree, and which floor they show.
    let names: TileNames
    /// What is copied: two copies with one hash are the same.
    let hash: ContentHash
    /// What made the tiles, as far as the source knows.
    let origin: TilesetOrigin
    /// What must arrive.
    let contents: TilesetContents

    /// The names of the files beside the tiles of a tree.
    var documents: [String] { TilesetDocuments(metadata).sideFiles.map(\.name) }

    /// The file type of the tiles.
    var format: TileFormat { metadata.format }

    private let source: any TilesetReader
    private let budget: ReadingBudget
    private let metadata: TilesetMetadata

    /// Prepares a copy. A tileset that does not say how much it holds is read once for that.
    ///
    /// - Throws: `.badInput` if there are no tiles, or they are no images.
    init(of tileset: StoredTileset, _ request: ConversionRequest) throws {
        source = tileset.reader
        budget = tileset.budget
        var metadata = tileset.metadata
        if let claimed = metadata.contents, !claimed.digest.isEmpty, claimed.tileCount > 0 {
            contents = claimed
        } else {
            let survey = try Survey(of: tileset)
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

    /// Writes all tiles but those that an interrupted copy left.
    ///
    /// - Returns: what the copy is to say of itself.
    /// - Throws: `.badInput` if not all arrives that the source claims, `CancellationError`
    ///   if the task was cancelled.
    func write(
        to tileset: inout any TilesetWriter, progress: (Int) -> Void
    ) throws -> TilesetMetadata {
        let (staged, isComplete) = (tileset.staged, tileset.isComplete)
        var zooms = TilesByZoom()
        var count = 0
        try budget.check(contents.tileCount, of: source.path)
        try source.forEachTile { tile in
            try Task.checkCancellation()
            // A file can hold many more than it says.
            if count == contents.tileCount { throw mismatch }
            if !isComplete, !staged.contains(tile.coordinate) { try tileset.write(tile) }
            zooms.count(tile.coordinate)
            count += 1
            progress(count)
        }
        guard count == contents.tileCount, tileset.contents == contents else { throw mismatch }
        var metadata = metadata
        metadata.limits = zooms.limits
        metadata.contents = contents
        metadata.fitBounds()
        return metadata
    }

    private var mismatch: Failure {
        Failure(
            .badInput, cannot: "convert '\(source.path)'", "its tiles are not those that it was made of",
            remedy: "'tilewright verify' says what is wrong with it")
    }
}

extension TilesetCopy {
    /// What a tileset holds that does not say it.
    private struct Survey {
        var contents: TilesetContents
        var format: TileFormat

        init(of tileset: StoredTileset) throws {
            let path = tileset.reader.path
            var tally = TileTally()
            var types: Set<TileFormat> = []
            try tileset.reader.forEachTile { tile in
                try Task.checkCancellation()
                guard let type = TileFormat(signatureOf: tile.bytes) else {
                    let place = tileset.reader.place(of: tile.coordinate)
                    throw Failure(
                        .badInput, "cannot convert '\(path)': \(place) is not a PNG, JPEG or WebP",
                        remedy: "only images of these types can be converted")
                }
                types.insert(type)
                tally.count(tile)
                try tileset.budget.check(tally.tileCount, of: path)
            }
            guard !types.isEmpty else {
                throw Failure(.badInput, "cannot convert '\(path)': it holds no tiles")
            }
            guard let format = TileFormat(holding: types) else {
                let names = types.map(\.rawValue).sorted().joined(separator: " and ")
                throw Failure(
                    .badInput, "cannot convert '\(path)': its tiles are \(names)",
                    remedy: "tiles are of one type, or PNG and JPEG")
            }
            self.contents = tally.contents
            self.format = format
        }
    }
}
