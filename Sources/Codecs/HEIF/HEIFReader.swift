import CCodec
import Platform

/// The handle of `cc_heif_open`.
struct HEIFReader: ~Copyable {
    private let handle: OpaquePointer

    /// Opens a file. The failure has a remedy if there is one.
    init(_ image: ImageReference, header: inout cc_heif_header) throws(Failure) {
        var message = cc_message()
        var handle: OpaquePointer?
        let status = cc_heif_open(image.path, &handle, &header, &message)
        if status != CC_OK, !image.isCopy, let remedy = header.obstacle.remedy(path: image.path) {
            throw Failure(.badInput, cannot: "read \(image.title)", message.string, remedy: remedy)
        }
        try status.check("cannot read \(image.title)", message)
        self.handle = handle.unwrapped("a call that succeeds has made one")
    }

    /// Makes rows keep 16 bits per sample; `cc_heif_keep_depth`.
    mutating func keepDepth() { cc_heif_keep_depth(handle) }

    /// Reads the next rows; `cc_heif_read_rows`.
    mutating func read(
        _ count: Int, into destination: UnsafeMutableRawPointer, stride: Int, title: String
    ) throws {
        var message = cc_message()
        try cc_heif_read_rows(handle, destination, stride, count, &message)
            .check("cannot read \(title)", message)
    }

    deinit { cc_heif_close(handle) }
}

extension cc_heif_obstacle {
    /// The way out.
    fileprivate func remedy(path: String) -> String? {
        let (file, png) = (ShellWord.quoted(path), ShellWord.quoted(ShellWord.stem(of: path) + ".png"))
        return switch self {
        case CC_HEIF_NO_LIBRARY: "install libheif: apt-get install libheif1, or brew install libheif"
        case CC_HEIF_NO_HEVC_DECODER: "install one: apt-get install libheif-plugin-libde265"
        case CC_HEIF_NO_AV1_DECODER: "install one: apt-get install libheif-plugin-dav1d"
        case CC_HEIF_SEQUENCE: "take its first image, ffmpeg -i \(file) -frames:v 1 \(png)"
        default: nil
        }
    }
}
