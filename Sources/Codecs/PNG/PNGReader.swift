import CCodec
import Platform

/// The handle of `cc_png_open`.
struct PNGReader: ~Copyable {
    private let handle: OpaquePointer

    /// Opens a file.
    init(_ image: ImageReference, header: inout cc_png_header) throws {
        handle = try opened("cannot read \(image.title)") { cc_png_open(image.path, &$0, &header, &$1) }
    }

    /// Opens a file in memory, of at least one byte, which must stay there as long as the reader.
    ///
    /// - Throws: why it cannot be read, without the file's name.
    init(_ bytes: UnsafeBufferPointer<UInt8>, header: inout cc_png_header) throws(Failure) {
        var message = cc_message()
        var handle: OpaquePointer?
        try cc_png_open_bytes(bytes.baseAddress, bytes.count, &handle, &header, &message)
            .check(message)
        self.handle = handle.unwrapped("a call that succeeds has made one")
    }

    /// Whether the file ends without IEND; known once the last row has been read.
    var lacksEnd: Bool { cc_png_lacks_end(handle) }

    /// Sets the 16-bit sample values that become 0 and 255; `cc_png_set_range`.
    mutating func setRange(_ range: ClosedRange<Double>) {
        cc_png_set_range(handle, range.lowerBound, range.upperBound)
    }

    /// Makes rows hold RGBA if that costs nothing; updates the header. `cc_png_prefer_rgba`.
    mutating func preferRGBA(_ header: inout cc_png_header) { cc_png_prefer_rgba(handle, &header) }

    /// Makes rows keep 16 bits per sample; updates the header's memory. `cc_png_keep_depth`.
    mutating func keepDepth(_ header: inout cc_png_header) { cc_png_keep_depth(handle, &header) }

    /// Reads the next rows; `cc_png_read_rows`.
    mutating func read(
        _ count: Int, into destination: UnsafeMutableRawPointer, stride: Int, title: String
    ) throws {
        var message = cc_message()
        try cc_png_read_rows(handle, destination, stride, count, &message)
            .check("cannot read \(title)", message)
    }

    /// Reads the next rows of a file in memory.
    mutating func read(
        _ count: Int, into destination: UnsafeMutableRawPointer, stride: Int
    ) throws(Failure) {
        var message = cc_message()
        try cc_png_read_rows(handle, destination, stride, count, &message).check(message)
    }

    deinit { cc_png_close(handle) }
}
