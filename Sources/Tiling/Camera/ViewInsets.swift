/// What is left free along the edges of a view, in points.
public struct ViewInsets: Hashable, Sendable {
    /// Below the upper edge.
    public var top: Double
    /// Left of the right edge.
    public var right: Double
    /// Above the lower edge.
    public var bottom: Double
    /// Right of the left edge.
    public var left: Double

    /// Makes insets, clockwise from the upper edge.
    public init(top: Double, right: Double, bottom: Double, left: Double) {
        (self.top, self.right, self.bottom, self.left) = (top, right, bottom, left)
    }

    /// Makes the same inset along all edges.
    public init(all points: Double) {
        self.init(top: points, right: points, bottom: points, left: points)
    }

    /// The padding that Google's SDKs take if none is given: 64 points.
    public static let standard = ViewInsets(all: 64)

    /// Whether no inset is negative, infinite or not a number.
    public var isValid: Bool {
        [top, right, bottom, left].allSatisfy { $0 >= 0 && $0.isFinite }
    }
}
