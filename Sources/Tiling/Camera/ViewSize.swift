/// The size of a map view in points, and how dense its pixels are.
public struct ViewSize: Hashable, Sendable {
    /// Points from the left to the right edge.
    public let width: Int
    /// Points from the upper to the lower edge.
    public let height: Int
    /// Pixels along a point, 1 to 4: 2 or 3 on phones, and fractions such as 2.625 on some of them.
    public let scale: Double

    /// The densities of screens, in pixels per point.
    public static let scales: ClosedRange<Double> = 1...4

    /// The longest edge in points: more than any screen has, and little enough to compute with.
    public static let longestEdge = 100_000

    /// The view of a phone: 390 by 844 points of two pixels.
    public static let standard = ViewSize(uncheckedWidth: 390, height: 844, scale: 2)

    /// Makes a size.
    ///
    /// - Parameters:
    ///   - width: points, 1 to `longestEdge`.
    ///   - height: points, 1 to `longestEdge`.
    ///   - scale: pixels per point, 1 to 4.
    /// - Returns: nil if a number is out of its range.
    public init?(width: Int, height: Int, scale: Double = 1) {
        let edges = 1...Self.longestEdge
        guard edges.contains(width), edges.contains(height), Self.scales.contains(scale) else {
            return nil
        }
        self.init(uncheckedWidth: width, height: height, scale: scale)
    }

    private init(uncheckedWidth width: Int, height: Int, scale: Double) {
        (self.width, self.height, self.scale) = (width, height, scale)
    }

    /// Pixels from the left to the right edge, rounded to whole ones.
    public var pixelWidth: Int { Int((Double(width) * scale).rounded()) }

    /// Pixels from the upper to the lower edge, rounded to whole ones.
    public var pixelHeight: Int { Int((Double(height) * scale).rounded()) }
}
