/// A colour as a point of a space in which distances are errors that people see, whatever lies
/// behind a translucent pixel.
///
/// Over black, a channel shows its premultiplied value c; over white, c + 255 - a. The squares of the
/// errors over both add up, for one channel, to dc² + (dc - da)² = ((2 dc - da)² + da²) / 2. Hence
/// the coordinates 2c - a of the three channels, and alpha, whose square counts three times.
enum ColorPoint {
    /// What the squares of the differences are multiplied by.
    static let weights = SIMD4<Double>(1, 1, 1, 3)

    /// 2c - a of red, green and blue, each -255 to 255, and a: whole numbers.
    static func point(of color: RGBA) -> SIMD4<Int32> {
        let alpha = color.alpha
        func coordinate(_ channel: Int) -> Int32 {
            Int32(2 * channel.premultiplied(by: alpha) - alpha)
        }
        return SIMD4(
            coordinate(color.red), coordinate(color.green), coordinate(color.blue), Int32(alpha))
    }

    /// The colour nearest to a point.
    static func color(at point: SIMD4<Double>) -> RGBA {
        let alpha = point.w
        func channel(_ coordinate: Double) -> Int {
            min(255, max(0, Int((coordinate + alpha) / 2 * 255 / alpha + 0.5)))
        }
        let rounded = Int(alpha + 0.5)
        return rounded == 0
            ? RGBA(0, 0, 0, 0)
            : RGBA(channel(point.x), channel(point.y), channel(point.z), rounded)
    }

    /// The square of a distance.
    static func squaredDistance(_ first: SIMD4<Double>, _ second: SIMD4<Double>) -> Double {
        let difference = first - second
        let squares = difference * difference * weights
        return (squares.x + squares.y) + (squares.z + squares.w)
    }
}

extension SIMD4<Int32> {
    /// The square of the distance to another colour's point: 1.2 million at most.
    func squaredDistance(to other: Self) -> Int32 {
        // One by one: SSE2 has no product of four numbers.
        let (x, y, z) = (self.x &- other.x, self.y &- other.y, self.z &- other.z)
        let w = self.w &- other.w
        return x &* x &+ y &* y &+ z &* z &+ 3 &* w &* w
    }
}

/// The middle of some pixels' colours, and how many pixels they are.
struct WeightedPoint {
    /// The mean of their points.
    var point: SIMD4<Double>
    /// Pixels.
    var weight: Double
    /// Whether all of them are opaque.
    var isOpaque: Bool

    /// The pixels of a bin, at least one.
    init(_ bin: ColorBin, isOpaque: Bool) {
        weight = Double(bin.count)
        let alpha = Double(bin.alpha)
        let mean =
            SIMD4(
                2 * Double(bin.red) - alpha, 2 * Double(bin.green) - alpha,
                2 * Double(bin.blue) - alpha, alpha) / weight
        // Nothing else is the mean of pixels.
        point = mean.clamped(lowerBound: SIMD4(-255, -255, -255, 0), upperBound: SIMD4(repeating: 255))
        self.isOpaque = isOpaque
    }
}
