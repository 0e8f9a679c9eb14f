import CCodec
package import Raster

/// A PNG file as rows of pixels, whatever colour type and depth it has.
///
/// Gray without transparency is delivered as `gray8`; anything with an alpha channel or a tRNS chunk
/// as `rgba8`; the rest as `rgb8`. 16 bits are scaled to 8 with rounding. An interlaced file is
/// decoded whole before its first row. Gamma and colour profiles are not applied. A file that lacks
/// nothing but its IEND chunk is read: every pixel is there, and the CRC has vouched for it.
package final class PNGSource: RasterSource {
    package let info: RasterInfo
    private let path: String
    private var reader: PNGReader

    /// Opens a file and reads its header.
    ///
    /// - Parameter range: the sample values that become 0 and 255, where samples have 16 bits.
    package init(path: String, range: ClosedRange<Double>? = nil) throws {
        self.path = path
        var header = cc_png_header()
        reader = try PNGReader(path: path, header: &header)
        var info = RasterInfo(header.image, summary: Self.summary(of: header))
        if let range, header.bit_depth == 16 {
            reader.setRange(range)
            info.sampleRange = range
            // Rows, or the whole of an interlaced image, are kept with all their bits.
            info.decoderBytes *= 2
        }
        self.info = info
    }

    package func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int)
        throws
    {
        try reader.read(count, into: destination, stride: stride, path: path)
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

/// The handle of `cc_png_open`.
private struct PNGReader: ~Copyable {
    private let handle: OpaquePointer

    init(path: String, header: inout cc_png_header) throws {
        var message = cc_message()
        var handle: OpaquePointer?
        try cc_png_open(path, &handle, &header, &message).check("cannot read '\(path)'", message)
        guard let handle else { preconditionFailure("cc_png_open succeeded without a handle") }
        self.handle = handle
    }

    mutating func setRange(_ range: ClosedRange<Double>) {
        cc_png_set_range(handle, range.lowerBound, range.upperBound)
    }

    mutating func read(
        _ count: Int, into destination: UnsafeMutableRawPointer, stride: Int, path: String
    ) throws {
        var message = cc_message()
        try cc_png_read_rows(handle, destination, stride, count, &message)
            .check("cannot read '\(path)'", message)
    }

    deinit { cc_png_close(handle) }
}
