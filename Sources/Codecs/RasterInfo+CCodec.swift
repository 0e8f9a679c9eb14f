import CCodec
import Raster

extension RasterInfo {
    /// Takes what the C code has read of a header.
    init(_ image: cc_image, summary: String) {
        let exif = Array(UnsafeBufferPointer(start: image.exif, count: image.exif_size))
        self.init(
            width: Int(image.width), height: Int(image.height),
            pixelFormat: PixelFormat(bytesPerPixel: image.bytes_per_pixel),
            summary: summary,
            orientation: Orientation(exif: exif) ?? .upright,
            decoderBytes: Int(clamping: image.decoder_bytes))
        resolution = Resolution(across: image.pixels_per_inch.0, down: image.pixels_per_inch.1)
        photoPlace = EXIFBlock(exif)?.place
    }
}

extension PixelFormat {
    /// The format of pixels of that many bytes from the C code.
    init(bytesPerPixel: UInt32) {
        switch bytesPerPixel {
        case 1: self = .gray8
        case 3: self = .rgb8
        default: self = .rgba8
        }
    }
}
