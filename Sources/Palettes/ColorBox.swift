/// Some points, and the best cut that parts them in two.
///
/// After Xiaolin Wu, "Efficient Statistical Computations for Optimal Color Quantization" (Graphics
/// Gems II, 1991): the cut is the plane across an axis that lowers the sum of squared errors most.
/// Wu keeps the moments of all boxes of a cube; with alpha as a fourth axis that cube would be large,
/// and each box sums its own points instead.
struct ColorBox {
    /// The points' indices, in their order.
    let members: [Int]
    /// The best cut, or nil if all points are equal.
    let cut: Cut?

    /// A plane across an axis.
    struct Cut {
        /// 0 to 3.
        var axis: Int
        /// Points below this are on one side.
        var limit: Int
        /// By how much it lowers the sum of squared errors.
        var gain: Double
    }

    /// Whole coordinates are -255 to 255.
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
    /// Pixels.
    var weight = 0.0
    /// Of the points, each as often as it has pixels.
    var sum = SIMD4<Double>()

    /// What the mean alone explains of the sum of squares.
    var energy: Double {
        let squares = sum * sum * ColorPoint.weights
        return (squares.x + squares.y + squares.z + squares.w) / weight
    }

    /// Takes in a point.
    mutating func add(_ point: WeightedPoint) {
        weight += point.weight
        sum += point.point * point.weight
    }

    /// Takes in other sums.
    mutating func add(_ other: Moments) {
        weight += other.weight
        sum += other.sum
    }
}
