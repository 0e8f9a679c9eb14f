import CCodec
import Raster
import Tiling

/// The windows of a TIFF file whose blocks can be decoded in any order.
struct TIFFWindows: WindowReader {
    let blockSize: (width: Int, height: Int)
    private let readers: TIFFReaderPool

    init(readers: TIFFReaderPool, header: cc_tiff_header) {
        self.readers = readers
        blockSize = (Int(header.block_width), Int(header.block_height))
    }

    func read(
        _ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int
    ) throws {
        if window.isEmpty { return }
        try readers.withReader {
            try $0.read(
                columns: window.columns, rows: window.rows, into: destination, stride: stride)
        }
    }
}
