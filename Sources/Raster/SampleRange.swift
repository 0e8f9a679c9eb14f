/// The sample values that become black and white.
public struct SampleRange: Hashable, Codable, Sendable {
    /// A value, or a share of the samples.
    public enum End: Hashable, Codable, Sendable {
        /// A sample value.
        case value(Double)
        /// The smallest value that so many percent of the samples do not exceed; transparent pixels do not count.
        case percent(Double)
    }

    /// What becomes black.
    public var black: End
    /// What becomes white.
    public var white: End

    /// Makes a range.
    public init(_ black: End, _ white: End) { (self.black, self.white) = (black, white) }

    /// Makes a range of two values.
    public init(_ values: ClosedRange<Double>) {
        self.init(.value(values.lowerBound), .value(values.upperBound))
    }

    /// The values; nil if one has yet to be found in the data.
    package var values: ClosedRange<Double>? {
        guard case .value(let black) = black, case .value(let white) = white, black <= white else {
            return nil
        }
        return black...white
    }
}
