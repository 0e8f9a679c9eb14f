#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A continuous interpolation kernel: its weight as a function of the distance in source pixels.
package struct Kernel: Sendable {
    /// The distance in whole pixels beyond which every weight is zero: zooms are halved by whole pixels.
    package let support: Int

    private let shape: Shape

    private enum Shape { case tent, catmullRom, lanczos3 }

    /// Whether some weights are negative.
    package var hasNegativeWeights: Bool { support > 1 }

    /// The kernel of a method, or nil if the method is not a weighted sum of a continuous kernel.
    package init?(_ method: ResamplingMethod) {
        switch method {
        case .bilinear: (support, shape) = (1, .tent)
        case .cubic: (support, shape) = (2, .catmullRom)
        case .lanczos: (support, shape) = (3, .lanczos3)
        case .nearest, .area, .mode: return nil
        }
    }

    /// The weight at a distance; not normalised for a sum of 1 over sample points.
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
