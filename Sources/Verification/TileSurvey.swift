import Tilesets
import Tiling

/// The tiles of a tileset while they are looked at: some of them in memory, 32 bytes of each other.
final class TileSurvey {
    /// Tiles that are decoded together, and their bytes: enough for all cores, and little memory.
    private static let (batchCount, batchBytes) = (256, 16 << 20)

    /// All tiles, those that are missing among them.
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
    ///   - limits: the tiles that are claimed, or nil where nothing is.
    ///   - place: how messages name a tile.
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

    /// Takes a fault.
    func add(_ fault: TilesetFault) {
        faultCount += 1
        if let tile = fault.tile {
            tally.count(missing: tile)
            _ = claims?.count(tile)
        }
        report(fault)
    }

    /// Takes a tile.
    ///
    /// - Throws: `CancellationError` where nobody wants to know any more.
    func add(_ tile: EncodedTile) throws {
        tally.count(tile)
        batch.append(tile)
        bytes += tile.bytes.count
        if batch.count == Self.batchCount || bytes >= Self.batchBytes { try inspectBatch() }
    }

    /// Looks at the last tiles.
    func finish() throws { try inspectBatch() }

    /// What is claimed of the range of tiles and is not so.
    var limitProblems: [String] { claims?.problems ?? [] }

    private func inspectBatch() throws {
        try Task.checkCancellation()
        let problems = inspector.problems(of: batch)
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
