import Platform
import Synchronization
package import Tilesets
package import Tiling

/// The tiles of a tileset during a check. It keeps one batch in memory, plus 32 bytes for every tile outside
/// the batch and about 30 for every distinct content. A content is decoded once, even if many tiles have it.
final class TileSurvey {
    /// The maximum number of tiles, contents and bytes in a batch: enough for all cores, but little memory.
    private static let (batchTiles, batchCount, batchBytes) = (1 << 14, 256, 16 << 20)

    /// All tiles, including missing ones.
    private(set) var tally = TileTally()
    /// The number of faults.
    private(set) var faultCount = 0

    private let inspector: TileInspector
    private let budget: ReadingBudget
    private let path: String
    private let place: (TileCoordinate) -> String
    private let report: (TilesetFault) -> Void
    private var claims: ClaimedLimits?
    /// Contents in the order in which they were read, those of the batch last.
    private var contents = ContentSet()
    /// The problems of contents, by their numbers.
    private var problems: [Int: String] = [:]
    /// Each text once, because there may be as many problems as contents.
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
    ///   - budget: the limit of tiles.
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

    /// Checks the last tiles, and frees the data about contents.
    func finish() throws {
        try inspectBatch()
        contents = ContentSet()
    }

    /// The problems of the claimed limits, one clause each.
    var limitProblems: [String] { claims?.problems ?? [] }

    private func inspectBatch() throws {
        try Task.checkCancellation()
        for (index, problem) in try inspector.problems(of: batch.contents) {
            problems[batch.first + index] = texts.insert(problem).memberAfterInsert
        }
        for (tile, content) in batch.tiles {
            if let problem = problems[content] { add(TilesetFault(place(tile), problem)) }
            if claims?.count(tile) == false {
                add(TilesetFault(place(tile), "is outside the claimed limits of its zoom"))
            }
        }
        batch = Batch(first: batch.first + batch.contents.count)
    }
}

/// Decodes tiles on all cores and checks that they are sound.
package struct TileInspector: Sendable {
    /// Decodes the bytes of a tile, and returns their type and size in pixels. The message of its failure is
    /// a clause.
    package typealias Decoder =
        @Sendable (_ bytes: [UInt8]) throws -> (format: TileFormat, width: Int, height: Int)

    /// The file types that tiles may have.
    private let formats: Set<TileFormat>
    private let tileSize: Int
    private let decode: Decoder

    /// Makes an inspector that expects the file types and the tile size of a tileset.
    package init(_ metadata: TilesetMetadata, decode: @escaping Decoder) {
        formats = metadata.format.members
        tileSize = metadata.tileSize
        self.decode = decode
    }

    /// The problems of the contents of tiles, by their index; sound contents have no entry.
    ///
    /// - Throws: if the system fails, for example with too little memory, and not because of a tile.
    func problems(of contents: [[UInt8]]) throws -> [Int: String] {
        let problems = Mutex<[Int: Result<String?, any Error>]>([:])
        // The readers pass tiles in a loop that cannot wait, so the loop's thread also decodes.
        JobServer.current.concurrentPerform(iterations: contents.count) { index in
            let found = Result { try problem(of: contents[index]) }
            problems.withLock { $0[index] = found }
        }
        return try problems.withLock { $0 }.compactMapValues { try $0.get() }
    }

    private func problem(of bytes: [UInt8]) throws -> String? {
        do {
            let picture = try decode(bytes)
            if !formats.contains(picture.format) {
                let expected = formats.map(\.name).sorted().joined(separator: " or ")
                return "is \(picture.format.name), but the tileset's format is \(expected)"
            }
            if picture.width != tileSize || picture.height != tileSize {
                return "has \(picture.width) x \(picture.height) pixels, in a tileset of "
                    + "\(tileSize) x \(tileSize)"
            }
            return nil
        } catch let failure as Failure {
            if failure.isOfSystem { throw failure.inAttempt("decode a tile") }
            return "cannot be decoded: \(failure.message)"
        } catch {
            return "cannot be decoded: \(error)"
        }
    }
}

extension TileFormat {
    /// The file type's name for people.
    fileprivate var name: String { self == .webp ? "WebP" : rawValue.uppercased() }
}

/// The tiles that a tileset says it has, and which of their columns and rows are filled.
struct ClaimedLimits {
    private let claimed: [TileRange]
    /// The columns and rows of the tiles found in each; nil if none was found.
    private var filled: [TileRange?]

    /// Uses the claimed limits.
    init(_ claimed: [TileRange]) {
        self.claimed = claimed
        filled = claimed.map { _ in nil }
    }

    /// Counts a tile as found.
    ///
    /// - Returns: whether it is within the claimed limits.
    mutating func count(_ tile: TileCoordinate) -> Bool {
        let index = claimed.firstIndex {
            $0.zoom == tile.zoom && $0.columns.contains(tile.column) && $0.rows.contains(tile.row)
        }
        guard let index else { return false }
        var limits = filled[index] ?? TileRange(zoom: tile.zoom, column: tile.column, row: tile.row)
        limits.extend(toColumn: tile.column, row: tile.row)
        filled[index] = limits
        return true
    }

    /// The problems of the claims, one clause each.
    var problems: [String] {
        zip(claimed, filled).compactMap { claim, found in
            guard let found else { return "claims tiles at \(claim.text), but there are none" }
            let actual = TileRange(
                zoom: claim.zoom, columns: columns(of: found, in: claim), rows: rows(at: claim.zoom))
            if actual == claim { return nil }
            return "claims tiles at \(claim.text), but they end at \(actual.text)"
        }
    }

    /// The columns that a claim should name. If a zoom has two claims, which meet at the antimeridian,
    /// both reach it even if there are no tiles.
    private func columns(of found: TileRange, in claim: TileRange) -> ClosedRange<Int> {
        var columns = found.columns
        guard claimed.count(where: { $0.zoom == claim.zoom }) > 1 else { return columns }
        if claim.columns.lowerBound == 0 { columns = 0...columns.upperBound }
        let last = (1 << claim.zoom) - 1
        if claim.columns.upperBound == last { columns = columns.lowerBound...last }
        return columns
    }

    /// The rows of all tiles of a zoom, which its two claims share.
    private func rows(at zoom: Int) -> ClosedRange<Int> {
        let rows = filled.compactMap(\.self).filter { $0.zoom == zoom }.map(\.rows)
        return rows.map(\.lowerBound).reduce(Int.max, min)...rows.map(\.upperBound).reduce(0, max)
    }
}

extension TileRange {
    /// The zoom, columns and rows as a clause.
    fileprivate var text: String {
        "zoom \(zoom), columns \(columns.lowerBound)-\(columns.upperBound), "
            + "rows \(rows.lowerBound)-\(rows.upperBound)"
    }
}
