import Platform
import Raster

/// How often each of some samples occurs, in their order.
struct SampleHistogram {
    /// By index: of samples of up to 16 bits, counted from the smallest.
    private var counts: [UInt64]

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

    /// Lends the counts to what counts by itself.
    mutating func withCounts(_ body: (UnsafeMutableBufferPointer<UInt64>) throws -> Void) rethrows {
        try counts.withUnsafeMutableBufferPointer { try body($0) }
    }

    /// Adds what was counted elsewhere.
    mutating func add(_ other: SampleHistogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
    }
}

extension SampleHistogram {
    /// Counts the colours of a source of 8 bits, to its end.
    ///
    /// - Parameter bands: as `ReadOptions.bands`.
    /// - Throws: `.usage` if it does not have those bands; what reading throws.
    init(readingAll source: any RasterSource, bands: [Int]?, title: String) throws {
        let size = source.info.pixelFormat.bytesPerPixel
        let bands = bands ?? Array(1...size)
        try BandList.check(bands, of: size, title: title)
        self.init([UInt64](repeating: 0, count: 256))
        var line = [UInt8](repeating: 0, count: source.info.width * size)
        for _ in 0..<source.info.height {
            try line.withUnsafeMutableBytes {
                try source.readRows(
                    1, into: $0.baseAddress.unwrapped("an image has columns"), stride: $0.count)
            }
            add(line, samplesPerPixel: size, channels: bands.map { $0 - 1 })
        }
    }

    /// Counts the colours of a row of pixels, of which transparent ones are left out.
    ///
    /// - Parameter channels: the samples of a pixel that count: one or three, and perhaps one more for alpha.
    mutating func add(_ line: [some FixedWidthInteger], samplesPerPixel: Int, channels: [Int]) {
        let hasAlpha = channels.count == 2 || channels.count == 4
        let colors = hasAlpha ? channels.dropLast() : channels[...]
        let alpha = hasAlpha ? channels.last : nil
        for pixel in stride(from: 0, to: line.count, by: samplesPerPixel) {
            if let alpha, line[pixel + alpha] == 0 { continue }
            for color in colors { counts[Int(line[pixel + color])] += 1 }
        }
    }
}

extension SampleRange {
    /// The values of the ends.
    ///
    /// - Parameters:
    ///   - title: the image.
    ///   - find: finds the value that a share of the samples, from 0 to 1, does not exceed.
    /// - Throws: `.badInput` if black is not below white then.
    func found(
        in title: String, _ find: (_ share: Double) throws -> Double
    ) throws -> ClosedRange<Double> {
        let ends = try [black, white].map { end in
            switch end {
            case .value(let value): value
            case .percent(let percent): try find(percent / 100)
            }
        }
        guard ends[0] < ends[1] else {
            throw Failure(
                .badInput, cannot: "rescale \(title)", "both ends of its range are the same value",
                remedy: "give percentages that are farther apart, or values")
        }
        return ends[0]...ends[1]
    }
}
