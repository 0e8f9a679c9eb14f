import CCodec
package import Platform
package import Raster
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
        _ = try decode(bytes, to: Picture(size: size, pixels: destination, stride: stride))
    }

    /// Decodes a file likewise to rows without gaps, of the form that takes the fewest bytes without more
    /// work.
    ///
    /// - Parameter destination: has room for RGBA.
    /// - Returns: the form of the pixels.
    package static func decodeCompactly(
        _ bytes: [UInt8], size: Int, into destination: UnsafeMutableRawPointer
    ) throws(Failure) -> PixelFormat {
        try decode(bytes, to: Picture(size: size, pixels: destination, stride: nil))
    }

    private static func decode(_ bytes: [UInt8], to picture: Picture) throws(Failure) -> PixelFormat {
        let format = TileFormat(signatureOf: bytes)
        return try bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in
            switch format {
            case .png: return try decodePNG(bytes, to: picture)
            case .jpeg: return try decodeJPEG(bytes, to: picture)
            case .webp: return try decodeWebP(bytes, to: picture)
            case .auto, nil: throw Failure(.badInput, "it is not a PNG, JPEG or WebP")
            }
        }
    }

    private static func decodePNG(
        _ bytes: UnsafeBufferPointer<UInt8>, to picture: Picture
    ) throws(Failure) -> PixelFormat {
        var header = cc_png_header()
        var reader = try PNGReader(bytes, header: &header)
        reader.preferRGBA(&header)
        let (rows, stride) = try picture.rows(of: header.image)
        try reader.read(picture.size, into: rows, stride: stride)
        return picture.expand(header.image)
    }

    private static func decodeJPEG(
        _ bytes: UnsafeBufferPointer<UInt8>, to picture: Picture
    ) throws(Failure) -> PixelFormat {
        var header = cc_jpeg_header()
        var reader = try JPEGReader(bytes, header: &header)
        if header.color == CC_JPEG_CMYK || header.color == CC_JPEG_YCCK {
            throw Failure(.badInput, "it is a JPEG of inks (CMYK), which maps do not show")
        }
        let (rows, stride) = try picture.rows(of: header.image)
        try reader.read(picture.size, into: rows, stride: stride)
        return picture.expand(header.image)
    }

    private static func decodeWebP(
        _ bytes: UnsafeBufferPointer<UInt8>, to picture: Picture
    ) throws(Failure) -> PixelFormat {
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
        return .rgba8
    }
}

/// Where the pixels of a tile go.
private struct Picture {
    let size: Int
    let pixels: UnsafeMutableRawPointer
    /// Bytes from one row to the next, which are RGBA; nil for rows without gaps of whatever form.
    let stride: Int?

    func check(_ width: UInt32, _ height: UInt32) throws(Failure) {
        guard Int(width) == size, Int(height) == size else {
            throw Failure(.badInput, "it has \(width) x \(height) pixels, not \(size) x \(size)")
        }
    }

    /// Where the rows of an image go, and how far apart: if they are to be expanded, to the right end of those
    /// of the picture, so that they can be expanded in their place from the left.
    func rows(of image: cc_image) throws(Failure) -> (first: UnsafeMutableRawPointer, stride: Int) {
        try check(image.width, image.height)
        let bytesPerPixel = Int(image.bytes_per_pixel)
        guard let stride else { return (pixels, size * bytesPerPixel) }
        return (pixels + size * (4 - bytesPerPixel), stride)
    }

    /// Expands gray or opaque pixels to RGBA, if they are wanted as such.
    ///
    /// - Returns: the form of the pixels from then on.
    func expand(_ image: cc_image) -> PixelFormat {
        let bytesPerPixel = Int(image.bytes_per_pixel)
        guard let stride else { return bytesPerPixel == 4 ? .rgba8 : bytesPerPixel == 3 ? .rgb8 : .gray8 }
        if bytesPerPixel == 4 { return .rgba8 }
        for row in 0..<size {
            let result = pixels + row * stride
            let samples = UnsafeRawPointer(result + size * (4 - bytesPerPixel))
                .assumingMemoryBound(to: UInt8.self)
            cc_expand_to_rgba(samples, bytesPerPixel, result, size)
        }
        return .rgba8
    }

    func copy(_ rgba: UnsafeRawBufferPointer) {
        for row in 0..<size {
            (pixels + row * (stride ?? size * 4)).copyMemory(
                from: rgba.baseAddress.unwrapped("a tile has pixels") + row * size * 4,
                byteCount: size * 4)
        }
    }
}
