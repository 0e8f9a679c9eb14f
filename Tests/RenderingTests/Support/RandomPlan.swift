import Rendering
import Tiling
import TestSupport
import Testing

/// Plans of upright images with windows of every kind; all that matters to stages.
enum RandomPlan {
    /// A plan that is confined to some tiles of one of its zooms, and perhaps to those below them.
    static func makePart(_ random: inout SplitMix) throws -> PyramidPlan {
        let whole = try make(&random)
        let level = whole.levels.randomElement(using: &random) ?? whole.levels[0]
        func part(_ tiles: Range<Int>) -> ClosedRange<Int> {
            let (one, other) = (
                Int.random(in: tiles, using: &random), Int.random(in: tiles, using: &random)
            )
            return min(one, other)...max(one, other)
        }
        let limits = TileRange(
            zoom: level.matrix.zoom, columns: part(level.matrix.tiles(ofPixels: level.window.columns)),
            rows: part(level.tileRows))
        let window = TileWindow(limits, downTo: Bool.random(using: &random) ? 30 : nil)
        return try #require(whole.confined(to: window))
    }

    static func make(_ random: inout SplitMix) throws -> PyramidPlan {
        let finest = Int.random(in: 8...14, using: &random)
        let tileSize = [256, 512].randomElement(using: &random) ?? 256
        let matrix = TileMatrix(zoom: finest, tileSize: tileSize)
        let (width, height) = (
            Int.random(in: 1...3000, using: &random), Int.random(in: 1...6000, using: &random)
        )
        let x = Double(Int.random(in: 10_000...30_000, using: &random))
        let y = Double(Int.random(in: 10_000...30_000, using: &random))
        let mapping = try Placement.pixels(
            matrix, x: x...x + Double(width), y: y...y + Double(height), width: width,
            height: height)
        let methods = ResamplingMethod.allCases
        return try PyramidPlan(
            mapping, width: width, height: height,
            zooms: Int.random(in: 0...finest, using: &random)...finest, tileSize: tileSize,
            resampling: methods.randomElement(using: &random) ?? .area,
            overviews: methods.randomElement(using: &random) ?? .area)
    }
}
