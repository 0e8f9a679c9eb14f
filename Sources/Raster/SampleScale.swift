/// What a sample stands for: its number times a factor, and an offset. Heights are often stored so.
package struct SampleScale: Hashable, Sendable {
    /// The samples are what they stand for.
    package static let identity = SampleScale()

    private let factor: Double
    private let offset: Double

    private init() { (factor, offset) = (1, 0) }

    /// Nil if a number is not finite, or the factor is 0.
    package init?(factor: Double, offset: Double) {
        guard factor.isFinite, offset.isFinite, factor != 0 else { return nil }
        (self.factor, self.offset) = (factor, offset)
    }

    /// What samples of a range stand for.
    package func values(of samples: ClosedRange<Double>) -> ClosedRange<Double> {
        let ends = [samples.lowerBound, samples.upperBound].map(value)
        return min(ends[0], ends[1])...max(ends[0], ends[1])
    }

    /// The value of a sample.
    package func value(of sample: Double) -> Double { sample * factor + offset }

    /// Whether larger samples are smaller values.
    package var isFalling: Bool { factor < 0 }

    /// The sample that stands for a value.
    package func sample(of value: Double) -> Double { (value - offset) / factor }
}
