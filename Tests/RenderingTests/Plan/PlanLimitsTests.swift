import Georeferencing
import Rendering
import Testing
import Tiling

@Suite struct PlanLimitsTests {
    @Test("the limits are those of the tiles that exist, in two parts across the antimeridian")
    func limits() async throws {
        // mercantile.tiles(179.5, -17.3, -179.4, -16.2, zooms)
        let mapping = try Placement.degrees(179.5, -17.3, -179.4, -16.2, width: 110, height: 110)
        let build = TestBuild(
            mapping, .flat([1, 2, 3], width: 110, height: 110), zooms: 0...6, resampling: .area)
        let (tiles, summary) = try await build.runWithSummary()
        let limits = try build.plan().limits(of: tiles.tiles.keys)
        let expected = [
            TileRange(zoom: 0, columns: 0...0, rows: 0...0),
            TileRange(zoom: 1, columns: 0...1, rows: 1...1),
            TileRange(zoom: 2, columns: 3...3, rows: 2...2),
            TileRange(zoom: 2, columns: 0...0, rows: 2...2),
            TileRange(zoom: 3, columns: 7...7, rows: 4...4),
            TileRange(zoom: 3, columns: 0...0, rows: 4...4),
            TileRange(zoom: 4, columns: 15...15, rows: 8...8),
            TileRange(zoom: 4, columns: 0...0, rows: 8...8),
            TileRange(zoom: 5, columns: 31...31, rows: 17...17),
            TileRange(zoom: 5, columns: 0...0, rows: 17...17),
            TileRange(zoom: 6, columns: 63...63, rows: 34...35),
            TileRange(zoom: 6, columns: 0...0, rows: 34...35),
        ]
        #expect(Set(limits) == Set(expected))
        #expect(limits.map(\.zoom) == expected.map(\.zoom))
        #expect(summary.encodedBytes == summary.tiles * 256 * 256 * 4)
    }
}
