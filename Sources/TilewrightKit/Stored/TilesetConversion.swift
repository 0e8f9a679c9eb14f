import Platform
import Publishing
public import Tilesets
import Tiling

/// The copy of a tileset into another container: its tiles as they are, its documents made anew.
public struct TilesetConversion: Sendable {
    private let request: ConversionRequest
    private let copy: TilesetCopy
    /// What is not an error, and what the user should know of the tileset.
    public let warnings: [Warning]

    /// Prepares a copy. A tileset that does not say how much it holds is read once for that.
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
        copy = try TilesetCopy(of: source, request)
        try Self.check(output, copy, sparing: source)
        let container = TilesetContainer(path: output)
        if !container.takesMixedTypes, copy.format == .auto {
            throw Failure(
                .usage,
                "cannot convert '\(input)' to \(container.name), whose tiles are all of one type",
                remedy: "a folder or MBTiles take PNG and JPEG together")
        }
    }

    /// Refuses a tileset as its own copy, and folders of which one is in the other: files of both would have one place.
    private static func checkPlaces(_ input: String, _ output: String) throws {
        if OutputFile.areSame(input, output) {
            throw Failure(
                .usage, cannot: "convert '\(input)' into itself", nil, remedy: "give another OUT")
        }
        if [input, output].contains(where: { TilesetContainer(existing: $0).isArchive }) { return }
        for (inner, outer) in [(output, input), (input, output)] where OutputFile.isInside(inner, outer) {
            throw Failure(
                .usage, cannot: "convert '\(input)' into '\(output)'", "'\(inner)' lies in '\(outer)'",
                remedy: "give another OUT")
        }
    }

    /// Refuses to write over the tileset.
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

    /// The number of tiles to copy.
    public var tileCount: Int { copy.contents.tileCount }

    /// Copies all tiles; takes it all back if the input is at fault. A copy that is stopped is gone on
    /// with by the next run.
    ///
    /// Returns when all is copied: call it from a task that may wait.
    ///
    /// - Parameter progress: takes the number of tiles that are done.
    /// - Throws: a `Failure`; `CancellationError` if the task was cancelled.
    public func run(progress: (Int) -> Void = { _ in }) throws -> TilesetSummary {
        var tileset = try TilesetOutput(
            path: request.output, force: request.force, fsync: request.fsync, maxTiles: request.maxTiles,
            scratchDirectory: request.output.parentDirectory
        ).open(names: copy.names, job: copy.hash, of: copy.origin, reusesTiles: false)
        let metadata: TilesetMetadata
        do {
            metadata = try copy.write(to: &tileset, progress: progress)
        } catch let failure as Failure where failure.kind == .badInput {
            try tileset.discard()
            throw failure
        } catch {
            try tileset.suspend()
            throw error
        }
        return try tileset.finish(TilesetDocuments(metadata))
    }
}
