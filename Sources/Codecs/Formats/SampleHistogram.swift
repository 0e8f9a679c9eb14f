import Diagnostics
import Raster

/// How often each of some samples occurs, in their order.
struct SampleHistogram {
    /// By index: of samples of up to 16 bits, counted from the smallest.
    private(set) var counts: [UInt64]

    /// Takes counts.
    init(_ counts: [UInt64]) { self.counts = counts }

    /// Samples that were counted.
    var total: UInt64 { counts.reduce(0, +) }

    /// The number of samples, from the smallest, that make up a share of all; at least one.
    func rank(ofShare share: Double) -> UInt64 { max(1, UInt64((share * Double(total)).rounded(.up))) }

    /// The index of the sample with a rank, counted from 1, and how many samples are smaller; nil if there are not so
    /// many.
    func sample(ofRank rank: UInt64) -> (index: Int, smaller: UInt64)? {
        var smaller: UInt64 = 0
        for (index, count) in counts.enumerated() {
            if smaller + count >= rank { return (index, smaller) }
            smaller += count
        }
        return nil
    }

    /// The smallest index that a share of the samples does not exceed; 0 if there are none.
    func index(ofShare share: Double) -> Int { sample(ofRank: rank(ofShare: share))?.index ?? 0 }

    /// Adds what was counted elsewhere.
    mutating func add(_ other: SampleHistogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
    }
}

extension SampleHistogram {
    /// Counts the colours of a source of 8 bits, to its end.
    ///
    /// - Parameter bands: as `ReadOptions.bands`.
    init(readingAll source: any RasterSource, bands: [Int]?) throws {
        try BandList.check(bands ?? [1], of: source.info.pixelFormat.bytesPerPixel, title: "the image")
        let format = source.info.pixelFormat
        let size = format.bytesPerPixel
        let all = bands.map { $0.map { $0 - 1 } } ?? Array(0..<size)
        let hasAlpha = all.count == 2 || all.count == 4
        let (colors, alpha) = (hasAlpha ? Array(all.dropLast()) : all, hasAlpha ? all.last : nil)
        var line = [UInt8](repeating: 0, count: source.info.width * size)
        var counts = [UInt64](repeating: 0, count: 256)
        for _ in 0..<source.info.height {
            try line.withUnsafeMutableBytes {
                try source.readRows(
                    1, into: $0.baseAddress.certain("an image has columns"), stride: $0.count)
            }
            for pixel in stride(from: 0, to: line.count, by: size) {
                if let alpha, line[pixel + alpha] == 0 { continue }
                for color in colors { counts[Int(line[pixel + color])] += 1 }
            }
        }
        self.init(counts)
    }
}

extension SampleRange {
    /// The values of the ends.
    ///
    /// - Parameters:
    ///   - title: the image.
    ///   - find: finds the value that a share of the samples does not exceed.
    /// - Throws: `.badInput` if black is not below white then.
    func found(
        in title: String, _ find: (_ share: Double) throws -> Double
    ) throws -> ClosedRange<Double> {
        if let values = try values(finding: find) { return values }
        throw Failure(
            .badInput, cannot: "rescale \(title)", "both ends of its range are the same value",
            remedy: "give percentages that are farther apart, or values")
    }
}
