import CCodec
import Raster

/// The conversion of pixels to sRGB; see `cc_color_create`.
///
/// The input may have forms that `PixelFormat` lacks: inks, or 16-bit samples. If a value stands for
/// no data, pixels of that value are transparent in the output.
final class ColorConversion: PixelConversion, @unchecked Sendable {
    /// The format of the pixels that come out.
    let output: PixelFormat

    /// How the pixels that go in lie in memory.
    let form: cc_pixel_form

    /// Bytes of a pixel that goes in.
    var bytesPerInput: Int { Int(form.samples * form.bits / 8) }

    // Unchecked: it never changes, so several threads may call `cc_color_convert` at the same time.
    private let handle: OpaquePointer

    private let converted: PixelFormat
    private let nodata: NodataLevel?

    /// Takes over a handle of `cc_color_create`.
    ///
    /// - Parameters:
    ///   - form: the form of the pixels that go in.
    ///   - converted: the format of the pixels that the handle makes of them.
    ///   - nodata: the value that becomes transparent; nil if there is none.
    init(
        owning handle: OpaquePointer, form: cc_pixel_form, converted: PixelFormat,
        nodata: NodataLevel?
    ) {
        self.handle = handle
        self.form = form
        self.converted = converted
        self.nodata = nodata
        output = nodata == nil ? converted : .rgba8
    }

    deinit {
        cc_color_destroy(handle)
    }

    /// Converts `count` adjacent pixels of `form`.
    func convert(
        _ pixels: UnsafeRawPointer, count: Int, into result: UnsafeMutableRawPointer
    ) {
        let size = converted.bytesPerPixel
        // At the end of the result, so that widening them to RGBA in place does not overwrite them.
        let place = result + count * (output.bytesPerPixel - size)
        cc_color_convert(handle, pixels, count, place)
        nodata?.widen(result, count: count, of: size, from: pixels, in: form)
    }

    /// Converts rows of an image as they are read.
    ///
    /// - Parameter readRow: writes the image's next row, not yet converted, to an address.
    func convertRows(
        _ count: Int, width: Int, into destination: UnsafeMutableRawPointer, stride: Int,
        readRow: (UnsafeMutableRawPointer) throws -> Void
    ) throws {
        let address = UnsafeMutableRawPointer.allocate(
            byteCount: width * bytesPerInput, alignment: MemoryLayout<UInt16>.alignment)
        defer { address.deallocate() }
        for row in 0..<count {
            try readRow(address)
            convert(address, count: width, into: destination + row * stride)
        }
    }
}

extension ColorConversion? {
    /// Reads rows of an image, converted if there is a conversion: then row by row, to a place of their own.
    ///
    /// - Parameter read: writes so many of the image's next rows to an address, so many bytes apart.
    func readRows(
        _ count: Int, width: Int, into destination: UnsafeMutableRawPointer, stride: Int,
        read: (_ count: Int, _ place: UnsafeMutableRawPointer, _ stride: Int) throws -> Void
    ) throws {
        guard let conversion = self else { return try read(count, destination, stride) }
        try conversion.convertRows(count, width: width, into: destination, stride: stride) {
            try read(1, $0, 0)
        }
    }
}
