import CCodec
package import Platform
package import Tiling

/// Checks that the bytes of a tile are a whole picture.
package enum TileInspection {
    /// The largest edge of a picture that is decoded, in pixels: eight times the largest tile that we
    /// make. Decoded it takes 64 MiB.
    package static let largestSize = 4096

    /// Rows that are decoded at a time.
    private static let rowsPerCall = 64

    /// Decodes a PNG, JPEG or WebP file from its first byte to its end.
    ///
    /// CRCs are checked if the type has them; otherwise damage that still decodes goes unnoticed. No
    /// memory for pixels is allocated before the size is known to be that of a tile. Bytes behind the
    /// end of the picture do not matter.
    ///
    /// - Returns: the type, and the size in pixels.
    /// - Throws: what is wrong, as one clause without the tile's name: `the file ends after row 37 of 256`.
    package static func inspect(
        _ bytes: [UInt8]
    ) throws(Failure) -> (format: TileFormat, width: Int, height: Int) {
        switch TileFormat(signatureOf: bytes) {
        case .png: return try decode(bytes, decodePNG)
        case .jpeg: return try decode(bytes, decodeJPEG)
        case .webp: return try decode(bytes, decodeWebP)
        case .auto, nil: throw Failure(.badInput, "it is \(Self.name(of: bytes))")
        }
    }

    /// A description of bytes that are not a tile.
    private static func name(of bytes: [UInt8]) -> String {
        if bytes.isEmpty { return "empty" }
        let head = Array(bytes.prefix(FileHead.size))
        let name = ImageFormats.format(head: head).map { $0.nameWithArticle } ?? UnreadType(head: head)?.name
        return (name.map { "\($0), " } ?? "") + "not a PNG, JPEG or WebP"
    }

    private typealias Picture = (format: TileFormat, width: Int, height: Int)

    /// Calls a decoder with the address of the bytes.
    private static func decode(
        _ bytes: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Picture
    ) throws(Failure) -> Picture {
        try bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in try body(buffer) }
    }

    private static func decodePNG(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(Failure) -> Picture {
        var header = cc_png_header()
        var reader = try PNGReader(bytes, header: &header)
        try forEachRows(of: header.image) { (count, rows, stride) throws(Failure) in
            try reader.read(count, into: rows, stride: stride)
        }
        if reader.lacksEnd { throw Failure(.badInput, "the file ends before its IEND chunk") }
        return (.png, Int(header.image.width), Int(header.image.height))
    }

    private static func decodeJPEG(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(Failure) -> Picture {
        var header = cc_jpeg_header()
        var reader = try JPEGReader(bytes, header: &header)
        try forEachRows(of: header.image) { (count, rows, stride) throws(Failure) in
            try reader.read(count, into: rows, stride: stride)
        }
        try reader.readEnd()
        return (.jpeg, Int(header.image.width), Int(header.image.height))
    }

    private static func decodeWebP(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(Failure) -> Picture {
        var message = cc_message()
        var (width, height): (UInt32, UInt32) = (0, 0)
        try cc_webp_read_size(bytes.baseAddress, bytes.count, &width, &height, &message)
            .check(message)
        try checkSize(width, height)
        let size = Int(width) * Int(height) * 4
        let rgba = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: size)
        defer { rgba.deallocate() }
        try cc_webp_decode(
            bytes.baseAddress, bytes.count, width, height, rgba.baseAddress, &message
        ).check(message)
        return (.webp, Int(width), Int(height))
    }

    private static func checkSize(_ width: UInt32, _ height: UInt32) throws(Failure) {
        guard max(width, height) <= largestSize else {
            throw Failure(.badInput, "it has \(width) x \(height) pixels, too many for a tile")
        }
    }

    /// Calls `body` with memory for the next rows, until it has read all rows of a picture.
    private static func forEachRows(
        of image: cc_image,
        _ body: (Int, UnsafeMutableRawPointer, Int) throws(Failure) -> Void
    ) throws(Failure) {
        try checkSize(image.width, image.height)
        let (height, stride) = (Int(image.height), Int(image.width) * Int(image.bytes_per_pixel))
        let rows = UnsafeMutableRawPointer.allocate(
            byteCount: min(height, rowsPerCall) * stride, alignment: 16)
        defer { rows.deallocate() }
        for first in Swift.stride(from: 0, to: height, by: rowsPerCall) {
            try body(min(rowsPerCall, height - first), rows, stride)
        }
    }
}
