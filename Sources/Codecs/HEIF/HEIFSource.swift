import CCodec
package import Raster

/// The primary image of a HEIC or AVIF file as rows of pixels.
///
/// Gray without transparency is delivered as `gray8`, anything transparent as `rgba8`, the rest as `rgb8`. The
/// image is cut and turned as the file says; an orientation in EXIF does not count beside that. Colours become
/// sRGB by the file's profile, or else by the code points of its description. Samples of 10 and 12 bits are
/// converted before they are reduced. libheif decodes the whole image with the first row; what becomes of the samples
/// is computed by ourselves, so that all its releases give the same pixels.
package final class HEIFSource: RasterSource {
    package let info: RasterInfo
    /// The nodata value, if it has yet to be looked for in the delivered pixels.
    let nodata: NodataLevel?
    private let title: String
    private var reader: HEIFReader
    private let conversion: ColorConversion?

    /// Opens a file and reads its description.
    package init(_ image: ImageReference, options: ReadOptions = ReadOptions()) throws {
        title = image.title
        var header = cc_heif_header()
        reader = try HEIFReader(image, header: &header)
        let nodata = NodataLevel(options, largest: Double(1 << header.bits) - 1)
        let colors = try FileColors(
            header.image.color, form: cc_pixel_form(header), title: title,
            keepsColors: options.keepsColors, nodata: nodata)
        self.nodata = colors.conversion == nil ? nodata : nil
        conversion = colors.conversion
        if conversion?.form.bits == 16 { reader.keepDepth() }
        var info = RasterInfo(header.image, summary: Self.summary(of: header))
        info.orientation = .upright
        info.add(colors)
        info.isLossy = true
        // Of photographs of 48 megapixels, by libde265 and dav1d.
        info.secondsPerPixel = header.is_av1 ? 30e-9 : 80e-9
        self.info = info
    }

    package func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int)
        throws
    {
        try conversion.readRows(count, width: info.width, into: destination, stride: stride) {
            try reader.read($0, into: $1, stride: $2, title: title)
        }
    }

    private static func summary(of header: cc_heif_header) -> String {
        let color =
            switch header.chroma {
            case CC_HEIF_GRAY: "gray"
            case CC_HEIF_420: "4:2:0"
            case CC_HEIF_422: "4:2:2"
            default: "4:4:4"
            }
        let isTiled = header.columns > 1 || header.rows > 1
        return [
            "\(header.is_av1 ? "AVIF" : "HEIC"), \(header.bits)-bit \(color)"
                + (header.has_alpha ? " with alpha" : ""),
            isTiled ? "\(header.columns) x \(header.rows) tiles" : nil,
            header.images > 1 ? "the primary of \(header.images) images" : nil,
            header.has_movie ? "the still image of a sequence" : nil,
            header.has_gain_map ? "its gain map left out" : nil,
        ].compactMap { $0 }.joined(separator: ", ")
    }
}

extension cc_pixel_form {
    /// The pixels of a HEIC or AVIF file as they are converted.
    fileprivate init(_ header: cc_heif_header) {
        self.init(
            space: header.chroma == CC_HEIF_GRAY ? CC_SPACE_GRAY : CC_SPACE_RGB,
            samples: header.image.bytes_per_pixel, bits: header.bits > 8 ? 16 : 8)
    }
}
