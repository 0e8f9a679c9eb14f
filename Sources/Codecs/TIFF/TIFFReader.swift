import CCodec
import Platform

/// The handle of `cc_tiff_open`: one directory of a TIFF file.
///
/// Unchecked and not safe to share: `TIFFReaderPool` gives a reader to one task at a time, and the
/// handle is not bound to a thread.
final class TIFFReader: @unchecked Sendable {
    /// What the directory's tags say.
    let header: cc_tiff_header
    private let handle: OpaquePointer
    private let title: String
    private let log: ReadLog?

    /// Opens the directory at an offset of `TIFFDirectories`.
    ///
    /// - Parameters:
    ///   - title: what messages call the image.
    ///   - log: is told what is read.
    init(path: String, offset: UInt64, title: String, log: ReadLog? = nil) throws {
        var header = cc_tiff_header()
        handle = try opened("cannot read \(title)") {
            cc_tiff_open(path, offset, log?.handle, &$0, &header, &$1)
        }
        self.log = log
        self.title = title
        self.header = header
    }

    /// Opens the same directory once more, with the same form and mask. No other task may use the
    /// reader meanwhile.
    init(duplicating other: TIFFReader) throws {
        handle = try opened("cannot read \(other.title)") {
            cc_tiff_duplicate(other.handle, &$0, &$1)
        }
        title = other.title
        log = other.log
        header = other.header
    }

    deinit { cc_tiff_close(handle) }

    /// Sets the form of the pixels; `cc_tiff_set_form`.
    func set(_ form: cc_tiff_form) throws {
        var (form, message) = (form, cc_message())
        try cc_tiff_set_form(handle, &form, &message).check("cannot read \(title)", message)
    }

    /// Takes transparency from another directory; `cc_tiff_set_mask`.
    func setMask(_ mask: TIFFDirectories.Mask) throws {
        var message = cc_message()
        let title = mask.path.map { "the mask '\($0)'" } ?? title
        try cc_tiff_set_mask(handle, mask.path, mask.offset, UInt32(mask.opaque), &message)
            .check("cannot read \(title)", message)
    }

    /// Decodes a part of the image; `cc_tiff_read`.
    func read(
        columns: Range<Int>, rows: Range<Int>, into pixels: UnsafeMutableRawPointer, stride: Int
    ) throws {
        var message = cc_message()
        try cc_tiff_read(
            handle, UInt32(columns.lowerBound), UInt32(rows.lowerBound), UInt32(columns.count),
            UInt32(rows.count), pixels, stride, &message
        ).check("cannot read \(title)", message)
    }

    /// Takes in all samples of some rows; `cc_tiff_look`.
    func look(at rows: Range<Int>, _ survey: inout cc_tiff_survey) throws {
        var message = cc_message()
        try cc_tiff_look(
            handle, 0, UInt32(rows.lowerBound), header.width, UInt32(rows.count), &survey, &message
        ).check("cannot read \(title)", message)
    }

    /// The numbers of a tag, at most 2^20; empty if it is missing.
    func numbers(tag: UInt32) -> [Double] {
        let count = min(cc_tiff_numbers(handle, tag, nil, 0), 1 << 20)
        return [Double](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = min(count, cc_tiff_numbers(handle, tag, buffer.baseAddress, count))
        }
    }

    /// The text of a tag up to its NUL; nil if it is missing.
    func text(tag: UInt32) -> String? {
        var size = 0
        guard let bytes = cc_tiff_text(handle, tag, &size) else { return nil }
        return UnsafeRawBufferPointer(start: bytes, count: size).withMemoryRebound(to: UInt8.self) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
