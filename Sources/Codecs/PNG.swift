import CCodec
import Platform
import Raster
import Tiling

extension ImageFormat {
    /// PNG files.
    static let png = ImageFormat(
        name: "PNG", extensions: ["png"], fits: { TileFormat(signatureOf: $0) == .png },
        rows: { try RowSource(png: $0, options: $1, checkingSize: $2) })
}

extension RowSource {
    /// Opens a PNG file, whatever colour type and depth it has, and reads its header.
    ///
    /// Anything with an alpha channel or a tRNS chunk is transparent. 16 bits are scaled to 8 with rounding;
    /// samples of that depth are converted before they are reduced, to avoid steps. An interlaced file is
    /// decoded whole before its first row. A file that lacks only its IEND chunk is read: every pixel is
    /// there, checked by its CRC.
    ///
    /// - Parameters:
    ///   - options: its range is used for 16-bit samples only.
    ///   - check: is called before all samples are read for percentages of a range.
    fileprivate convenience init(
        png image: ImageReference, options: ReadOptions, checkingSize check: SizeCheck
    ) throws {
        var header = cc_png_header()
        let reader = try RowReader(.png, image) { cc_png_open($0, &$1, &header, &$2) }
        try check(Int(header.image.width), Int(header.image.height))
        let range = header.bit_depth == 16 ? try options.range.map { try Self.values($0, of: image) } : nil
        var form = cc_pixel_form(header)
        // The reader applies a range, and then delivers 8 bits.
        if range != nil { form.bits = 8 }
        // Palette indices are not values, and a stretched sample no longer has its value.
        let largest = header.color_type == 3 ? nil : Double(1 << header.bit_depth) - 1
        let nodata = range == nil ? NodataLevel(options, largest: largest) : nil
        let colors = try FileColors(
            header.image.color, form: form, title: image.title, keepsColors: options.keepsColors,
            nodata: nodata)
        if colors.conversion?.form.bits == 16 { cc_png_keep_depth(reader.handle, &header) }
        var info = RasterInfo(header.image, summary: header.summary)
        if let range {
            cc_png_set_range(reader.handle, range.lowerBound, range.upperBound)
            info.sampleRange = range
            // Rows, or the whole of an interlaced image, are kept with 16 bits.
            info.decoderBytes *= 2
        }
        self.init(reader, of: image, info: info, colors: colors, nodata: nodata)
    }

    /// The values of a range, for which all samples of a file of 16 bits are counted if it has percentages.
    private static func values(_ range: SampleRange, of image: ImageReference) throws -> ClosedRange<Double> {
        if let values = range.values { return values }
        let histogram = try SampleHistogram(deepPNG: image)
        return try range.found(in: image.title) { Double(histogram.index(ofShare: $0)) }
    }
}

extension SampleHistogram {
    /// Counts the colours of a PNG file of 16 bits.
    fileprivate init(deepPNG image: ImageReference) throws {
        var header = cc_png_header()
        let reader = try RowReader(.png, image) { cc_png_open($0, &$1, &header, &$2) }
        cc_png_keep_depth(reader.handle, &header)
        let samples = Int(header.image.bytes_per_pixel)
        var line = [UInt16](repeating: 0, count: Int(header.image.width) * samples)
        self.init([UInt64](repeating: 0, count: 1 << 16))
        for _ in 0..<header.image.height {
            try line.withAddress { try reader.read(1, into: $0, stride: 0, title: image.title) }
            add(line, samplesPerPixel: samples, channels: Array(0..<samples))
        }
    }
}

extension cc_png_header {
    /// A description for people.
    fileprivate var summary: String {
        let color =
            switch color_type {
            case 0: "gray"
            case 2: "RGB"
            case 3: "palette"
            case 4: "gray with alpha"
            default: "RGBA"
            }
        return "PNG, \(bit_depth)-bit \(color)" + (has_transparency ? " with transparency" : "")
            + (is_interlaced ? ", interlaced" : "")
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

/// How hard to try for small PNG files; always lossless.
///
/// The figures are for encoding alone, on tiles of a plan and of an aerial photograph.
public enum PNGLevel: String, CaseIterable, Codable, Sendable {
    /// Drawings take a third of `standard`'s time and are an eighth larger; photographs are the same.
    case fast
    /// Half a millisecond for a tile of a drawing, three times that for a tile of a photograph.
    case standard = "default"
    /// Drawings are a twentieth smaller than with `standard` and take sixty times the time. Photographs are a
    /// twelfth smaller and take ten to twenty times the time.
    case small

    /// As the C code takes it.
    fileprivate var effort: cc_png_effort {
        switch self {
        case .fast: CC_PNG_FAST
        case .standard: CC_PNG_STANDARD
        case .small: CC_PNG_SMALL
        }
    }
}

/// Encodes tiles as PNG, each in the smallest form that holds its pixels exactly: gray of 1 to 8
/// bits, a palette of 1 to 8 bits, gray with alpha, RGB, or RGBA.
package final class PNGTileEncoder: CachingTileEncoder {
    /// Makes an encoder; its memory is allocated with the first tile.
    package init(level: PNGLevel = .standard) {
        super.init { try ImageWriter(png: level, width: $0, height: $0) }
    }

    /// Bytes that an encoder touches for tiles of `size * size` pixels; see `cc_png_writer_bytes`.
    package static func bytes(level: PNGLevel, size: Int) -> Int {
        Int(cc_png_writer_bytes(level.effort, UInt32(size), UInt32(size)))
    }
}

extension ImageWriter {
    /// Makes a writer of PNG files; `cc_png_writer_create`.
    fileprivate init(png level: PNGLevel, width: Int, height: Int) throws(Failure) {
        try self.init(.png, width: width, height: height) {
            cc_png_writer_create(level.effort, UInt32(width), UInt32(height), &$0, &$1)
        }
    }
}

/// Whole images as PNG files.
package enum PNGImage {
    /// Encodes an image in the smallest form that holds its pixels exactly.
    ///
    /// - Parameter rgba: straight alpha, rows without gaps.
    package static func encode(rgba: [UInt8], width: Int, height: Int) throws -> [UInt8] {
        try rgba.withUnsafeBufferPointer { try encode(rgba: $0, width: width, height: height) }
    }

    /// Encodes an image likewise, from memory that is only read.
    package static func encode(
        rgba: UnsafeBufferPointer<UInt8>, width: Int, height: Int, level: PNGLevel = .standard
    ) throws -> [UInt8] {
        try ImageWriter(png: level, width: width, height: height).encode(rgba, isOpaque: false)
    }

    /// Encodes the picture of a view, in half the time that `standard` takes for tiles.
    ///
    /// - Parameter rgba: straight alpha, rows without gaps, and after them one more byte for each row. The
    ///   pixels are lost: they are compressed in place.
    package static func encode(
        consuming rgba: UnsafeMutableBufferPointer<UInt8>, width: Int, height: Int
    ) throws -> [UInt8] {
        precondition(rgba.count == width * height * 4 + height, "a picture has room for its filters")
        var message = cc_message()
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        try cc_png_write_view(
            rgba.baseAddress, UInt32(width), UInt32(height), &bytes, &count, &message
        ).check("cannot encode PNG", message)
        defer { free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}
