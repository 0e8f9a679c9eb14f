import Platform

/// Chooses the colours of a palette.
///
/// Pure white, pure black and full transparency come first, if the pictures have them; then colours that
/// fill much of flat areas. The others are means of boxes by Wu's cuts (`ColorBox`), moved by k-means
/// (Lloyd, "Least squares quantization in PCM", 1982). Opaque pixels get opaque colours. All sums
/// have a fixed order, so that a histogram has one palette.
struct PaletteQuantizer {
    private let points: [WeightedPoint]
    private let fixed: [CountedColor]
    private let flat: [CountedColor]
    private let free: Int

    /// Rounds of k-means: further ones change a photograph's error by less than 1 %.
    private static let rounds = 8
    /// A flat colour has an entry of its own if it has this many times fewer pixels than an entry
    /// has in the mean.
    private static let flatShare: UInt64 = 4

    /// The palette of at most `size` colours, 2 to 256, for pictures with more than that; nil if
    /// they have no more, so that nothing needs to change.
    ///
    /// - Throws: `Failure` if there is no room for white, black and full transparency.
    static func palette(
        of histogram: borrowing ColorHistogram, size: Int
    ) throws(Failure) -> Palette? {
        precondition((2...256).contains(size), "a palette of PNG has 2 to 256 colours here")
        if histogram.hasColors(atMost: size) { return nil }
        let pinned = histogram.pinnedColors.count
        guard pinned <= size else {
            throw Failure(
                .usage, "--palette \(size) has no room for white, black and transparency",
                remedy: "the picture has all three, and more: say --palette 4 or a larger number")
        }
        return PaletteQuantizer(histogram, size: size).palette()
    }

    private init(_ histogram: borrowing ColorHistogram, size: Int) {
        let pinned = histogram.pinnedColors
        let flat = histogram.flatColors
        let free = size - pinned.count
        let least = histogram.visiblePixels / (Self.flatShare * UInt64(size))
        let large = flat.prefix(free / 2).prefix { $0.count > least }
        fixed = pinned + large
        self.flat = Array(flat.dropFirst(large.count))
        self.free = free - large.count
        points = histogram.points(without: fixed)
    }

    private func palette() -> Palette {
        var clusters = ColorClusters(fixed: fixed.map(\.color), moving: moving)
        for _ in 0..<Self.rounds { clusters.move(to: points) }
        let colors = fixed.map(\.color) + clusters.colors(points, flat: flat)
        var seen: Set<RGBA> = []
        return Palette(colors.filter { seen.insert($0).inserted })
    }

    /// Where the colours that are free to move begin.
    private var moving: [WeightedPoint] {
        boxes.map { box in
            var mean = points[box.members[0]]
            mean.point = box.mean(points)
            return mean
        }
    }

    /// As many boxes as there are free entries, if there are colours for them.
    private var boxes: [ColorBox] {
        let opaque = points.indices.filter { points[$0].isOpaque }
        let translucent = points.indices.filter { !points[$0].isOpaque }
        var boxes = [opaque, translucent].filter { !$0.isEmpty }.prefix(free)
            .map { ColorBox($0, of: points) }
        while boxes.count < free {
            let gains = boxes.map { $0.cut?.gain ?? 0 }
            guard let best = gains.max(), let index = gains.firstIndex(of: best),
                let cut = boxes[index].cut
            else { break }
            boxes.replaceSubrange(index...index, with: boxes[index].split(points, at: cut))
        }
        return boxes
    }
}
