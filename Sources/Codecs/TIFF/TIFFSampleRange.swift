import CCodec
import Platform
import Raster
import Synchronization

/// The values that become black and white if they depend on a TIFF file's data: its smallest and largest
/// values, or those that given shares of its samples do not exceed.
///
/// Takes a pass over the file. Shares of samples that are not integers of up to 16 bits take one or two more
/// passes.
struct TIFFSampleRange {
    private let reader: TIFFReader
    private let scale: SampleScale
    private let survey: TIFFSurvey

    /// Examines an image whose form is set.
    ///
    /// - Parameters:
    ///   - scale: converts samples to values.
    ///   - countsAll: whether `values` will be called.
    init(_ reader: TIFFReader, scale: SampleScale, countsAll: Bool) throws {
        (self.reader, self.scale) = (reader, scale)
        survey = try TIFFSurvey(reader, counting: countsAll || reader.header.hasIndices ? .upper : .none)
    }

    /// All values.
    var whole: ClosedRange<Double> { scale.values(of: survey.range) }

    /// The values of a requested range.
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

    /// The values between which 98 % of the samples are, with their share of the whole range; nil if that
    /// leaves enough levels of gray for them. Also nil for samples that are not integers of up to 16 bits.
    var sliver: (values: ClosedRange<Double>, share: Double)? {
        let width = survey.range.upperBound - survey.range.lowerBound
        guard reader.header.hasIndices, width > 0 else { return nil }
        let ends = [0.01, 0.99].map {
            reader.header.typeRange.lowerBound + Double(survey.histogram.index(ofShare: $0))
        }
        let share = (ends[1] - ends[0]) / width
        return share < Self.fewestLevels / 255 ? (scale.values(of: ends[0]...ends[1]), share) : nil
    }

    /// With fewer levels of gray, steps become visible, and everything looks alike.
    private static let fewestLevels = 26.0
}

extension cc_tiff_header {
    /// Whether samples are counted by value, see `cc_tiff_survey`.
    fileprivate var hasIndices: Bool { kind != CC_TIFF_FLOAT && bits <= 16 }
}

/// The samples of an image's colours, in one pass over it.
struct TIFFSurvey {
    /// The samples that are counted.
    enum Counting {
        /// Nothing.
        case none
        /// Samples of up to 16 bits; for larger ones, the upper half of their bits as floats.
        case upper
        /// The lower half of the bits of larger samples with a given upper half.
        case lower(of: Int)
    }

    /// The smallest and the largest value; 0 and 0 if all samples are nodata.
    let range: ClosedRange<Double>
    /// How often samples occur; without counts if none were asked for.
    let histogram: SampleHistogram

    /// Reads an image whose form is set; on all cores if its blocks can be read in any order.
    init(_ reader: TIFFReader, counting: Counting) throws {
        let height = Int(reader.header.height)
        let found: Found
        if reader.header.is_sequential {
            let copy = try TIFFReader(duplicating: reader)
            var sum = Found(counting)
            for row in stride(from: 0, to: height, by: Self.rowsPerStep) {
                try sum.look(at: row..<min(row + Self.rowsPerStep, height), of: copy, counting)
            }
            found = sum
        } else {
            found = try Self.concurrently(reader, counting)
        }
        range = found.low <= found.high ? found.low...found.high : 0...0
        histogram = found.histogram
    }

    /// The number of rows read at a time; a mask is decoded for as many rows.
    private static let rowsPerStep = 256

    private static func concurrently(_ reader: TIFFReader, _ counting: Counting) throws -> Found {
        let header = reader.header
        let height = Int(header.height)
        let block = Int(header.block_height)
        let step = block * max(1, rowsPerStep / block)
        let total = Mutex<Result<Found, any Error>>(.success(Found(counting)))
        let pool = TIFFReaderPool(reader)
        JobServer.current.concurrentPerform(iterations: (height + step - 1) / step) { index in
            guard case .success = total.withLock({ $0 }) else { return }
            let rows = index * step..<min((index + 1) * step, height)
            let part = Result {
                var part = Found(counting)
                try pool.withReader { try part.look(at: rows, of: $0, counting) }
                return part
            }
            total.withLock { total in
                total = total.flatMap { sum in part.map { sum.adding($0) } }
            }
        }
        return try total.withLock { $0 }.get()
    }

    /// The results for some rows.
    private struct Found {
        var (low, high) = (Double.infinity, -Double.infinity)
        var histogram: SampleHistogram

        init(_ counting: Counting) {
            var count = 1 << 16
            if case .none = counting { count = 0 }
            histogram = SampleHistogram(Array(repeating: 0, count: count))
        }

        mutating func look(at rows: Range<Int>, of reader: TIFFReader, _ counting: Counting) throws {
            let upper: Int32 = if case .lower(let upper) = counting { Int32(upper) } else { -1 }
            var survey = cc_tiff_survey(low: low, high: high, counts: nil, upper: upper)
            try histogram.withCounts { counts in
                survey.counts = counts.isEmpty ? nil : counts.baseAddress
                try reader.look(at: rows, &survey)
            }
            (low, high) = (survey.low, survey.high)
        }

        func adding(_ other: Found) -> Found {
            var sum = self
            (sum.low, sum.high) = (min(low, other.low), max(high, other.high))
            sum.histogram.add(other.histogram)
            return sum
        }
    }
}
