/// The sample values that become black and white.
public struct SampleRange: Hashable, Codable, Sendable {
    /// A value, or where it stands among all samples.
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

    /// The values; nil if black is not below white.
    ///
    /// - Parameter find: finds the value that a share of the samples, from 0 to 1, does not exceed.
    package func values(finding find: (_ share: Double) throws -> Double) rethrows -> ClosedRange<Double>? {
        let ends = try [black, white].map { end in
            switch end {
            case .value(let value): value
            case .percent(let percent): try find(percent / 100)
            }
        }
        return ends[0] < ends[1] ? ends[0]...ends[1] : nil
    }
}
