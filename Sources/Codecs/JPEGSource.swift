import CCodec
package import Raster

/// A JPEG file as rows of pixels: baseline or progressive, 8 bits.
///
/// Gray is delivered as `gray8`, everything else as `rgb8`. CMYK and YCCK become RGB by
/// R = (1 - C)(1 - K), which is what viewers without colour management show; colour profiles are not
/// applied. A progressive file is decoded whole before its first row. Scan data that is missing or
/// damaged is an error, even where libjpeg could guess.
package final class JPEGSource: RasterSource {
    package let info: RasterInfo
    private let path: String
    private var reader: JPEGReader

    /// Opens a file and reads its header.
    ///
    /// - Parameter factor: 1, or one of `RasterInfo.reductions`.
    package init(path: String, reducedBy factor: Int = 1) throws {
        self.path = path
        var header = cc_jpeg_header()
        reader = try JPEGReader(path: path, reducedBy: factor, header: &header)
        var info = RasterInfo(header.image, summary: Self.summary(of: header))
        // Whole numbers of a block's 8 by 8 pixels, made of its 4, 2 or 1 lowest frequencies.
        info.reductions = factor == 1 ? [2, 4, 8] : []
        self.info = info
    }

    package func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int)
        throws
    {
        try reader.read(count, into: destination, stride: stride, path: path)
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

/// The handle of `cc_jpeg_open`.
private struct JPEGReader: ~Copyable {
    private let handle: OpaquePointer

    init(path: String, reducedBy factor: Int, header: inout cc_jpeg_header) throws {
        var message = cc_message()
        var handle: OpaquePointer?
        try cc_jpeg_open(path, UInt32(factor), &handle, &header, &message)
            .check("cannot read '\(path)'", message)
        guard let handle else { preconditionFailure("cc_jpeg_open succeeded without a handle") }
        self.handle = handle
    }

    mutating func read(
        _ count: Int, into destination: UnsafeMutableRawPointer, stride: Int, path: String
    ) throws {
        var message = cc_message()
        try cc_jpeg_read_rows(handle, destination, stride, count, &message)
            .check("cannot read '\(path)'", message)
    }

    deinit { cc_jpeg_close(handle) }
}
