import CCodec
import Raster
import Tiling

/// The windows of a TIFF file whose blocks can be decoded in any order.
struct TIFFWindows: WindowReader {
    let blockSize: (width: Int, height: Int)
    private let pixels: TIFFPixels

    init(_ pixels: TIFFPixels, header: cc_tiff_header) {
        self.pixels = pixels
        blockSize = (Int(header.block_width), Int(header.block_height))
    }

    func read(
        _ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int
    ) throws {
        if window.isEmpty { return }
        try pixels.read(
            columns: window.columns, rows: window.rows, into: destination, stride: stride)
    }
}
