import CCodec
package import Raster

/// A JPEG file as rows of pixels: baseline or progressive, 8 bits.
///
/// Gray is delivered as `gray8`, everything else as `rgb8`. Colours become sRGB by the file's
/// profile. CMYK and YCCK without a profile become RGB by R = (1 - C)(1 - K), as viewers without
/// colour management show them. A progressive file is decoded whole before its first row. Missing or
/// damaged scan data is an error, even if libjpeg could guess it.
package final class JPEGSource: RasterSource {
    package let info: RasterInfo
    /// The nodata value, if it has yet to be looked for in the delivered pixels.
    let nodata: NodataLevel?
    private let title: String
    private var reader: JPEGReader
    private let conversion: ColorConversion?

    /// Opens a file and reads its header.
    package init(_ image: ImageReference, options: ReadOptions = ReadOptions()) throws {
        title = image.title
        var header = cc_jpeg_header()
        reader = try JPEGReader(image, reducedBy: options.reduction, header: &header)
        let form = cc_pixel_form(header)
        let nodata = NodataLevel(options, largest: 255)
        let colors = try FileColors(
            header.image.color, form: form, title: title, keepsColors: options.keepsColors,
            nodata: nodata)
        self.nodata = colors.conversion == nil ? nodata : nil
        conversion = colors.conversion
        if conversion?.form.space == CC_SPACE_CMYK { reader.keepInks() }
        var info = RasterInfo(header.image, summary: Self.summary(of: header))
        info.add(colors)
        info.isLossy = true
        // A block's 8 x 8 pixels become 4, 2 or 1 along an edge, from its lowest frequencies. Not with
        // nodata: once pixels are averaged, its value can no longer be recognised.
        info.reductions = options.reduction == 1 && nodata == nil ? [2, 4, 8] : []
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
        let row = UnsafeMutableRawPointer.allocate(byteCount: info.width * pixelBytes, alignment: 1)
        defer { row.deallocate() }
        try reader.skip(count, row: row, title: title)
    }

    private static func summary(of header: cc_jpeg_header) -> String {
        let color =
            switch header.color {
            case CC_JPEG_GRAY: "gray"
            case CC_JPEG_RGB: "RGB"
            case CC_JPEG_YCBCR: "YCbCr"
            case CC_JPEG_CMYK: "CMYK"
            default: "YCCK"
            }
        return "JPEG, \(color)" + (header.is_progressive ? ", progressive" : "")
    }
}

extension cc_pixel_form {
    /// The pixels of a JPEG file as they are converted.
    fileprivate init(_ header: cc_jpeg_header) {
        switch header.color {
        case CC_JPEG_GRAY: self.init(space: CC_SPACE_GRAY, samples: 1, bits: 8)
        case CC_JPEG_CMYK, CC_JPEG_YCCK: self.init(space: CC_SPACE_CMYK, samples: 4, bits: 8)
        default: self.init(space: CC_SPACE_RGB, samples: 3, bits: 8)
        }
    }
}
