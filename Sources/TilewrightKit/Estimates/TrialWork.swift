import Codecs
import Pyramid

/// How many tiles may be tried: so many that a trial costs a twentieth of the build, and less than a second.
struct TrialWork {
    /// The share of the tiles that are tried.
    private static let share = 0.04
    /// Tiles that are tried of a small tileset, too.
    private static let fewest = 32.0
    /// Seconds that all trials may take, on all jobs together.
    private static let mostSeconds = 0.8
    /// How many times as many are tried if some tiles are JPEG and others PNG, which differ more from each other.
    private static let ofTwoFormats = 1.5

    /// Tiles in all.
    private let tiles: Double

    init(_ plan: TilesetPlan) {
        let encoding = plan.request.encoding
        let pixels = Double(plan.request.tileSize.rawValue * plan.request.tileSize.rawValue)
        let seconds =
            pixels * (EncodingCost.renderSeconds + encoding.secondsPerPixel)
            * (encoding.palette == nil ? 1 : 2)
        let spread = encoding.format == .auto ? Self.ofTwoFormats : 1
        tiles = min(
            spread * max(Self.fewest, Double(plan.tileCount) * Self.share), Self.mostSeconds / seconds)
    }

    /// How many tiles of a zoom are to be tried: each zoom has half as many as the next finer one, since it has a
    /// quarter of the tiles and is as unknown.
    ///
    /// - Returns: nil if the zoom counts for too little.
    func tiles(zoomsOut: Int, of count: Int) -> Int? {
        let wanted = tiles / Double(2 << min(zoomsOut, 40))
        if wanted < 0.6 { return nil }
        return min(count, max(2, Int(wanted.rounded(.up))))
    }
}
