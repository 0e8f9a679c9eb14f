import CCodec
import Platform

/// The mask of an image in a file of its own, `plan.tif.msk`, as GDAL writes it: a TIFF of one band and of the
/// image's size. Where it is 0, the image is transparent.
struct MaskFile {
    /// The suffix that the file adds to the image's name.
    static let suffix = ".msk"

    private let path: String
    private let directories: TIFFDirectories

    /// Reads the directories of the file beside an image; nil if there is none. It is the first page's.
    ///
    /// - Throws: a `Failure` that names the file: the image without it would be another one.
    init?(beside image: ImageReference) throws {
        guard let path = try Self.path(beside: image) else { return nil }
        self.path = path
        guard TIFFFormat.fits(try FileHead(path: path).bytes) else {
            throw Self.failure(path, "it is not a TIFF")
        }
        do {
            directories = try TIFFDirectories(ImageReference(path), isMasked: false)
        } catch let failure as Failure {
            throw failure.isOfSystem ? failure : Failure(failure.kind, failure.message, remedy: Self.remedy)
        }
    }

    /// The path of the file beside an image; nil if there is none.
    ///
    /// - Throws: `.missingInput` if it is no regular file.
    static func path(beside image: ImageReference) throws -> String? {
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
                path, "it has \(main.width) x \(main.height) pixels, and the image \(width) x \(height)")
        }
        guard main.samples == 1 else {
            throw Self.failure(path, "it has \(main.samples) bands, and a mask of the whole image has one")
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
            path: path, offset: directories.main.offset, title: "the mask '\(path)'")
        var form = cc_tiff_form()
        form.color = CC_TIFF_GRAY
        form.alpha = -1
        form.high = 1
        form.bytes_per_pixel = 1
        guard reader.header.kind == CC_TIFF_UNSIGNED, reader.header.bits <= 16, !reader.header.is_converted
        else { throw Self.failure(path, "its samples are not those of a mask") }
        try reader.set(form)
        return reader
    }

    private static func failure(_ path: String, _ reason: String) -> Failure {
        Failure(.badInput, cannot: "read the mask '\(path)'", reason, remedy: remedy)
    }

    private static let remedy = "make it anew, or move it away if it is not the image's mask"
}
