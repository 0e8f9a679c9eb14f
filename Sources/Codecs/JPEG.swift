import CCodec
import Platform
import Raster
import Tiling

extension ImageFormat {
    /// JPEG files.
    static let jpeg = ImageFormat(
        name: "JPEG", extensions: ["jpg", "jpeg"], fits: { TileFormat(signatureOf: $0) == .jpeg },
        rows: { try RowSource(jpeg: $0, options: $1, checkingSize: $2) })
}

extension RowSource {
    /// Opens a JPEG file, baseline or progressive, of 8 bits, and reads its header.
    ///
    /// CMYK and YCCK without a profile become RGB by R = (1 - C)(1 - K), as viewers without colour management
    /// show them. A progressive file is decoded whole before its first row. Missing or damaged scan data is
    /// an error, even if libjpeg could guess it.
    fileprivate convenience init(
        jpeg image: ImageReference, options: ReadOptions, checkingSize check: SizeCheck
    ) throws {
        var header = cc_jpeg_header()
        let reader = try RowReader(.jpeg, image) {
            cc_jpeg_open($0, UInt32(options.reduction), &$1, &header, &$2)
        }
        try check(Int(header.image.width), Int(header.image.height))
        let nodata = NodataLevel(options, largest: 255)
        let colors = try FileColors(
            header.image.color, form: cc_pixel_form(header), title: image.title,
            keepsColors: options.keepsColors,
            nodata: nodata)
        if colors.conversion?.form.space == CC_SPACE_CMYK { cc_jpeg_keep_inks(reader.handle) }
        var info = RasterInfo(header.image, summary: header.summary)
        info.isLossy = true
        // A block's 8 x 8 pixels become 4, 2 or 1 along an edge, from its lowest frequencies. Not with
        // nodata: once pixels are averaged, its value can no longer be recognised.
        info.reductions = options.reduction == 1 && nodata == nil ? [2, 4, 8] : []
        self.init(reader, of: image, info: info, colors: colors, nodata: nodata)
    }
}

extension cc_jpeg_header {
    /// A description for people.
    fileprivate var summary: String {
        let color =
            switch color {
            case CC_JPEG_GRAY: "gray"
            case CC_JPEG_RGB: "RGB"
            case CC_JPEG_YCBCR: "YCbCr"
            case CC_JPEG_CMYK: "CMYK"
            default: "YCCK"
            }
        return "JPEG, \(color)" + (is_progressive ? ", progressive" : "")
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

/// How hard to try for small JPEG files; they decode to the same pixels.
///
/// The figures are for encoding alone, on tiles of a plan and of an aerial photograph.
public enum JPEGLevel: String, CaseIterable, Codable, Sendable {
    /// A tenth of a millisecond for a tile of 256 pixels; a baseline file.
    case standard = "default"
    /// Photographs are 6 % smaller at quality 75, 11 % at 95, and drawings a sixth or more, in ten times the
    /// time. Files of photographs are mostly progressive.
    case small
}

/// Encodes tiles as JPEG. Alpha is ignored, so tiles should be opaque.
///
/// Below quality 90 chroma is halved both ways, from 90 on it is whole, as in libvips. A tile whose
/// pixels are all gray has no chroma.
package final class JPEGTileEncoder: CachingTileEncoder {
    /// Makes an encoder; its memory is allocated with the first tile.
    ///
    /// - Parameter quality: libjpeg's quality, 1 to 100.
    package init(quality: Int, level: JPEGLevel = .standard) {
        precondition((1...100).contains(quality), "quality is 1 to 100")
        super.init { try ImageWriter(jpeg: quality, level, width: $0, height: $0) }
    }

    /// Bytes that an encoder touches for tiles of `size * size` pixels.
    ///
    /// A buffer that grows by doubling holds the file: at most a byte per pixel, even of noise. libjpeg keeps
    /// two rows of blocks with their surroundings, three components of 40 rows, and some 64 KiB of tables. To
    /// try several forms, it keeps the coefficients, at most three of 16 bits for each pixel, and a second
    /// buffer.
    package static func bytes(level: JPEGLevel, size: Int) -> Int {
        let form = size * size + size * 3 * 40 + (64 << 10)
        return level == .small ? form + size * size * (6 + 1) : form
    }
}

extension ImageWriter {
    /// Makes a writer of JPEG files of a quality; `cc_jpeg_writer_create`.
    fileprivate init(jpeg quality: Int, _ level: JPEGLevel, width: Int, height: Int) throws(Failure) {
        try self.init(.jpeg, width: width, height: height) {
            cc_jpeg_writer_create(Int32(quality), level == .small, &$0, &$1)
        }
    }
}

/// Whole images as JPEG files.
package enum JPEGImage {
    /// Encodes an image, as `JPEGTileEncoder` encodes tiles.
    ///
    /// - Parameters:
    ///   - rgba: rows without gaps; alpha is ignored.
    ///   - width: columns, at most 65500.
    ///   - height: rows, likewise.
    ///   - quality: libjpeg's quality, 1 to 100.
    package static func encode(
        rgba: UnsafeBufferPointer<UInt8>, width: Int, height: Int, quality: Int,
        level: JPEGLevel = .standard
    ) throws -> [UInt8] {
        try ImageWriter(jpeg: quality, level, width: width, height: height).encode(rgba, isOpaque: true)
    }
}
