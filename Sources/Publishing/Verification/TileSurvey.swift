import Platform
import Tilesets
import Tiling

/// The tiles of a tileset during a check: a batch in memory, 32 bytes for each other tile, and some 30 for each
/// content. Contents are decoded once, whatever the number of tiles that have them.
final class TileSurvey {
    /// The most tiles, contents and bytes in a batch: enough for all cores, but little memory.
    private static let (batchTiles, batchCount, batchBytes) = (1 << 14, 256, 16 << 20)

    /// All tiles, also the missing ones.
    private(set) var tally = TileTally()
    /// The number of faults.
    private(set) var faultCount = 0

    private let inspector: TileInspector
    private let budget: ReadingBudget
    private let path: String
    private let place: (TileCoordinate) -> String
    private let report: (TilesetFault) -> Void
    private var claims: ClaimedLimits?
    /// Contents in the order of their coming, those of the batch last.
    private var contents = ContentSet()
    /// What is wrong with contents, by their numbers.
    private var problems: [Int: String] = [:]
    /// Each of these once: there may be as many problems as contents.
    private var texts: Set<String> = []
    private var batch = Batch()

    /// Tiles that are not checked yet.
    private struct Batch {
        /// Each tile and the number of its content.
        var tiles: [(tile: TileCoordinate, content: Int)] = []
        /// The contents that are new, and the number of the first one.
        var contents: [[UInt8]] = []
        var first = 0
        var bytes = 0
    }

    /// Starts a survey.
    ///
    /// - Parameters:
    ///   - reader: the tileset.
    ///   - limits: the tiles that the tileset says it has; nil if it does not say.
    ///   - budget: how many tiles it may have.
    ///   - report: takes each fault.
    init(
        of reader: any TilesetReader, inspector: TileInspector, limits: [TileRange]?,
        budget: ReadingBudget, report: @escaping (TilesetFault) -> Void
    ) {
        self.inspector = inspector
        self.budget = budget
        self.report = report
        (path, place) = (reader.path, reader.place)
        claims = limits.map(ClaimedLimits.init)
    }

    /// Counts and reports a fault.
    func add(_ fault: TilesetFault) {
        faultCount += 1
        if let tile = fault.tile {
            tally.count(missing: tile)
            _ = claims?.count(tile)
        }
        report(fault)
    }

    /// Counts a tile, and checks it with its batch.
    ///
    /// - Throws: `.usage` if there are too many; `CancellationError` if the task was cancelled.
    func add(_ tile: EncodedTile) throws {
        let (number, isNew) = contents.insert(tally.count(tile))
        try budget.check(tally.tileCount, of: path)
        batch.tiles.append((tile.coordinate, number))
        if isNew {
            batch.contents.append(tile.bytes)
            batch.bytes += tile.bytes.count
        }
        if batch.tiles.count == Self.batchTiles || batch.contents.count == Self.batchCount
            || batch.bytes >= Self.batchBytes
        {
            try inspectBatch()
        }
    }

    /// Checks the last tiles, and lets go of what is known of contents.
    func finish() throws {
        try inspectBatch()
        contents = ContentSet()
    }

    /// What is wrong with the claimed limits, a clause each.
    var limitProblems: [String] { claims?.problems ?? [] }

    private func inspectBatch() throws {
        try Task.checkCancellation()
        for (index, problem) in try inspector.problems(of: batch.contents) {
            problems[batch.first + index] = texts.insert(problem).memberAfterInsert
        }
        for (tile, content) in batch.tiles {
            if let problem = problems[content] { add(TilesetFault(place(tile), problem)) }
            if claims?.count(tile) == false {
                add(TilesetFault(place(tile), "is outside the limits that are claimed for its zoom"))
            }
        }
        batch = Batch(first: batch.first + batch.contents.count)
    }
}
