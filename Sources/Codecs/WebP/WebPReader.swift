import CCodec
import Platform

/// The handle of `cc_webp_open`.
struct WebPReader: ~Copyable {
    private let handle: OpaquePointer

    /// Opens a file. The failure has a remedy if it is an animation.
    init(_ image: ImageReference, header: inout cc_webp_header) throws(Failure) {
        var message = cc_message()
        var handle: OpaquePointer?
        let status = cc_webp_open(image.path, &handle, &header, &message)
        if header.is_animated, !image.isCopy {
            let file = ShellWord.quoted(image.path)
            let frame = ShellWord.quoted(ShellWord.stem(of: image.path) + "-1.webp")
            throw Failure(
                .badInput, cannot: "read \(image.title)", message.string,
                remedy: "take its first frame, webpmux -get frame 1 \(file) -o \(frame)")
        }
        try status.check("cannot read \(image.title)", message)
        self.handle = handle.unwrapped("a call that succeeds has made one")
    }

    /// Reads the next rows; `cc_webp_read_rows`.
    mutating func read(
        _ count: Int, into destination: UnsafeMutableRawPointer, stride: Int, title: String
    ) throws {
        var message = cc_message()
        try cc_webp_read_rows(handle, destination, stride, count, &message)
            .check("cannot read \(title)", message)
    }

    deinit { cc_webp_close(handle) }
}
