import CCodec
import Platform

/// The handle of `cc_jpeg_open`.
struct JPEGReader: ~Copyable {
    private let handle: OpaquePointer

    /// Opens a file.
    init(_ image: ImageReference, reducedBy factor: Int, header: inout cc_jpeg_header) throws {
        handle = try opened("cannot read \(image.title)") {
            cc_jpeg_open(image.path, UInt32(factor), &$0, &header, &$1)
        }
    }

    /// Opens a file in memory, of at least one byte, which must stay there as long as the reader.
    ///
    /// - Throws: why it cannot be read, without the file's name.
    init(_ bytes: UnsafeBufferPointer<UInt8>, header: inout cc_jpeg_header) throws(Failure) {
        var message = cc_message()
        var handle: OpaquePointer?
        try cc_jpeg_open_bytes(bytes.baseAddress, bytes.count, &handle, &header, &message)
            .check(message)
        self.handle = handle.unwrapped("a call that succeeds has made one")
    }

    /// Makes rows hold inks, 255 for full ink; `cc_jpeg_keep_inks`.
    mutating func keepInks() { cc_jpeg_keep_inks(handle) }

    /// Reads the next rows; `cc_jpeg_read_rows`.
    mutating func read(
        _ count: Int, into destination: UnsafeMutableRawPointer, stride: Int, title: String
    ) throws {
        var message = cc_message()
        try cc_jpeg_read_rows(handle, destination, stride, count, &message)
            .check("cannot read \(title)", message)
    }

    /// Passes over the next rows; `cc_jpeg_skip_rows`.
    mutating func skip(_ count: Int, row: UnsafeMutableRawPointer, title: String) throws {
        var message = cc_message()
        try cc_jpeg_skip_rows(handle, row, count, &message).check("cannot read \(title)", message)
    }

    /// Reads the next rows of a file in memory.
    mutating func read(
        _ count: Int, into destination: UnsafeMutableRawPointer, stride: Int
    ) throws(Failure) {
        var message = cc_message()
        try cc_jpeg_read_rows(handle, destination, stride, count, &message).check(message)
    }

    /// Reads to the end marker of a file in memory, after the last row.
    mutating func readEnd() throws(Failure) {
        var message = cc_message()
        try cc_jpeg_read_end(handle, &message).check(message)
    }

    deinit { cc_jpeg_close(handle) }
}
