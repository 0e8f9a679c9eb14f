import CCodec
import Dispatch
import Raster
import Synchronization

/// The samples of an image's colours, in one pass over it.
struct TIFFSurvey {
    /// What is counted.
    enum Counting {
        /// Nothing.
        case none
        /// Samples of up to 16 bits; of all others, the upper half of their bits as floats.
        case upper
        /// The lower half of the bits of others, of those with such an upper half.
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

    /// The number of rows read at a time. A mask is decoded for as many.
    private static let rowsPerStep = 256

    private static func concurrently(_ reader: TIFFReader, _ counting: Counting) throws -> Found {
        let header = reader.header
        let height = Int(header.height)
        let block = Int(header.block_height)
        let step = block * max(1, rowsPerStep / block)
        let total = Mutex<Result<Found, any Error>>(.success(Found(counting)))
        let pool = TIFFReaderPool(reader)
        DispatchQueue.concurrentPerform(iterations: (height + step - 1) / step) { index in
            guard case .success = total.withLock({ $0 }) else { return }
            let rows = index * step..<min((index + 1) * step, height)
            let part = Result {
                var part = Found(counting)
                try pool.withReader { try part.look(at: rows, of: $0, counting) }
                return part
            }
            total.withLock { total in
                total = total.flatMap { sum in
                    part.map { part in
                        var sum = sum
                        sum.add(part)
                        return sum
                    }
                }
            }
        }
        return try total.withLock { $0 }.get()
    }

    /// What has been found in some rows.
    private struct Found {
        var (low, high) = (Double.infinity, -Double.infinity)
        var histogram: SampleHistogram

        init(_ counting: Counting) {
            if case .none = counting {
                histogram = SampleHistogram([])
            } else {
                histogram = SampleHistogram(Array(repeating: 0, count: 1 << 16))
            }
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

        mutating func add(_ other: Found) {
            (low, high) = (min(low, other.low), max(high, other.high))
            histogram.add(other.histogram)
        }
    }
}
