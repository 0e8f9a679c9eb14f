import CCodec
package import Platform
package import Raster
package import Tiling

/// Turns the bytes of tiles into pixels.
package enum TileDecoder {
    /// Decodes a PNG, JPEG or WebP file to RGBA of 8 bits with straight alpha. Colours are not converted.
    ///
    /// - Parameters:
    ///   - size: the columns and the rows that it must have.
    ///   - destination: where the first row goes; the others follow at a distance of `stride` bytes.
    /// - Throws: the reason in one clause, without the tile's name.
    package static func decode(
        _ bytes: [UInt8], size: Int, into destination: UnsafeMutableRawPointer, stride: Int
    ) throws(Failure) {
        try withFile(bytes, size: size) { (file) throws(Failure) in
            // Samples go to the right end of each row of the result, to be expanded in place from the left.
            let offset = size * (4 - file.bytesPerPixel)
            try file.reader.read(size, into: destination + offset, stride: stride)
            guard file.bytesPerPixel < 4 else { return }
            for row in 0..<size {
                let result = destination + row * stride
                let samples = UnsafeRawPointer(result + offset).assumingMemoryBound(to: UInt8.self)
                cc_expand_to_rgba(samples, file.bytesPerPixel, result, size)
            }
        }
    }

    /// Decodes a file likewise to rows without gaps, in the format with the fewest bytes that needs no extra
    /// work.
    ///
    /// - Parameter destination: a buffer that is large enough for RGBA.
    /// - Returns: the form of the pixels.
    package static func decodeCompactly(
        _ bytes: [UInt8], size: Int, into destination: UnsafeMutableRawPointer
    ) throws(Failure) -> PixelFormat {
        try withFile(bytes, size: size) { (file) throws(Failure) in
            try file.reader.read(size, into: destination, stride: size * file.bytesPerPixel)
            return PixelFormat(bytesPerPixel: UInt32(file.bytesPerPixel))
        }
    }

    /// Opens a tile to be shown, of `size * size` pixels.
    private static func withFile<Result>(
        _ bytes: [UInt8], size: Int, _ body: (borrowing TileFile) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let format = TileFormat(signatureOf: bytes), format != .auto else {
            throw Failure(.badInput, "it is not a PNG, JPEG or WebP")
        }
        return try bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in
            let file = try TileFile(bytes, as: format, prefersRGBA: true)
            if file.hasInks {
                throw Failure(.badInput, "it is a JPEG of inks (CMYK), which maps do not show")
            }
            guard file.width == size, file.height == size else {
                throw Failure(
                    .badInput, "it has \(file.width) x \(file.height) pixels, not \(size) x \(size)")
            }
            return try body(file)
        }
    }
}

/// Checks that the bytes of a tile are a whole picture.
package enum TileInspection {
    /// The largest edge of a picture that is decoded, in pixels: eight times that of tilewright's largest
    /// tile. Decoded, it takes 64 MiB.
    package static let largestSize = 4096

    /// Rows that are decoded at a time.
    private static let rowsPerCall = 64

    /// Decodes a PNG, JPEG or WebP file from its first byte to its end.
    ///
    /// CRCs are checked if the type has them; otherwise damage that still decodes goes unnoticed. No
    /// memory for pixels is allocated before the size is known to be that of a tile. Bytes behind the
    /// end of the picture are ignored.
    ///
    /// - Returns: the type, and the size in pixels.
    /// - Throws: the reason in one clause, without the tile's name: `the file ends after row 37 of 256`.
    package static func inspect(
        _ bytes: [UInt8]
    ) throws(Failure) -> (format: TileFormat, width: Int, height: Int) {
        guard let format = TileFormat(signatureOf: bytes), format != .auto else {
            throw Failure(.badInput, "it is \(Self.name(of: bytes))")
        }
        return try bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in
            let file = try TileFile(bytes, as: format, prefersRGBA: false)
            try decodeAll(file)
            return (format, file.width, file.height)
        }
    }

    /// A description of bytes that are not a tile.
    private static func name(of bytes: [UInt8]) -> String {
        if bytes.isEmpty { return "empty" }
        let head = Array(bytes.prefix(FileHead.size))
        let name = ImageFormats.format(head: head)?.nameWithArticle ?? UnreadType(head: head)?.name
        return (name.map { "\($0), " } ?? "") + "not a PNG, JPEG or WebP"
    }

    private static func decodeAll(_ file: borrowing TileFile) throws(Failure) {
        guard max(file.width, file.height) <= largestSize else {
            throw Failure(.badInput, "it has \(file.width) x \(file.height) pixels, too many for a tile")
        }
        let rowsPerCall = min(file.height, rowsPerCall)
        let stride = file.width * file.bytesPerPixel
        let rows = UnsafeMutableRawPointer.allocate(byteCount: rowsPerCall * stride, alignment: 16)
        defer { rows.deallocate() }
        for first in Swift.stride(from: 0, to: file.height, by: rowsPerCall) {
            try file.reader.read(min(rowsPerCall, file.height - first), into: rows, stride: stride)
        }
        try file.readEnd()
    }
}

/// A PNG, JPEG or WebP file in memory that has been opened.
private struct TileFile: ~Copyable {
    let width: Int
    let height: Int
    let bytesPerPixel: Int
    /// Whether its colours are CMYK.
    let hasInks: Bool

    private let format: TileFormat
    /// Reads its rows.
    let reader: RowReader

    /// Opens a file of at least one byte, which must stay in memory until it has been read.
    ///
    /// - Parameter prefersRGBA: whether a PNG is to deliver RGBA if that costs nothing. A WebP always does.
    init(
        _ bytes: UnsafeBufferPointer<UInt8>, as format: TileFormat, prefersRGBA: Bool
    ) throws(Failure) {
        self.format = format
        let image: cc_image
        switch format {
        case .png:
            var header = cc_png_header()
            reader = try RowReader(.png, bytes) { cc_png_open($0, &$1, &header, &$2) }
            if prefersRGBA { cc_png_prefer_rgba(reader.handle, &header) }
            (image, hasInks) = (header.image, false)
        case .jpeg:
            var header = cc_jpeg_header()
            reader = try RowReader(.jpeg, bytes) { cc_jpeg_open($0, 1, &$1, &header, &$2) }
            (image, hasInks) = (
                header.image, header.color == CC_JPEG_CMYK || header.color == CC_JPEG_YCCK
            )
        case .webp, .auto:
            var header = cc_webp_header()
            reader = try RowReader(.webp, bytes) { cc_webp_open($0, &$1, &header, &$2) }
            cc_webp_prefer_rgba(reader.handle, &header)
            (image, hasInks) = (header.image, false)
        }
        (width, height, bytesPerPixel) = (Int(image.width), Int(image.height), Int(image.bytes_per_pixel))
    }

    /// Reads on to the end marker of the file, once the last row has been read.
    func readEnd() throws(Failure) {
        var message = cc_message()
        if format == .jpeg { try cc_jpeg_read_end(reader.handle, &message).check(nil, message) }
        if format == .png, cc_png_lacks_end(reader.handle) {
            throw Failure(.badInput, "the file ends before its IEND chunk")
        }
    }
}
