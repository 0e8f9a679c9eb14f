import CCodec
package import Raster

/// A WebP file of a still image as rows of pixels: lossy or lossless, 8 bits.
///
/// Opaque images are delivered as `rgb8`, others as `rgba8`. Colours become sRGB by the file's profile. The image
/// is decoded whole before its first row.
package final class WebPSource: RasterSource {
    package let info: RasterInfo
    /// The nodata value, if it has yet to be looked for in the delivered pixels.
    let nodata: NodataLevel?
    private let title: String
    private var reader: WebPReader
    private let conversion: ColorConversion?

    /// Opens a file and reads its header.
    package init(_ image: ImageReference, options: ReadOptions = ReadOptions()) throws {
        title = image.title
        var header = cc_webp_header()
        reader = try WebPReader(image, header: &header)
        let form = cc_pixel_form(
            space: CC_SPACE_RGB, samples: header.image.bytes_per_pixel, bits: 8)
        let nodata = NodataLevel(options, largest: 255)
        let colors = try FileColors(
            header.image.color, form: form, title: title, keepsColors: options.keepsColors,
            nodata: nodata)
        self.nodata = colors.conversion == nil ? nodata : nil
        conversion = colors.conversion
        var info = RasterInfo(header.image, summary: Self.summary(of: header))
        info.add(colors)
        info.isLossy = !header.is_lossless
        info.secondsPerPixel = 12e-9
        self.info = info
    }

    package func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int)
        throws
    {
        try conversion.readRows(count, width: info.width, into: destination, stride: stride) {
            try reader.read($0, into: $1, stride: $2, title: title)
        }
    }

    private static func summary(of header: cc_webp_header) -> String {
        "WebP, " + (header.is_lossless ? "lossless" : "lossy") + (header.has_alpha ? " with alpha" : "")
    }
}
