import CCodec
import Platform
package import Raster

/// A PNG file as rows of pixels, whatever colour type and depth it has.
///
/// Gray without transparency is delivered as `gray8`; anything with an alpha channel or a tRNS chunk
/// as `rgba8`; the rest as `rgb8`. 16 bits are scaled to 8 with rounding. Colours become sRGB as the
/// file's chunks say; 16-bit samples are converted before they are reduced, to avoid steps. An
/// interlaced file is decoded whole before its first row. A file that lacks only its IEND chunk is
/// read: every pixel is there, checked by its CRC.
package final class PNGSource: RasterSource {
    package let info: RasterInfo
    /// The nodata value, if it has yet to be looked for in the delivered pixels.
    let nodata: NodataLevel?
    private let title: String
    private var reader: PNGReader
    private let conversion: ColorConversion?

    /// Opens a file and reads its header.
    ///
    /// - Parameters:
    ///   - options: its range is used for 16-bit samples only.
    ///   - check: throws if a size is not wanted, before all samples are read for percentages of a range.
    package init(
        _ image: ImageReference, options: ReadOptions = ReadOptions(),
        checkingSize check: (_ width: Int, _ height: Int) throws -> Void = { _, _ in }
    ) throws {
        title = image.title
        var header = cc_png_header()
        reader = try PNGReader(image, header: &header)
        try check(Int(header.image.width), Int(header.image.height))
        let range =
            header.bit_depth == 16 ? try options.range.map { try Self.values($0, of: image) } : nil
        var form = cc_pixel_form(header)
        // The reader applies a range, and then delivers 8 bits.
        if range != nil { form.bits = 8 }
        // Palette indices are not values, and a stretched sample no longer has its value.
        let largest = header.color_type == 3 ? nil : Double(1 << header.bit_depth) - 1
        let nodata = range == nil ? NodataLevel(options, largest: largest) : nil
        let colors = try FileColors(
            header.image.color, form: form, title: title, keepsColors: options.keepsColors,
            nodata: nodata)
        self.nodata = colors.conversion == nil ? nodata : nil
        conversion = colors.conversion
        if conversion?.form.bits == 16 { reader.keepDepth(&header) }
        var info = RasterInfo(header.image, summary: Self.summary(of: header))
        info.add(colors)
        if let range {
            reader.setRange(range)
            info.sampleRange = range
            // Rows, or the whole of an interlaced image, are kept with 16 bits.
            info.decoderBytes *= 2
        }
        self.info = info
    }

    package func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int)
        throws
    {
        try conversion.readRows(count, width: info.width, into: destination, stride: stride) {
            try reader.read($0, into: $1, stride: $2, title: title)
        }
    }

    package func skipRows(_ count: Int) throws {
        let pixelBytes = conversion?.bytesPerInput ?? info.pixelFormat.bytesPerPixel
        let row = UnsafeMutableRawPointer.allocate(byteCount: info.width * pixelBytes, alignment: 16)
        defer { row.deallocate() }
        for _ in 0..<count { try reader.read(1, into: row, stride: 0, title: title) }
    }

    /// The values of a range, for which all samples of a file of 16 bits are counted if it has percentages.
    private static func values(_ range: SampleRange, of image: ImageReference) throws -> ClosedRange<Double> {
        if let values = range.values { return values }
        let histogram = try SampleHistogram(deepPNG: image)
        return try range.found(in: image.title) { Double(histogram.index(ofShare: $0)) }
    }

    private static func summary(of header: cc_png_header) -> String {
        let color =
            switch header.color_type {
            case 0: "gray"
            case 2: "RGB"
            case 3: "palette"
            case 4: "gray with alpha"
            default: "RGBA"
            }
        return "PNG, \(header.bit_depth)-bit \(color)"
            + (header.has_transparency ? " with transparency" : "")
            + (header.is_interlaced ? ", interlaced" : "")
    }
}

extension SampleHistogram {
    /// Counts the colours of a PNG file of 16 bits.
    fileprivate init(deepPNG image: ImageReference) throws {
        var header = cc_png_header()
        var reader = try PNGReader(image, header: &header)
        reader.keepDepth(&header)
        let samples = Int(header.image.bytes_per_pixel)
        var line = [UInt16](repeating: 0, count: Int(header.image.width) * samples)
        self.init([UInt64](repeating: 0, count: 1 << 16))
        for _ in 0..<header.image.height {
            try line.withUnsafeMutableBytes {
                try reader.read(
                    1, into: $0.baseAddress.unwrapped("an image has columns"), stride: $0.count,
                    title: image.title)
            }
            add(line, samplesPerPixel: samples, channels: Array(0..<samples))
        }
    }
}

extension cc_pixel_form {
    /// The pixels of a PNG file as they are converted.
    fileprivate init(_ header: cc_png_header) {
        let isGray = header.color_type == 0 || header.color_type == 4
        self.init(
            space: isGray ? CC_SPACE_GRAY : CC_SPACE_RGB, samples: header.image.bytes_per_pixel,
            bits: header.bit_depth == 16 ? 16 : 8)
    }
}
