import CCodec
import Dispatch
import Synchronization

/// The smallest and the largest sample of an image's colours, in one pass over it.
struct TIFFDataRange {
    /// The smallest and the largest value; 0 and 0 if all samples are nodata.
    let range: ClosedRange<Double>

    /// Reads an image whose form is set; on all cores if its blocks can be read in any order.
    init(_ reader: TIFFReader) throws {
        let none = cc_tiff_range(low: .infinity, high: -.infinity)
        let height = Int(reader.header.height)
        let found: cc_tiff_range
        if reader.header.is_sequential {
            let copy = try TIFFReader(duplicating: reader)
            var range = none
            for row in stride(from: 0, to: height, by: Self.rowsPerStep) {
                try copy.extend(&range, rows: row..<min(row + Self.rowsPerStep, height))
            }
            found = range
        } else {
            found = try Self.concurrently(reader, none)
        }
        range = found.low <= found.high ? found.low...found.high : 0...0
    }

    /// The number of rows read at a time. A mask is decoded for as many.
    private static let rowsPerStep = 256

    private static func concurrently(
        _ reader: TIFFReader, _ none: cc_tiff_range
    ) throws -> cc_tiff_range {
        let header = reader.header
        let height = Int(header.height)
        let block = Int(header.block_height)
        let step = block * max(1, rowsPerStep / block)
        let total = Mutex<Result<cc_tiff_range, any Error>>(.success(none))
        let pool = TIFFReaderPool(reader)
        DispatchQueue.concurrentPerform(iterations: (height + step - 1) / step) { index in
            guard case .success = total.withLock({ $0 }) else { return }
            let rows = index * step..<min((index + 1) * step, height)
            let part = Result {
                var range = none
                try pool.withReader { try $0.extend(&range, rows: rows) }
                return range
            }
            total.withLock { $0 = $0.merged(with: part) }
        }
        return try total.withLock { $0 }.get()
    }
}

extension Result where Success == cc_tiff_range {
    fileprivate func merged(with other: Self) -> Self {
        flatMap { first in
            other.map { second in
                cc_tiff_range(low: min(first.low, second.low), high: max(first.high, second.high))
            }
        }
    }
}
