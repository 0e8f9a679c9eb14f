import CCodec
import Raster

/// The conversion of pixels to sRGB; see `cc_color_create`.
///
/// The pixels that go in need not be of a `PixelFormat`: inks are not, nor are 16-bit samples. A
/// value of theirs that stands for no data is transparent in what comes out.
final class ColorConversion: PixelConversion, @unchecked Sendable {
    /// The form of the pixels that come out.
    let output: PixelFormat

    /// How the pixels that go in lie in memory.
    let form: cc_pixel_form

    /// Of a pixel that goes in.
    var bytesPerInput: Int { Int(form.samples * form.bits / 8) }

    // Never changed once it is made: `cc_color_convert` may be called by several threads at a time.
    private let handle: OpaquePointer

    private let converted: PixelFormat
    private let nodata: NodataLevel?

    /// Takes over a handle of `cc_color_create`.
    ///
    /// - Parameters:
    ///   - form: of the pixels that go in.
    ///   - converted: the form of those that the handle makes of them.
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

    /// Converts a run of pixels of the form that the conversion was made for.
    func convert(
        _ pixels: UnsafeRawPointer, count: Int, into result: UnsafeMutableRawPointer
    ) {
        let size = converted.bytesPerPixel
        // At the end, where they are not in the way of the wider ones that are made of them.
        let place = result + count * (output.bytesPerPixel - size)
        cc_color_convert(handle, pixels, count, place)
        nodata?.widen(result, count: count, of: size, from: pixels, in: form)
    }

    /// Converts rows of an image as they are read.
    ///
    /// - Parameter readRow: puts the image's next row, as it is stored, where it is told.
    func convertRows(
        _ count: Int, width: Int, into destination: UnsafeMutableRawPointer, stride: Int,
        readRow: (UnsafeMutableRawPointer) throws -> Void
    ) throws {
        let line = UnsafeMutableRawBufferPointer.allocate(
            byteCount: width * bytesPerInput,
            alignment: MemoryLayout<UInt16>.alignment)
        defer { line.deallocate() }
        guard let address = line.baseAddress else { return }
        for row in 0..<count {
            try readRow(address)
            convert(address, count: width, into: destination + row * stride)
        }
    }
}
