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

    /// The file with an EXIF block behind its first marker: a TIFF header, and a directory with tag
    /// 274 alone.
    func bytes(orientation: UInt8) -> [UInt8] {
        let tiff: [UInt8] =
            [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0, 3, 0, 0, 0, 1, 0, orientation]
            + [0, 0, 0, 0, 0, 0]
        let body = Array("Exif\0\0".utf8) + tiff
        return bytes.prefix(2) + [0xFF, 0xE1, 0, UInt8(body.count + 2)] + body
            + bytes.dropFirst(2)
    }
}
