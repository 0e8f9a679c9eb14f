import Platform
import Synchronization
import Testing
import Tilesets
import Tiling

@testable import Publishing

/// A tileset in memory, lent as readers do.
private struct Tiles: TilesetReader {
    var path: String { "tiles" }
    var origin: TilesetOrigin { TilesetOrigin() }
    var changed: Int? { nil }
    let all: [EncodedTile]

    func statement() throws -> TilesetStatement { .metadataJSON(Array("{}".utf8)) }
    func limits() throws -> [TileRange] { [] }
    func forEachTile(_ body: (EncodedTile) throws -> Void) throws { try all.forEach(body) }
    func survey() throws -> TilesetSurvey { fatalError("nobody asks for it") }
    func tile(at coordinate: TileCoordinate) throws -> [UInt8]? { nil }
    func check(_ report: (TilesetFault) -> Void, tiles body: (EncodedTile) throws -> Void) throws {
        try all.forEach(body)
    }
}

/// How often contents are decoded, and what is said of the tiles that have them.
@Suite struct TileSurveyTests {
    /// Tiles of a row, each of one byte.
    private func tiles(_ bytes: [UInt8]) -> Tiles {
        Tiles(
            all: bytes.enumerated().map { index, byte in
                EncodedTile(coordinate: TileCoordinate(zoom: 20, column: index, row: 0), bytes: [byte])
            })
    }

    /// Checks tiles; 9 cannot be decoded.
    ///
    /// - Returns: the faults of tiles, and how often something was decoded.
    private func check(
        _ tiles: Tiles, budget: ReadingBudget = ReadingBudget()
    ) throws -> (faults: [String], decodings: Int) {
        let decodings = Mutex(0)
        let inspector = TileInspector(
            TilesetMetadata(
                name: "", description: "", attribution: "", floor: nil, format: .png, tileSize: 256,
                scheme: .xyz, template: "", baseURL: nil,
                bounds: BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: 1), limits: [], contents: nil)
        ) { bytes in
            decodings.withLock { $0 += 1 }
            if bytes == [9] { throw Failure(.badInput, "it is broken") }
            return (.png, 256, 256)
        }
        var faults: [String] = []
        let verification = try TilesetVerification(
            of: tiles, floor: nil, inspector: inspector, budget: budget)
        _ = try verification.run(progress: { _ in }) {
            if $0.place.hasPrefix("tile ") { faults.append("\($0)") }
        }
        return (faults, decodings.withLock { $0 })
    }

    @Test("a content is decoded once, and each of its tiles has its fault, in their order")
    func once() throws {
        let bytes = (0..<1000).map { $0 % 100 == 7 ? 9 : UInt8($0 % 3) }
        let (faults, decodings) = try check(tiles(bytes))
        #expect(decodings == 4)
        #expect(faults == (0..<10).map { "tile 20/\($0 * 100 + 7)/0: cannot be decoded: it is broken" })
    }

    @Test("contents of earlier batches are not decoded again")
    func batches() throws {
        let bytes = (0..<100_000).map { UInt8($0 / 500 % 200) }
        let (faults, decodings) = try check(tiles(bytes))
        #expect(decodings == 200)
        #expect(faults.count == 500)
    }

    @Test("more tiles than allowed are refused")
    func tooMany() throws {
        #expect(try check(tiles([1, 2, 3]), budget: ReadingBudget(tiles: 3)).decodings == 3)
        let failure = try #require(throws: Failure.self) {
            try check(tiles([1, 2, 3]), budget: ReadingBudget(tiles: 2))
        }
        #expect(failure.kind == .usage)
    }
}
