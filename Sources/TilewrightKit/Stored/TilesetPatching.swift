import Platform
import Publishing
public import Tilesets
import Tiling

/// A request for the patch that turns one tileset into another.
public struct DiffRequest: Hashable, Sendable {
    /// The tileset that the patch is for: a folder or an archive.
    public var old: String
    /// The tileset that results.
    public var new: String
    /// The patch, an MBTiles file.
    public var output: String
    /// The floor to compare, if a folder has several.
    public var floor: String?
    /// The maximum number of tiles that a tileset may have.
    public var maxTiles = BuildResources.standardMaxTiles
    /// Whether a file that is not a patch of tilewright is replaced.
    public var force = false
    /// Whether everything is written to the disk before success is reported.
    public var fsync = false

    /// Asks for a patch.
    public init(from old: String, to new: String, output: String) {
        (self.old, self.new, self.output) = (old, new, output)
    }
}

/// The making of a patch: what differs between two tilesets, in the form of martin's `mbtiles diff`.
public struct TilesetDiff: Sendable {
    private let request: DiffRequest
    private let difference: TilesetDifference
    /// Warnings for the user about the tilesets.
    public let warnings: [Warning]

    /// Compares two tilesets, whose tiles are all read.
    ///
    /// - Throws: a `Failure` that says what is wrong with the request or with a tileset; `CancellationError` if
    ///   the task was cancelled.
    public init(_ request: DiffRequest) throws {
        self.request = request
        let output = request.output
        guard TilesetContainer(path: output) == .mbtiles else {
            throw Failure(
                .usage, cannot: "write the patch '\(output)'", "a patch is an MBTiles file",
                remedy: "give it a name that ends in .mbtiles")
        }
        let sides = try [request.old, request.new].map { path in
            if OutputFile.areSame(path, output) || OutputFile.isInside(output, path) {
                throw Failure(
                    .usage, cannot: "write the patch '\(output)'", "that is a part of '\(path)'",
                    remedy: "choose another file for the patch")
            }
            let floor = TilesetContainer(existing: path).isArchive ? nil : request.floor
            let tileset = try StoredTileset(path, floor: floor, maxTiles: request.maxTiles)
            try tileset.tree?.checkNobodyWrites()
            return tileset
        }
        warnings = sides.flatMap(\.warnings)
        difference = try TilesetDifference(
            from: (sides[0].reader, sides[0].rows), to: (sides[1].reader, sides[1].rows),
            budget: ReadingBudget(tiles: request.maxTiles))
    }

    /// The number of tiles to compare.
    public var tileCount: Int { difference.tileCount }

    /// Writes the patch, whole or not at all.
    ///
    /// - Parameter progress: receives the number of tiles that are done.
    /// - Returns: what the patch changes, and the size of its file.
    /// - Throws: a `Failure`; `CancellationError` if the task was cancelled.
    public func run(progress: (Int) -> Void = { _ in }) throws -> TilesetSummary {
        try difference.write(
            to: request.output, force: request.force, fsync: request.fsync, progress: progress)
    }
}

/// A request to apply a patch to a tileset.
public struct PatchRequest: Hashable, Sendable {
    /// The tileset that the patch is for.
    public var tileset: String
    /// The patch.
    public var patch: String
    /// The tileset that results; nil to change the tileset itself, which must be an archive.
    public var output: String?
    /// The floor, if a folder has several.
    public var floor: String?
    /// The maximum number of tiles that the tileset may have.
    public var maxTiles = BuildResources.standardMaxTiles
    /// Whether an output of another program is replaced.
    public var force = false
    /// Whether everything is written to the disk before success is reported.
    public var fsync = false

    /// Asks for a patch to be applied.
    public init(_ tileset: String, patch: String) { (self.tileset, self.patch) = (tileset, patch) }
}

/// The application of a patch: the result has the tiles and the metadata of the tileset that the patch was made
/// from.
public struct TilesetPatching: Sendable {
    private let request: PatchRequest
    private let copy: TilesetCopy
    /// Warnings for the user about the tileset.
    public let warnings: [Warning]

    /// Checks that the patch is for the tileset. Reads all its tiles.
    ///
    /// - Throws: a `Failure`: `badInput` if the patch is for another tileset, or anything is damaged.
    public init(_ request: PatchRequest) throws {
        self.request = request
        let (path, output) = (request.tileset, request.output ?? request.tileset)
        let tileset = try StoredTileset(path, floor: request.floor, maxTiles: request.maxTiles)
        try tileset.tree?.checkNobodyWrites()
        try Self.checkPlaces(request, isTree: tileset.tree != nil)
        warnings = tileset.warnings
        let patch = try TilePatch(request.patch, budget: tileset.budget)
        let tiles = PatchedTiles(tileset.reader, rows: try tileset.rows, after: patch)
        try tiles.check(budget: tileset.budget)
        let old = tileset.metadata
        let metadata = try TilesetMetadata(
            reading: .rows(tiles.rows), limits: { [] }, tileSize: { old.tileSize }, path: path)
        var copy = try TilesetCopy(
            of: tiles, metadata: metadata, budget: tileset.budget, ConversionRequest(path, to: output))
        copy.otherRows = tiles.rows.filter { $0.name != "scheme" }
        self.copy = copy
    }

    private static func checkPlaces(_ request: PatchRequest, isTree: Bool) throws {
        let output = request.output ?? request.tileset
        try TilesetContainer.checkName(output)
        if OutputFile.areSame(output, request.patch) || OutputFile.isInside(request.patch, output) {
            throw Failure(
                .usage, cannot: "write '\(output)'", "the patch is there", remedy: "give another OUTPUT")
        }
        let isSame = OutputFile.areSame(output, request.tileset)
        let isNested =
            OutputFile.isInside(output, request.tileset) || OutputFile.isInside(request.tileset, output)
        if isTree, isSame || isNested {
            throw Failure(
                .usage, cannot: "apply the patch to '\(request.tileset)'",
                "a folder cannot change as a whole",
                remedy: "name a new folder or an archive with -o OUTPUT")
        }
    }

    /// The number of tiles of the result.
    public var tileCount: Int { copy.contents.tileCount }

    /// The hash of all tiles of the result.
    public var digest: String { copy.contents.digest }

    /// Applies the patch, whole or not at all.
    ///
    /// - Parameter progress: receives the number of tiles that are done.
    /// - Throws: a `Failure`; `CancellationError` if the task was cancelled.
    public func run(progress: (Int) -> Void = { _ in }) throws -> TilesetSummary {
        var place = TilesetOptions(
            path: request.output ?? request.tileset, force: request.force, origin: copy.origin,
            fsync: request.fsync)
        place.budget = ReadingBudget(tiles: request.maxTiles)
        // The result may have other images: it was asked for by name.
        place.replacesOthers = request.output == nil
        return try copy.run(to: place, progress: progress)
    }
}

extension StoredTileset {
    /// What the metadata says, as rows of MBTiles.
    fileprivate var rows: [MetadataRow] {
        get throws {
            if case .rows(let rows) = try reader.statement() { return rows }
            return TilesetDocuments(metadata).rows(origin: reader.origin)
        }
    }
}
