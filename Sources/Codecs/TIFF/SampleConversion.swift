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
