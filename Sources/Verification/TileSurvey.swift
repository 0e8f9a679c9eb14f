import Tilesets
import Tiling

/// The tiles of a tileset during a check: a batch in memory, and 32 bytes for each other tile.
final class TileSurvey {
    /// The most tiles and bytes in a batch: enough for all cores, but little memory.
    private static let (batchCount, batchBytes) = (256, 16 << 20)

    /// All tiles, also the missing ones.
    private(set) var tally = TileTally()
    /// The number of faults.
    private(set) var faultCount = 0

    private let inspector: TileInspector
    private let place: (TileCoordinate) -> String
    private let report: (TilesetFault) -> Void
    private var claims: ClaimedLimits?
    private var batch: [EncodedTile] = []
    private var bytes = 0

    /// Starts a survey.
    ///
    /// - Parameters:
    ///   - limits: the tiles that the tileset says it has; nil if it does not say.
    ///   - place: the name of a tile in messages.
    ///   - report: takes each fault.
    init(
        inspector: TileInspector, limits: [TileMatrixLimits]?,
        place: @escaping (TileCoordinate) -> String, report: @escaping (TilesetFault) -> Void
    ) {
        self.inspector = inspector
        self.place = place
        self.report = report
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
    /// - Throws: `CancellationError` if the task was cancelled.
    func add(_ tile: EncodedTile) throws {
        tally.count(tile)
        batch.append(tile)
        bytes += tile.bytes.count
        if batch.count == Self.batchCount || bytes >= Self.batchBytes { try inspectBatch() }
    }

    /// Checks the last tiles.
    func finish() throws { try inspectBatch() }

    /// What is wrong with the claimed limits, a clause each.
    var limitProblems: [String] { claims?.problems ?? [] }

    private func inspectBatch() throws {
        try Task.checkCancellation()
        let problems = try inspector.problems(of: batch)
        for (index, tile) in batch.enumerated() {
            if let problem = problems[index] {
                add(TilesetFault(place(tile.coordinate), problem))
            }
            if claims?.count(tile.coordinate) == false {
                add(
                    TilesetFault(
                        place(tile.coordinate),
                        "is outside the limits that are claimed for its zoom"))
            }
        }
        batch.removeAll(keepingCapacity: true)
        bytes = 0
    }
}
