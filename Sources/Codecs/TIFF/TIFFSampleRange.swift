import CCodec
import Raster

/// The values that become black and white if a TIFF file's data decide: its smallest and its largest, or those that
/// shares of its samples do not exceed.
///
/// Takes a pass over the file. Shares of samples that are not integers of up to 16 bits take one or two more.
struct TIFFSampleRange {
    private let reader: TIFFReader
    private let scale: SampleScale
    private let survey: TIFFSurvey

    /// Looks at an image whose form is set.
    ///
    /// - Parameters:
    ///   - scale: from samples to values.
    ///   - countsAll: whether `values` will be called.
    init(_ reader: TIFFReader, scale: SampleScale, countsAll: Bool) throws {
        (self.reader, self.scale) = (reader, scale)
        survey = try TIFFSurvey(reader, counting: countsAll || reader.header.hasIndices ? .upper : .none)
    }

    /// All values.
    var whole: ClosedRange<Double> { scale.values(of: survey.range) }

    /// The values that were asked for.
    ///
    /// - Throws: `.badInput` if they are the same.
    func values(_ range: SampleRange, title: String) throws -> ClosedRange<Double> {
        try range.found(in: title) { share in
            // With a negative scale the largest sample is the smallest value.
            let share = scale.isFalling ? 1 - share : share
            return scale.value(of: try sample(ofShare: share))
        }
    }

    /// The sample that a share of all does not exceed.
    private func sample(ofShare share: Double) throws -> Double {
        let histogram = survey.histogram
        let rank = histogram.rank(ofShare: share)
        guard let (upper, smaller) = histogram.sample(ofRank: rank) else { return 0 }
        if reader.header.hasIndices { return reader.header.typeRange.lowerBound + Double(upper) }
        let lower = try TIFFSurvey(reader, counting: .lower(of: upper)).histogram.sample(
            ofRank: rank - smaller)
        return cc_tiff_counted_number(UInt32(upper), UInt32(lower?.index ?? 0))
    }

    /// The values between which 98 % of the samples are, and their share of the whole range, if that leaves few levels
    /// of gray for them. Nil for samples that are not integers of up to 16 bits.
    var sliver: (values: ClosedRange<Double>, share: Double)? {
        let width = survey.range.upperBound - survey.range.lowerBound
        guard reader.header.hasIndices, width > 0 else { return nil }
        let ends = [0.01, 0.99].map {
            reader.header.typeRange.lowerBound + Double(survey.histogram.index(ofShare: $0))
        }
        let share = (ends[1] - ends[0]) / width
        return share < Self.fewestLevels / 255 ? (scale.values(of: ends[0]...ends[1]), share) : nil
    }

    /// With fewer levels of gray steps are plain to see, and all looks alike.
    private static let fewestLevels = 26.0
}

extension cc_tiff_header {
    /// Whether samples are counted by value, see `cc_tiff_survey`.
    fileprivate var hasIndices: Bool { kind != CC_TIFF_FLOAT && bits <= 16 }
}
