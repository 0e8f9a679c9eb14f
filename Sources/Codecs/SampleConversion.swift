import CCodec
import Platform
import Raster

/// Takes some bands of pixels, in any order, and stretches a range of their colours to 0...255.
struct SampleConversion: PixelConversion {
    let output: PixelFormat
    private let input: PixelFormat
    /// For each sample of the output, the index of the input's sample.
    private let channels: [UInt8]
    private let table: [UInt8]

    /// Makes a conversion for a file of 8-bit samples.
    ///
    /// - Parameters:
    ///   - bands: as `ReadOptions.bands`; nil for all, as they are.
    ///   - range: the samples that become 0 and 255; nil for no change.
    init(
        from input: PixelFormat, bands: [Int]?, range: ClosedRange<Double>?, title: String
    ) throws {
        self.input = input
        let bands = bands ?? Array(1...input.bytesPerPixel)
        try BandList.check(bands, of: input.bytesPerPixel, title: title)
        let taken = bands.map { UInt8($0 - 1) }
        switch taken.count {
        case 1: (output, channels) = (.gray8, taken)
        case 2: (output, channels) = (.rgba8, [taken[0], taken[0], taken[0], taken[1]])
        case 3: (output, channels) = (.rgb8, taken)
        default: (output, channels) = (.rgba8, taken)
        }
        table = (0...255).map { Self.stretched($0, range ?? 0...255) }
    }

    func convert(
        _ pixels: UnsafeRawPointer, count: Int, into result: UnsafeMutableRawPointer
    ) {
        cc_rearrange(
            pixels, input.bytesPerPixel, count, channels, table, result, output.bytesPerPixel)
    }

    private static func stretched(_ sample: Int, _ range: ClosedRange<Double>) -> UInt8 {
        let level =
            (Double(sample) - range.lowerBound) * 255
            / (range.upperBound - range.lowerBound)
        return UInt8(min(max(level, 0), 255).rounded())
    }
}

extension ConvertedSource {
    /// Applies the bands and the range of the options to a source of 8-bit samples; returns the source
    /// itself if they ask for none.
    static func applying(
        _ options: ReadOptions, to source: any RasterSource, title: String
    ) throws -> any RasterSource {
        let range = source.info.sampleRange == nil ? options.range?.values : nil
        if options.bands == nil, range == nil { return source }
        let conversion = try SampleConversion(
            from: source.info.pixelFormat, bands: options.bands, range: range, title: title)
        var info = source.info
        info.pixelFormat = conversion.output
        info.sampleRange = options.range?.values
        return ConvertedSource(source, by: conversion, info: info)
    }
}

/// The bands that the user asks for: one is gray, three are red, green and blue, one more is alpha.
enum BandList {
    /// Checks that an image of `count` bands has the bands that are asked for.
    ///
    /// - Throws: `.usage` if it has not.
    static func check(_ bands: [Int], of count: Int, title: String) throws {
        if 1...4 ~= bands.count, bands.allSatisfy({ 1...count ~= $0 }) { return }
        throw Failure(
            .usage,
            "cannot take bands \(bands.map(String.init).joined(separator: ",")) of \(title): it "
                + "has \(count)",
            remedy: "one band is gray, three are red, green and blue, and one more is alpha")
    }
}

/// How often each of some samples occurs, in their order.
struct SampleHistogram {
    /// Counts by index; for samples of up to 16 bits, the index counts from the smallest value.
    private var counts: [UInt64]

    /// Takes counts.
    init(_ counts: [UInt64]) { self.counts = counts }

    /// The number of samples that were counted.
    var total: UInt64 { counts.reduce(0, +) }

    /// The number of samples, from the smallest, that make up a share of all; at least one.
    func rank(ofShare share: Double) -> UInt64 { max(1, UInt64((share * Double(total)).rounded(.up))) }

    /// The index of the sample with a rank, counted from 1, and the number of smaller samples; nil if there
    /// are fewer samples.
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

    /// Calls `body` with the counts, for code that counts itself.
    mutating func withCounts(_ body: (UnsafeMutableBufferPointer<UInt64>) throws -> Void) rethrows {
        try counts.withUnsafeMutableBufferPointer { try body($0) }
    }

    /// Adds the counts of another histogram.
    mutating func add(_ other: SampleHistogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
    }

    /// Counts the colours of a source of 8 bits, to its end.
    ///
    /// - Parameter bands: as `ReadOptions.bands`.
    /// - Throws: `.usage` if it does not have those bands; errors of reading.
    init(readingAll source: any RasterSource, bands: [Int]?, title: String) throws {
        let size = source.info.pixelFormat.bytesPerPixel
        let bands = bands ?? Array(1...size)
        try BandList.check(bands, of: size, title: title)
        self.init([UInt64](repeating: 0, count: 256))
        var line = [UInt8](repeating: 0, count: source.info.width * size)
        for _ in 0..<source.info.height {
            try line.withAddress { try source.readRows(1, into: $0, stride: source.info.width * size) }
            add(line, samplesPerPixel: size, channels: bands.map { $0 - 1 })
        }
    }

    /// Counts the colours of a row of pixels, except those of transparent pixels.
    ///
    /// - Parameter channels: the samples of a pixel to count: one or three, and optionally one more for
    ///   alpha.
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
    /// The values of the ends of the range.
    ///
    /// - Parameter find: returns the value that a share of the samples, from 0 to 1, does not exceed.
    /// - Throws: `.badInput` if black is then not below white.
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
