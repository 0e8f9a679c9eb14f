import CCodec
import Platform
import Raster
import Tiling

/// An image with a mask in a file next to it. It is read from the top; a TIFF applies such a mask itself.
final class MaskedSource: RasterSource {
    let info: RasterInfo

    private let base: any RasterSource
    private let mask: TIFFReader
    /// The next row to be read.
    private var row = 0
    /// Rows of the mask that were decoded together, and their range.
    private var band: [UInt8]
    private var bandRows = 0..<0

    /// Masks an image, which is read from its first row on.
    ///
    /// - Throws: a `Failure` if the mask does not fit the image, or cannot be read.
    init(_ base: any RasterSource, by file: MaskFile) throws {
        let (width, height) = (base.info.width, base.info.height)
        try file.check(width: UInt32(width), height: UInt32(height))
        mask = try file.open()
        self.base = base
        band = [UInt8](repeating: 0, count: width * Self.bandHeight(mask.header))
        var info = base.info
        info.summary += ", with mask"
        info.fileBands = info.fileBands ?? info.pixelFormat.bytesPerPixel
        info.pixelFormat = .rgba8
        // A smaller image would mix in the colours of masked pixels.
        info.reductions = []
        info.decoderBytes += mask.header.readerBytes + band.count
        self.info = info
    }

    func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int) throws {
        let (width, size) = (info.width, base.info.pixelFormat.bytesPerPixel)
        for index in 0..<count {
            // Pixels go to the right end of the row, to be expanded in place from the left.
            let pixels = (destination + index * stride).assumingMemoryBound(to: UInt8.self)
            let samples = pixels + width * (4 - size)
            try base.readRows(1, into: samples, stride: width * size)
            if size < 4 { cc_expand_to_rgba(samples, size, pixels, width) }
            if !bandRows.contains(row) { try fillBand() }
            let first = (row - bandRows.lowerBound) * width
            band.withUnsafeBufferPointer { mask in
                for column in 0..<width {
                    pixels[column * 4 + 3] = min(pixels[column * 4 + 3], mask[first + column])
                }
            }
            row += 1
        }
    }

    /// Decodes the rows of a whole tile of the mask, so that no tile is decoded once per row.
    private func fillBand() throws {
        let height = Self.bandHeight(mask.header)
        let top = row / height * height
        bandRows = 0..<0
        let rows = top..<min(top + height, info.height)
        try band.withAddress {
            try mask.read(columns: 0..<info.width, rows: rows, into: $0, stride: info.width)
        }
        bandRows = rows
    }

    private static func bandHeight(_ header: cc_tiff_header) -> Int {
        header.is_tiled ? min(Int(header.block_height), Int(header.height)) : 1
    }
}

/// The mask of an image in a separate file, `plan.tif.msk`, as GDAL writes it: a TIFF of one band with the
/// image's size. Where it is 0, the image is transparent.
struct MaskFile {
    /// The suffix that the file adds to the image's name.
    static let suffix = ".msk"

    private let path: String
    private let directories: TIFFDirectories

    /// Reads the directories of the file next to an image; nil if there is none. Only the first page has such
    /// a file.
    ///
    /// - Throws: a `Failure` that names the file: without the mask, the image would look different.
    init?(nextTo image: ImageReference) throws {
        guard let path = try Self.path(nextTo: image) else { return nil }
        self.path = path
        guard ImageFormat.tiff.fits(try FileHead(path: path).bytes) else {
            throw Self.failure(path, "it is not a TIFF")
        }
        do {
            directories = try TIFFDirectories(ImageReference(path), isMasked: false)
        } catch let failure as Failure {
            throw failure.isOfSystem ? failure : Failure(failure.kind, failure.message, remedy: Self.remedy)
        }
    }

    /// The path of the file next to an image; nil if there is none.
    ///
    /// - Throws: `.missingInput` if it is not a regular file.
    static func path(nextTo image: ImageReference) throws -> String? {
        image.page == 1 ? try InputFile.first(of: [image.path + suffix]) : nil
    }

    /// The mask of the whole image. As in GDAL, any value but 0 is opaque.
    var mask: TIFFDirectories.Mask {
        TIFFDirectories.Mask(path: path, offset: directories.main.offset, opaque: 1)
    }

    /// Checks that it has the size of the image, and one band.
    func check(width: UInt32, height: UInt32) throws {
        let main = directories.main
        guard main.width == width, main.height == height else {
            throw Self.failure(
                path, "it has \(main.width) x \(main.height) pixels, but the image \(width) x \(height)")
        }
        guard main.samples == 1 else {
            throw Self.failure(path, "it has \(main.samples) bands, but a mask of the whole image has one")
        }
    }

    /// An overview of the image with the mask's overview of the same size; without a mask if there is none.
    func masking(_ overview: TIFFDirectories.Overview) -> TIFFDirectories.Overview {
        var overview = overview
        let same = directories.overviews.first { $0.factor == overview.factor }
        overview.mask = same.map { TIFFDirectories.Mask(path: $0.path, offset: $0.offset) }
        return overview
    }

    /// Opens the mask of the whole image: gray, 255 where it is opaque.
    func open() throws -> TIFFReader {
        let reader = try TIFFReader(
            TIFFFile(path), offset: directories.main.offset, title: "the mask '\(path)'")
        var form = cc_tiff_form()
        form.color = CC_TIFF_GRAY
        form.alpha = -1
        form.high = 1
        form.bytes_per_pixel = 1
        guard reader.header.kind == CC_TIFF_UNSIGNED, reader.header.bits <= 16, !reader.header.is_converted
        else { throw Self.failure(path, "a mask must have unsigned samples of at most 16 bits") }
        try reader.set(form)
        return reader
    }

    private static func failure(_ path: String, _ reason: String) -> Failure {
        Failure(.badInput, cannot: "read the mask '\(path)'", reason, remedy: remedy)
    }

    private static let remedy = "create it again, or move it away if it is not the image's mask"
}
