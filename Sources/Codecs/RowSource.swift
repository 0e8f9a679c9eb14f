import CCodec
import Platform
package import Raster

/// A PNG, JPEG, WebP, HEIC or AVIF file as rows of pixels, from the top.
///
/// Gray without transparency is delivered as `gray8`, anything transparent as `rgba8`, the rest as `rgb8`.
/// Colours become sRGB as the file says. What differs between formats is in the file of each: `PNG.swift` and
/// so on.
package final class RowSource: RasterSource {
    /// Opens a file, reads its header, and decides how its pixels are delivered.
    typealias Open = @Sendable (ImageReference, ReadOptions, _ check: SizeCheck) throws -> RowSource

    package let info: RasterInfo
    /// The nodata value, if it has yet to be looked for in the delivered pixels.
    let nodata: NodataLevel?
    private let title: String
    private let reader: RowReader
    private let conversion: ColorConversion?

    /// Makes a source of a reader that has delivered no row yet.
    ///
    /// - Parameter info: the description, but for the colours.
    init(
        _ reader: consuming RowReader, of image: ImageReference, info: RasterInfo, colors: FileColors,
        nodata: NodataLevel?
    ) {
        self.reader = reader
        title = image.title
        conversion = colors.conversion
        self.nodata = colors.conversion == nil ? nodata : nil
        var info = info
        info.add(colors)
        self.info = info
    }

    package func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int) throws {
        guard let conversion else {
            return try reader.read(count, into: destination, stride: stride, title: title)
        }
        let row = unconvertedRow()
        defer { row.deallocate() }
        for index in 0..<count {
            try reader.read(1, into: row, stride: 0, title: title)
            conversion.convert(row, count: info.width, into: destination + index * stride)
        }
    }

    package func skipRows(_ count: Int) throws {
        let row = unconvertedRow()
        defer { row.deallocate() }
        try reader.skip(count, row: row, title: title)
    }

    private func unconvertedRow() -> UnsafeMutableRawPointer {
        .allocate(
            byteCount: info.width * (conversion?.bytesPerInput ?? info.pixelFormat.bytesPerPixel),
            alignment: 16)
    }
}

/// The handle of a reader of the C code that decodes an image row by row.
struct RowReader: ~Copyable {
    /// The library whose functions are called.
    enum Codec { case png, jpeg, webp, heif }

    /// The handle, for functions of only one format.
    let handle: OpaquePointer
    private let codec: Codec

    /// Opens a file; `cc_png_open` and the like.
    typealias Open = (
        _ source: cc_source, _ handle: inout OpaquePointer?, _ message: inout cc_message
    ) -> cc_status

    /// Opens an image.
    ///
    /// - Parameter remedy: what the user can do if opening fails; nil if nothing.
    init(
        _ codec: Codec, _ image: ImageReference, remedy: () -> String? = { nil }, _ open: Open
    ) throws(Failure) {
        self.codec = codec
        let path = try FarFiles.localPath(of: image.path)
        do throws(Failure) {
            handle = try opened(nil) { handle, message in
                path.withCString { open(cc_source(path: $0, bytes: nil, size: 0), &handle, &message) }
            }
        } catch {
            guard !image.isCopy, let remedy = remedy() else {
                throw Failure(error.kind, "cannot read \(image.title): \(error.message)")
            }
            throw Failure(.badInput, cannot: "read \(image.title)", error.message, remedy: remedy)
        }
    }

    /// Opens a file of at least one byte in memory, where it must stay as long as the reader. Errors say why
    /// it cannot be read, but do not name the file.
    init(_ codec: Codec, _ bytes: UnsafeBufferPointer<UInt8>, _ open: Open) throws(Failure) {
        self.codec = codec
        handle = try opened(nil) {
            open(cc_source(path: nil, bytes: bytes.baseAddress, size: bytes.count), &$0, &$1)
        }
    }

    /// Reads the next rows; `cc_png_read_rows` and the like.
    ///
    /// - Parameter title: what messages call the image; nil if the caller adds it.
    func read(
        _ count: Int, into rows: UnsafeMutableRawPointer, stride: Int, title: String? = nil
    ) throws(Failure) {
        var message = cc_message()
        let status =
            switch codec {
            case .png: cc_png_read_rows(handle, rows, stride, count, &message)
            case .jpeg: cc_jpeg_read_rows(handle, rows, stride, count, &message)
            case .webp: cc_webp_read_rows(handle, rows, stride, count, &message)
            case .heif: cc_heif_read_rows(handle, rows, stride, count, &message)
            }
        try status.check(title.map { "cannot read \($0)" }, message)
    }

    /// Skips the next rows; in a JPEG, without making pixels of most of them.
    func skip(_ count: Int, row: UnsafeMutableRawPointer, title: String) throws(Failure) {
        guard codec == .jpeg else {
            for _ in 0..<count { try read(1, into: row, stride: 0, title: title) }
            return
        }
        var message = cc_message()
        try cc_jpeg_skip_rows(handle, row, count, &message).check("cannot read \(title)", message)
    }

    deinit {
        switch codec {
        case .png: cc_png_close(handle)
        case .jpeg: cc_jpeg_close(handle)
        case .webp: cc_webp_close(handle)
        case .heif: cc_heif_close(handle)
        }
    }
}

extension RasterInfo {
    /// Takes what the C code has read of a header.
    init(_ image: cc_image, summary: String) {
        let exif = Array(UnsafeBufferPointer(start: image.exif, count: image.exif_size))
        self.init(
            width: Int(image.width), height: Int(image.height),
            pixelFormat: PixelFormat(bytesPerPixel: image.bytes_per_pixel),
            summary: summary,
            orientation: Orientation(exif: exif) ?? .upright,
            decoderBytes: Int(clamping: image.decoder_bytes))
        resolution = Resolution(across: image.pixels_per_inch.0, down: image.pixels_per_inch.1)
        photoPlace = EXIFBlock(exif)?.place
    }
}

extension PixelFormat {
    /// The format of pixels of that many bytes from the C code.
    init(bytesPerPixel: UInt32) {
        switch bytesPerPixel {
        case 1: self = .gray8
        case 3: self = .rgb8
        default: self = .rgba8
        }
    }
}
