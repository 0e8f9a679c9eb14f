import Codecs
import Raster

/// A square picture as a JPEG file.
struct JPEGFile {
    /// The file's bytes.
    let bytes: [UInt8]

    init(_ picture: Picture) throws {
        bytes = try picture.rgba.withUnsafeBufferPointer {
            try JPEGTileEncoder(quality: 90).encode(
                TilePixels(size: picture.width, bytes: $0, isOpaque: true))
        }
    }
}
