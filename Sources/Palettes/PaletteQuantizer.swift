import Platform

/// Chooses the colours of a palette.
///
/// Pure white, pure black and full transparency come first, if the pictures have them; then colours that fill
/// large flat areas. The others are means of boxes by Wu's cuts (`ColorBox`), moved by k-means (Lloyd, "Least
/// squares quantization in PCM", 1982). Opaque pixels get opaque colours. All sums have a fixed order, so
/// that a histogram always gives the same palette.
struct PaletteQuantizer {
    private let points: [WeightedPoint]
    private let fixed: [CountedColor]
    private let flat: [CountedColor]
    private let free: Int

    /// Rounds of k-means; more would change a photograph's error by less than 1 %.
    private static let rounds = 8
    /// A flat colour gets its own entry if it has more pixels than an average entry's number divided by this.
    private static let flatShare: UInt64 = 4

    /// The palette of at most `size` colours, 2 to 256, for pictures with more colours; nil if they have no
    /// more, so that nothing needs to change.
    ///
    /// - Throws: `Failure` if the size is too small for white, black and full transparency.
    static func palette(
        of histogram: borrowing ColorHistogram, size: Int
    ) throws(Failure) -> Palette? {
        precondition((2...256).contains(size), "a palette of PNG has 2 to 256 colours here")
        if let all = histogram.all, all.count <= size { return nil }
        let pinned = histogram.pinnedColors.count
        guard pinned <= size else {
            throw Failure(
                .usage, "--palette \(size) has no room for white, black and transparency",
                remedy: "the picture has all three and more: give --palette 4 or a larger number")
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

    /// The initial colours that may move.
    private var moving: [WeightedPoint] {
        boxes.map { box in
            var mean = points[box.members[0]]
            mean.point = box.mean(points)
            return mean
        }
    }

    /// As many boxes as there are free entries, if there are enough colours.
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

/// Some points, and the best cut that divides them in two.
///
/// After Xiaolin Wu, "Efficient Statistical Computations for Optimal Color Quantization" (Graphics Gems II,
/// 1991): the cut is the plane across an axis that reduces the sum of squared errors most. Wu stores the
/// moments of all boxes of a cube. With alpha as a fourth axis that cube would be large, so each box sums its
/// own points instead.
struct ColorBox {
    /// The points' indices, in their order.
    let members: [Int]
    /// The best cut; nil if all points are equal.
    let cut: Cut?

    /// A plane across an axis.
    struct Cut {
        /// The axis, 0 to 3.
        var axis: Int
        /// Points below this are on one side.
        var limit: Int
        /// The reduction of the sum of squared errors.
        var gain: Double
    }

    /// The offset of whole coordinates, which are -255 to 255.
    private static let offset = 255

    init(_ members: [Int], of points: [WeightedPoint]) {
        self.members = members
        var best: Cut?
        for axis in 0..<4 {
            if let cut = Self.cut(members, of: points, axis: axis), cut.gain > best?.gain ?? 0 {
                best = cut
            }
        }
        cut = best
    }

    /// The boxes on both sides of a cut.
    func split(_ points: [WeightedPoint], at cut: Cut) -> [ColorBox] {
        let isBelow = { (member: Int) in
            Self.place(points[member], axis: cut.axis) < cut.limit
        }
        return [members.filter(isBelow), members.filter { !isBelow($0) }]
            .map { ColorBox($0, of: points) }
    }

    /// The mean of the points.
    func mean(_ points: [WeightedPoint]) -> SIMD4<Double> {
        var sums = Moments()
        for member in members { sums.add(points[member]) }
        return sums.sum / sums.weight
    }

    private static func place(_ point: WeightedPoint, axis: Int) -> Int {
        Int(point.point[axis].rounded()) + offset
    }

    /// The best cut across an axis.
    private static func cut(
        _ members: [Int], of points: [WeightedPoint], axis: Int
    ) -> Cut? {
        var slices = [Moments](repeating: Moments(), count: 2 * offset + 1)
        var whole = Moments()
        for member in members {
            slices[place(points[member], axis: axis)].add(points[member])
            whole.add(points[member])
        }
        var (below, best) = (Moments(), Cut?.none)
        for (place, slice) in slices.enumerated() where slice.weight > 0 {
            if below.weight > 0 {
                let above = Moments(weight: whole.weight - below.weight, sum: whole.sum - below.sum)
                let gain = below.energy + above.energy - whole.energy
                if gain > best?.gain ?? 0 { best = Cut(axis: axis, limit: place, gain: gain) }
            }
            below.add(slice)
        }
        return best
    }
}

/// Sums over points.
struct Moments {
    /// The number of pixels.
    var weight = 0.0
    /// The sum of the points, weighted by their pixels.
    var sum = SIMD4<Double>()

    /// The part of the sum of squares that the mean explains.
    var energy: Double {
        let squares = sum * sum * ColorPoint.weights
        return (squares.x + squares.y + squares.z + squares.w) / weight
    }

    /// Adds a point.
    mutating func add(_ point: WeightedPoint) {
        weight += point.weight
        sum += point.point * point.weight
    }

    /// Adds other sums.
    mutating func add(_ other: Moments) {
        weight += other.weight
        sum += other.sum
    }
}

/// The colours of a palette during k-means: some are fixed, the others move to the mean of the pixels that
/// are rounded to them.
struct ColorClusters {
    private var entries: [Entry]
    /// The index of the first entry that moves.
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
    /// - Parameter flat: colours of flat areas. If most of an entry's pixels have one of them, the entry
    ///   becomes that colour.
    func colors(_ points: [WeightedPoint], flat: [CountedColor]) -> [RGBA] {
        let weights = sums(points).map(\.weight)
        var colors = entries.map { ColorPoint.color(at: $0.point) }
        var isSettled = entries.indices.map { $0 < firstMoving }
        // An entry's first flat colour is its most frequent one.
        for color in flat {
            let point = SIMD4<Double>(ColorPoint.point(of: color.color))
            let index = nearest(to: point, isOpaque: color.color.alpha == 255)
            if isSettled[index] { continue }
            isSettled[index] = true
            if 2 * Double(color.count) > weights[index] { colors[index] = color.color }
        }
        return Array(colors[firstMoving...])
    }

    /// The sums of the points that are nearest to each entry. Translucent points do not make an opaque entry
    /// translucent.
    private func sums(_ points: [WeightedPoint]) -> [Moments] {
        var sums = entries.map { _ in Moments() }
        for point in points {
            let index = nearest(to: point.point, isOpaque: point.isOpaque)
            if point.isOpaque == entries[index].isOpaque { sums[index].add(point) }
        }
        return sums
    }

    /// The nearest entry; of several, the first. An opaque point gets an opaque entry.
    private func nearest(to point: SIMD4<Double>, isOpaque: Bool) -> Int {
        var (best, distance) = (0, Double.infinity)
        for (index, entry) in entries.enumerated() where entry.isOpaque || !isOpaque {
            let other = ColorPoint.squaredDistance(entry.point, point)
            if other < distance { (best, distance) = (index, other) }
        }
        return best
    }
}
