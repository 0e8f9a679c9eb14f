import CKernels

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The way in which pixels are made from the pixels of a finer or turned image.
public enum ResamplingMethod: String, CaseIterable, Codable, Sendable {
    /// The pixel under the centre; creates no new colours.
    case nearest
    /// A tent that reaches one pixel to either side.
    case bilinear
    /// The Catmull-Rom spline: Keys' cubic with a = -1/2.
    case cubic
    /// A sinc windowed by a sinc, three lobes to either side.
    case lanczos
    /// The exact average of the area that the pixel covers.
    case area
    /// The most frequent pixel of the area that the pixel covers; creates no new colours.
    case mode

    /// Whether results are whole pixels of the source, never mixtures.
    public var copiesPixels: Bool { self == .nearest || self == .mode }
}

/// A continuous interpolation kernel: its weight as a function of the distance in source pixels.
package struct Kernel: Sendable {
    /// The distance beyond which every weight is zero. It is in whole pixels, because zooms are halved by
    /// whole pixels.
    package let support: Int

    private let shape: Shape

    private enum Shape { case tent, catmullRom, lanczos3 }

    /// Whether some weights are negative.
    package var hasNegativeWeights: Bool { support > 1 }

    /// The kernel of a method; nil if the method is not a weighted sum of a continuous kernel.
    package init?(_ method: ResamplingMethod) {
        switch method {
        case .bilinear: (support, shape) = (1, .tent)
        case .cubic: (support, shape) = (2, .catmullRom)
        case .lanczos: (support, shape) = (3, .lanczos3)
        case .nearest, .area, .mode: return nil
        }
    }

    /// The weight at a distance; the weights at sample points need not add up to 1.
    package func weight(at distance: Double) -> Double {
        let x = abs(distance)
        guard x < Double(support) else { return 0 }
        return switch shape {
        case .tent: 1 - x
        case .catmullRom: Self.catmullRom(x)
        case .lanczos3: Self.sinc(x) * Self.sinc(x / 3)
        }
    }

    /// R. Keys, "Cubic convolution interpolation for digital image processing", 1981, a = -1/2.
    private static func catmullRom(_ x: Double) -> Double {
        x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2
    }

    private static func sinc(_ x: Double) -> Double {
        x == 0 ? 1 : sin(.pi * x) / (.pi * x)
    }
}

/// Weights in the format of the C core: fixed point with 14 fractional bits.
package enum FixedWeights {
    /// The fixed-point form of 1.
    package static let one = Int(CR_WEIGHT_ONE)

    /// The number of horizontal taps is a multiple of this.
    package static let tapMultiple = Int(CR_TAP_MULTIPLE)

    /// A number of taps, rounded up to one that the core accepts.
    package static func paddedTaps(_ count: Int) -> Int {
        (count + tapMultiple - 1) / tapMultiple * tapMultiple
    }

    /// Rounds weights so that they add up to the rounded sum: each is the difference of two rounded running
    /// sums. So a row of weights with the sum 1 keeps flat areas exactly.
    package static func rounded(_ weights: [Double]) -> [Int16] {
        var result: [Int16] = []
        result.reserveCapacity(weights.count)
        round(weights) { result.append($0) }
        return result
    }

    /// Calls `body` with each of the weights, rounded as by `rounded`.
    static func round(_ weights: [Double], _ body: (Int16) -> Void) {
        var sum = 0.0
        var previous = 0
        for weight in weights {
            sum += weight
            let next = Int((sum * Double(one)).rounded())
            body(Int16(clamping: next - previous))
            previous = next
        }
    }
}

/// The weights of a kernel along one axis for every phase of a position, in steps of 1/256 pixel.
struct PhaseTable {
    /// `256 * taps` weights; see `cr_phases`.
    let weights: [Int16]
    /// Taps per phase; half of them are at and before the position's whole pixel.
    let taps: Int

    /// Samples a kernel that is widened by a scale of at least 1.
    init(kernel: Kernel, scale: Double, axis: Axis) {
        let taps = Self.taps(of: kernel, scale: scale, axis: axis)
        let phases = 1 << CR_POSITION_BITS
        var weights: [Int16] = []
        weights.reserveCapacity(phases * taps)
        for phase in 0..<phases {
            let fraction = Double(phase) / Double(phases)
            let samples = (0..<taps).map { tap in
                kernel.weight(at: (Double(tap - taps / 2 + 1) - fraction) / scale)
            }
            let sum = samples.reduce(0, +)
            weights += FixedWeights.rounded(samples.map { $0 / sum })
        }
        self.weights = weights
        self.taps = taps
    }

    /// The directions of taps.
    enum Axis { case across, down }

    /// Taps of a kernel that is widened by a scale of at least 1.
    ///
    /// Half of them must stay left of the position, so both halves are padded equally. Down columns, no
    /// padding is needed.
    static func taps(of kernel: Kernel, scale: Double, axis: Axis) -> Int {
        let taps = 2 * Int((Double(kernel.support) * scale).rounded(.up))
        return axis == .across ? FixedWeights.paddedTaps(taps) : taps
    }

    /// Calls `body` with the table in the format of the core.
    func withPhases<Result>(_ body: (cr_phases) -> Result) -> Result {
        weights.withUnsafeBufferPointer {
            body(cr_phases(weights: $0.baseAddress, taps: Int32(taps)))
        }
    }
}
