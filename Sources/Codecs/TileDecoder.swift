import CCodec
package import Diagnostics
import Tiling

/// Turns the bytes of tiles into pixels.
package enum TileDecoder {
    /// Decodes a PNG, JPEG or WebP file to RGBA of 8 bits with straight alpha. Colours are not converted.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - size: the columns and the rows that it must have.
    ///   - destination: where the first row goes; the others follow at a distance of `stride` bytes.
    /// - Throws: what is wrong, as one clause without the tile's name.
    package static func decode(
        _ bytes: [UInt8], size: Int, into destination: UnsafeMutableRawPointer, stride: Int
    ) throws(Failure) {
        let picture = Picture(size: size, pixels: destination, stride: stride)
        let format = TileFormat(signatureOf: bytes)
        try bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in
            switch format {
            case .png: try decodePNG(bytes, to: picture)
            case .jpeg: try decodeJPEG(bytes, to: picture)
            case .webp: try decodeWebP(bytes, to: picture)
            case .auto, nil: throw Failure(.badInput, "it is not a PNG, JPEG or WebP")
            }
        }
    }

    private static func decodePNG(
        _ bytes: UnsafeBufferPointer<UInt8>, to picture: Picture
    ) throws(Failure) {
        var header = cc_png_header()
        var reader = try PNGReader(bytes, header: &header)
        reader.preferRGBA(&header)
        let rows = try picture.rows(of: header.image)
        try reader.read(picture.size, into: rows, stride: picture.stride)
        picture.expand(bytesPerPixel: Int(header.image.bytes_per_pixel))
    }

    private static func decodeJPEG(
        _ bytes: UnsafeBufferPointer<UInt8>, to picture: Picture
    ) throws(Failure) {
        var header = cc_jpeg_header()
        var reader = try JPEGReader(bytes, header: &header)
        if header.color == CC_JPEG_CMYK || header.color == CC_JPEG_YCCK {
            throw Failure(.badInput, "it is a JPEG of inks (CMYK), which maps do not show")
        }
        let rows = try picture.rows(of: header.image)
        try reader.read(picture.size, into: rows, stride: picture.stride)
        picture.expand(bytesPerPixel: Int(header.image.bytes_per_pixel))
    }

    private static func decodeWebP(
        _ bytes: UnsafeBufferPointer<UInt8>, to picture: Picture
    ) throws(Failure) {
        var message = cc_message()
        var (width, height): (UInt32, UInt32) = (0, 0)
        try cc_webp_read_size(bytes.baseAddress, bytes.count, &width, &height, &message)
            .check(message)
        try picture.check(width, height)
        let rgba = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: picture.size * picture.size * 4)
        defer { rgba.deallocate() }
        try cc_webp_decode(bytes.baseAddress, bytes.count, width, height, rgba.baseAddress, &message)
            .check(message)
        picture.copy(UnsafeRawBufferPointer(rgba))
    }
}

/// Where the pixels of a tile go.
private struct Picture {
    let size: Int
    let pixels: UnsafeMutableRawPointer
    let stride: Int

    func check(_ width: UInt32, _ height: UInt32) throws(Failure) {
        guard Int(width) == size, Int(height) == size else {
            throw Failure(.badInput, "it has \(width) x \(height) pixels, not \(size) x \(size)")
        }
    }

    /// Where the rows of an image go: to the right end of those of the picture, so that they can be
    /// expanded in their place from the left.
    func rows(of image: cc_image) throws(Failure) -> UnsafeMutableRawPointer {
        try check(image.width, image.height)
        return pixels + size * (4 - Int(image.bytes_per_pixel))
    }

    /// Expands gray or opaque pixels to RGBA.
    func expand(bytesPerPixel: Int) {
        if bytesPerPixel == 4 { return }
        for row in 0..<size {
            let result = pixels + row * stride
            let samples = UnsafeRawPointer(result + size * (4 - bytesPerPixel))
                .assumingMemoryBound(to: UInt8.self)
            cc_expand_to_rgba(samples, bytesPerPixel, result, size)
        }
    }

    func copy(_ rgba: UnsafeRawBufferPointer) {
        for row in 0..<size {
            (pixels + row * stride).copyMemory(
                from: rgba.baseAddress.certain("a tile has pixels") + row * size * 4,
                byteCount: size * 4)
        }
    }
}
