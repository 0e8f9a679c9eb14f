import Raster
import Rendering
import Tiling

/// The tiles of a zoom that are tried: the more detail a tile has, the more likely it is chosen.
struct SampledTiles {
    /// The maximum number of tiles that are weighed. If there are more, evenly spread ones represent all.
    private static let mostWeighed = 1 << 14
    /// The bytes of tiles apart from their detail: those of a blank tile, as a share of the mean, and the
    /// factor for a tile in which an image ends or is transparent.
    typealias Weights = (blank: Double, edge: Double)

    /// The least weight of the tiles that can be tried, as a share of the weight of all tiles. With less,
    /// they do not represent the others.
    private static let leastShare = 0.1

    /// The tiles to try.
    let tiles: [TileCoordinate]

    private let sample: WeightedSample
    /// The number of tiles that each represents, because only parts of the images were kept.
    private let times: [Double]
    /// The ratio of the weight of all tiles to that of the tiles that could be chosen.
    private let scale: Double

    /// Chooses tiles.
    ///
    /// - Parameters:
    ///   - level: the zoom.
    ///   - zoomsOut: how many zooms are finer.
    ///   - images: the images that give the weights; empty if all tiles weigh the same.
    ///   - kinds: the bytes of tiles apart from their detail.
    ///   - wanted: the number of tiles to try.
    /// - Returns: nil if too few tiles can be tried, because their pixels were not kept.
    init?(of level: PyramidLevel, zoomsOut: Int, images: [HeldImage], kinds: Weights, wanted: Int) {
        let count = level.tileCount
        let weighed = Self.spread(level, among: count)
        // The least weight of a tile, even if an image hardly touches it.
        let blank = images.map { image in
            kinds.blank * image.meanDetail
                * image.pixels(inTileOf: level.matrix.tileSize, zoomsOut: zoomsOut)
        }
        let weights = weighed.map { tile -> (weight: Double, times: Double?) in
            let square = level.matrix.box(ofTile: tile.column, tile.row)
            var (weight, times): (Double, Double?) = (images.isEmpty ? 1 : 1e-9, 1)
            for (image, blank) in zip(images, blank) {
                guard let window = image.window(under: square) else { continue }
                let seen = image.detail.detail(in: window.pixels) + blank
                let isCovered = window.isWhole && image.detail.isOpaque(in: window.pixels)
                weight += seen * (isCovered ? 1 : kinds.edge)
                let own = image.times(window.pixels, zoomsOut: zoomsOut)
                times = times.flatMap { times in own.map { times * $0 } }
            }
            return (weight, times)
        }
        let held = weights.indices.filter { weights[$0].times != nil }
        let heldTimes = held.map { weights[$0].times ?? 1 }
        let heldWeights = zip(held, heldTimes).map { weights[$0].weight * $1 }
        let (all, tried) = (weights.reduce(0) { $0 + $1.weight }, heldWeights.reduce(0, +))
        guard tried > Self.leastShare * all else { return nil }
        sample = WeightedSample(weights: heldWeights, count: wanted, start: Self.start(zoomsOut))
        times = sample.elements.map { heldTimes[$0] }
        tiles = sample.elements.map { element in
            let tile = weighed[held[element]]
            return TileCoordinate(zoom: level.zoom, column: tile.column, row: tile.row)
        }
        scale = all / tried * Double(count) / Double(max(1, weighed.count))
    }

    /// The sum over all tiles, from the values of those that were tried, and its variance.
    func sum(_ values: [Double]) -> (sum: Double, variance: Double) {
        let (sum, variance) = sample.sum(zip(values, times).map(*), unknown: 0.35)
        return (sum * scale, variance * scale * scale)
    }

    /// A fixed number between 0 and 1 for each zoom, so that the result is the same each time: multiples of
    /// the golden ratio, which are never close to each other.
    private static func start(_ zoomsOut: Int) -> Double {
        (Double(zoomsOut + 1) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
    }

    /// Tiles of the zoom, all or evenly spread ones; column numbers continue beyond the antimeridian.
    private static func spread(_ level: PyramidLevel, among count: Int) -> [(column: Int, row: Int)] {
        // Odd, so that rows do not all have the same columns.
        let step = count <= mostWeighed ? 1 : (count / mostWeighed) | 1
        var tiles: [(column: Int, row: Int)] = []
        var next = step / 2
        for row in level.tileRows {
            for columns in level.tileColumns(inRow: row) {
                while next < columns.count {
                    tiles.append((columns.lowerBound + next, row))
                    next += step
                }
                next -= columns.count
            }
        }
        return tiles
    }
}

extension TileMatrix {
    /// The square of a tile in Mercator metres.
    fileprivate func box(ofTile column: Int, _ row: Int) -> BoundingBox {
        grid.box(of: PixelWindow(columns: pixels(ofTile: column), rows: pixels(ofTile: row)))
    }
}

extension HeldImage {
    /// The mean of its detail per pixel; never 0.
    fileprivate var meanDetail: Double {
        let window = self.window
        return max(1e-6, detail.detail(in: window) / (Double(window.width) * Double(window.height)))
    }
}

/// A sample that estimates sums over all elements. The chance of an element is proportional to its weight.
///
/// Elements are taken at even distances along the sum of the weights (systematic sampling), so that they are
/// spread over the whole. Sums are Hansen-Hurwitz estimates.
struct WeightedSample {
    /// The elements that were chosen, ascending.
    let elements: [Int]

    private let times: [Int]
    private let weights: [Double]
    private let total: Double
    /// The number of draws; 0 if all elements were taken.
    private let draws: Int

    /// Chooses elements.
    ///
    /// - Parameters:
    ///   - weights: the weights of all elements, above 0.
    ///   - count: the number of elements to choose; all are taken if there are hardly more.
    ///   - start: the start of the first distance, 0 to 1.
    init(weights: [Double], count: Int, start: Double) {
        total = weights.reduce(0, +)
        guard count * 3 < weights.count * 2, total > 0 else {
            elements = Array(weights.indices)
            (times, self.weights, draws) = (elements.map { _ in 1 }, weights, 0)
            return
        }
        draws = max(1, count)
        let step = total / Double(draws)
        var (chosen, often, kept): ([Int], [Int], [Double]) = ([], [], [])
        var (next, sum) = (start * step, 0.0)
        for (element, weight) in weights.enumerated() {
            sum += weight
            var hits = 0
            while next < sum, next < total {
                hits += 1
                next += step
            }
            if hits > 0 {
                chosen.append(element)
                often.append(hits)
                kept.append(weight)
            }
        }
        (elements, times, self.weights) = (chosen, often, kept)
    }

    /// The sum over all elements, and its variance.
    ///
    /// - Parameters:
    ///   - values: the values of the chosen elements.
    ///   - unknown: the share by which a value is assumed to differ from its weight, if there are too few
    ///     draws to measure it.
    func sum(_ values: [Double], unknown: Double) -> (sum: Double, variance: Double) {
        guard draws > 0 else { return (values.reduce(0, +), 0) }
        let ratios = zip(values, weights).map { $0 / $1 }
        let count = Double(draws)
        let mean = zip(ratios, times).reduce(0) { $0 + $1.0 * Double($1.1) } / count
        let squares = zip(ratios, times).reduce(0) { sum, each in
            sum + Double(each.1) * (each.0 - mean) * (each.0 - mean)
        }
        // Two values may agree by chance: a few draws of the assumed spread are added.
        let prior = 4.0
        let variance = (squares + prior * unknown * unknown * mean * mean) / (count - 1 + prior)
        return (mean * total, total * total * variance / count)
    }
}
