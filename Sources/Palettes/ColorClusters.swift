/// The colours of a palette while they are found: some stay, the others move to the middle of the
/// pixels that they stand for.
struct ColorClusters {
    private var entries: [Entry]
    /// Where those begin that move.
    private let firstMoving: Int

    private struct Entry {
        var point: SIMD4<Double>
        var isOpaque: Bool
    }

    init(fixed: [RGBA], moving: [WeightedPoint]) {
        entries =
            fixed.map { Entry(point: SIMD4(ColorPoint.point(of: $0)), isOpaque: $0.alpha == 255) }
            + moving.map { Entry(point: $0.point, isOpaque: $0.isOpaque) }
        firstMoving = fixed.count
    }

    /// Moves each entry to the mean of the points that are nearest to it.
    mutating func move(to points: [WeightedPoint]) {
        for (index, sums) in sums(points).enumerated() where index >= firstMoving && sums.weight > 0 {
            entries[index].point = sums.sum / sums.weight
        }
    }

    /// The colours of the entries that move.
    ///
    /// - Parameter flat: colours of flat areas; if most of an entry's pixels have one of them, the
    ///   entry becomes that colour.
    func colors(_ points: [WeightedPoint], flat: [CountedColor]) -> [RGBA] {
        let weights = sums(points).map(\.weight)
        var colors = entries.map { ColorPoint.color(at: $0.point) }
        var isSettled = entries.indices.map { $0 < firstMoving }
        // The first of an entry is the largest.
        for color in flat {
            let point = SIMD4<Double>(ColorPoint.point(of: color.color))
            let index = nearest(to: point, isOpaque: color.color.alpha == 255)
            if isSettled[index] { continue }
            isSettled[index] = true
            if 2 * Double(color.count) > weights[index] { colors[index] = color.color }
        }
        return Array(colors[firstMoving...])
    }

    /// Of the points that are nearest to each entry; a translucent one does not make an opaque entry
    /// translucent.
    private func sums(_ points: [WeightedPoint]) -> [Moments] {
        var sums = entries.map { _ in Moments() }
        for point in points {
            let index = nearest(to: point.point, isOpaque: point.isOpaque)
            if point.isOpaque == entries[index].isOpaque { sums[index].add(point) }
        }
        return sums
    }

    /// The nearest entry, the first of several; for an opaque point one that is opaque.
    private func nearest(to point: SIMD4<Double>, isOpaque: Bool) -> Int {
        var (best, distance) = (0, Double.infinity)
        for (index, entry) in entries.enumerated() where entry.isOpaque || !isOpaque {
            let other = ColorPoint.squaredDistance(entry.point, point)
            if other < distance { (best, distance) = (index, other) }
        }
        return best
    }
}

extension SIMD4<Double> {
    /// The same numbers.
    fileprivate init(_ whole: SIMD4<Int32>) {
        self.init(Double(whole.x), Double(whole.y), Double(whole.z), Double(whole.w))
    }
}
