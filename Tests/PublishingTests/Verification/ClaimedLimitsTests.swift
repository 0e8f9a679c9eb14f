import Testing
import Tiling

@testable import Publishing

/// The range of tiles that a tileset states, compared with its tiles.
@Suite struct ClaimedLimitsTests {
    private static func problems(
        _ claims: [TileRange], tiles: [(column: Int, row: Int)]
    ) -> [String] {
        var limits = ClaimedLimits(claims)
        for tile in tiles {
            let isClaimed = limits.count(
                TileCoordinate(zoom: 4, column: tile.column, row: tile.row))
            #expect(isClaimed)
        }
        return limits.problems
    }

    private static let claim = TileRange(zoom: 4, columns: 3...5, rows: 2...6)

    @Test("a claim is good if tiles touch each of its edges")
    func tight() {
        #expect(Self.problems([Self.claim], tiles: [(3, 4), (5, 2), (4, 6)]).isEmpty)
        #expect(
            Self.problems([Self.claim], tiles: [(3, 4), (4, 2), (4, 6)]) == [
                "claims tiles at zoom 4, columns 3-5, rows 2-6, but they end at "
                    + "zoom 4, columns 3-4, rows 2-6"
            ])
        #expect(
            Self.problems([Self.claim], tiles: []) == [
                "claims tiles at zoom 4, columns 3-5, rows 2-6, but there are none"
            ])
    }

    @Test("a tile outside the claim is reported")
    func nextTo() {
        var limits = ClaimedLimits([Self.claim])
        for (zoom, column, row) in [(4, 2, 4), (4, 4, 7), (5, 4, 4)] {
            let isClaimed = limits.count(TileCoordinate(zoom: zoom, column: column, row: row))
            #expect(!isClaimed)
        }
    }

    @Test("across the antimeridian both claims reach to it, and share their rows")
    func antimeridian() {
        let claims = [
            TileRange(zoom: 4, columns: 13...15, rows: 2...6),
            TileRange(zoom: 4, columns: 0...1, rows: 2...6),
        ]
        // No tile stands at the antimeridian itself.
        #expect(Self.problems(claims, tiles: [(13, 2), (14, 3), (1, 6)]).isEmpty)
        #expect(Self.problems(claims, tiles: [(14, 2), (1, 6)]).count == 1)
        #expect(Self.problems(claims, tiles: [(13, 2), (1, 5)]).count == 2)
    }
}
