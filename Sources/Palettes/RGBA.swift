/// A pixel's colour: straight alpha, 8 bits each.
package struct RGBA: Hashable, Comparable, Sendable {
    /// The four bytes in the order of memory, red in the number's lowest byte.
    let bits: UInt32

    /// Makes a colour of a pixel's four bytes, loaded from memory as a number.
    init(loaded number: UInt32) { bits = UInt32(littleEndian: number) }

    /// Makes a colour from its channels, each 0 to 255.
    package init(_ red: Int, _ green: Int, _ blue: Int, _ alpha: Int) {
        bits = UInt32(red | green << 8 | blue << 16 | alpha << 24)
    }

    /// The number to store for a pixel.
    var stored: UInt32 { bits.littleEndian }

    /// 0 to 255.
    package var red: Int { Int(bits & 255) }
    /// 0 to 255.
    package var green: Int { Int(bits >> 8 & 255) }
    /// 0 to 255.
    package var blue: Int { Int(bits >> 16 & 255) }
    /// 0 to 255.
    package var alpha: Int { Int(bits >> 24) }

    /// Pure white, pure black and full transparency, which every palette keeps.
    static let pinned = [RGBA(0, 0, 0, 0), RGBA(255, 255, 255, 255), RGBA(0, 0, 0, 255)]

    /// An arbitrary order, the same on every machine.
    package static func < (left: RGBA, right: RGBA) -> Bool { left.bits < right.bits }
}

extension Int {
    /// A channel of straight alpha, multiplied by alpha and rounded.
    func premultiplied(by alpha: Int) -> Int {
        alpha == 255 ? self : (self * alpha + 127) / 255
    }
}

/// A colour as a point of a space in which distances are visible errors, whatever is behind a translucent
/// pixel.
///
/// Over black, a channel shows its premultiplied value c; over white, c + 255 - a. The squares of both errors
/// add up, for one channel, to dc² + (dc - da)² = ((2 dc - da)² + da²) / 2. So the coordinates are 2c - a for
/// each of the three channels, and alpha, whose square counts three times.
enum ColorPoint {
    /// The factors of the squared differences.
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
    /// The square of the distance to another colour's point: at most 1.2 million.
    func squaredDistance(to other: Self) -> Int32 {
        // Not as a vector: SSE2 cannot multiply four numbers.
        let (x, y, z) = (self.x &- other.x, self.y &- other.y, self.z &- other.z)
        let w = self.w &- other.w
        return x &* x &+ y &* y &+ z &* z &+ 3 &* w &* w
    }
}

/// The mean of some pixels' colours, with the number of pixels.
struct WeightedPoint {
    /// The mean of their points.
    var point: SIMD4<Double>
    /// The number of pixels.
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
        // Only sums that are not those of real pixels exceed these bounds.
        point = mean.clamped(lowerBound: SIMD4(-255, -255, -255, 0), upperBound: SIMD4(repeating: 255))
        self.isOpaque = isOpaque
    }
}

/// The pixels of a small box of colours: their number, and their exact sums. Sums read from a file may not be
/// those of real pixels; they wrap on overflow.
struct ColorBin {
    /// The number of pixels.
    var count: UInt64 = 0
    /// The sums of their premultiplied channels.
    var red: UInt64 = 0
    var green: UInt64 = 0
    var blue: UInt64 = 0
    /// The sum of their alphas.
    var alpha: UInt64 = 0

    /// The number of boxes of opaque colours, which have 6 bits per channel.
    static let opaqueBoxes = 1 << 18
    /// The number of all boxes. Boxes of translucent colours come last, with 4 bits per channel and 4 of
    /// alpha.
    static let boxes = opaqueBoxes + (1 << 16)

    /// The box of a colour.
    static func box(of color: RGBA) -> Int {
        let shift = color.alpha == 255 ? 2 : 4
        let bits = 8 - shift
        let channels =
            ((color.red >> shift) << bits | color.green >> shift) << bits | color.blue >> shift
        return shift == 2 ? channels : opaqueBoxes + (channels << bits | color.alpha >> shift)
    }

    /// Adds pixels of a colour of the box. A negative count, modulo 2^64, removes pixels that were added.
    mutating func add(_ color: RGBA, count added: UInt64) {
        let alpha = color.alpha
        count &+= added
        red &+= UInt64(color.red.premultiplied(by: alpha)) &* added
        green &+= UInt64(color.green.premultiplied(by: alpha)) &* added
        blue &+= UInt64(color.blue.premultiplied(by: alpha)) &* added
        self.alpha &+= UInt64(alpha) &* added
    }

    /// Adds the pixels of another bin of the same box.
    mutating func add(_ other: ColorBin) {
        count &+= other.count
        red &+= other.red
        green &+= other.green
        blue &+= other.blue
        alpha &+= other.alpha
    }
}

/// The points of a box of `ColorBin`: the lowest and the highest value of each coordinate.
struct ColorRange {
    /// Whether its colours are opaque.
    let isOpaque: Bool
    private let lowest: SIMD4<Int32>
    private let highest: SIMD4<Int32>

    /// The box with a number.
    init(box: Int) {
        isOpaque = box < ColorBin.opaqueBoxes
        let bits = isOpaque ? 6 : 4
        let (number, size) = (isOpaque ? box : box - ColorBin.opaqueBoxes, 1 << (8 - bits))
        func channel(_ place: Int) -> ClosedRange<Int> {
            let low = ((number >> (bits * place)) & ((1 << bits) - 1)) * size
            return low...low + size - 1
        }
        let first = isOpaque ? 0 : 1
        let alpha = isOpaque ? 255...255 : channel(0)
        let channels = [channel(first + 2), channel(first + 1), channel(first)]
        let low = channels.map { 2 * $0.lowerBound.premultiplied(by: alpha.lowerBound) }
        let high = channels.map { 2 * $0.upperBound.premultiplied(by: alpha.upperBound) }
        lowest = SIMD4((low.map { $0 - alpha.upperBound } + [alpha.lowerBound]).map(Int32.init))
        highest = SIMD4((high.map { $0 - alpha.lowerBound } + [alpha.upperBound]).map(Int32.init))
    }

    /// A lower bound for the squared distance from the points of the box to another point.
    func nearest(to point: SIMD4<Int32>) -> Int32 {
        point.clamped(lowerBound: lowest, upperBound: highest).squaredDistance(to: point)
    }

    /// An upper bound for this squared distance.
    func farthest(from point: SIMD4<Int32>) -> Int32 {
        let isHigher = (point &- lowest) .> (highest &- point)
        return highest.replacing(with: lowest, where: isHigher).squaredDistance(to: point)
    }
}
