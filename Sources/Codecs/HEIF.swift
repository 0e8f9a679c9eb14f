import CCodec
import Platform
import Raster

extension ImageFormat {
    /// HEIC files.
    static let heic = ImageFormat(
        name: "HEIC", extensions: ["heic", "heif", "hif"], library: CC_LIBHEIF,
        fits: { HEIFBrands($0)?.isHEIC ?? false },
        rows: { try RowSource(heif: $0, options: $1, checkingSize: $2) })

    /// AVIF files.
    static let avif = ImageFormat(
        name: "AVIF", article: "an", extensions: ["avif"], library: CC_LIBHEIF,
        fits: { HEIFBrands($0)?.isAVIF ?? false },
        rows: { try RowSource(heif: $0, options: $1, checkingSize: $2) })
}

extension RowSource {
    /// Opens the primary image of a HEIC or AVIF file, and reads its description. The failure has a remedy if
    /// there is one.
    ///
    /// The image is cut and turned as the file says; an orientation in EXIF is ignored.
    /// Colours become sRGB by the file's profile, or else by the code points of its description. Samples of
    /// 10 and 12 bits are converted before they are reduced. libheif decodes the whole image with the first
    /// row. Pixels are computed from its samples here, so that all releases of libheif give the same pixels.
    fileprivate convenience init(
        heif image: ImageReference, options: ReadOptions, checkingSize check: SizeCheck
    ) throws {
        var header = cc_heif_header()
        let reader = try RowReader(
            .heif, image, remedy: { header.obstacle.remedy(path: image.path) }
        ) { cc_heif_open($0, &$1, &header, &$2) }
        try check(Int(header.image.width), Int(header.image.height))
        let nodata = NodataLevel(options, largest: Double(1 << header.bits) - 1)
        let colors = try FileColors(
            header.image.color, form: cc_pixel_form(header), title: image.title,
            keepsColors: options.keepsColors,
            nodata: nodata)
        if colors.conversion?.form.bits == 16 { cc_heif_keep_depth(reader.handle) }
        var info = RasterInfo(header.image, summary: header.summary)
        info.orientation = .upright
        info.isLossy = true
        // Measured with photographs of 48 megapixels, with libde265 and dav1d.
        info.secondsPerPixel = header.is_av1 ? 30e-9 : 80e-9
        self.init(reader, of: image, info: info, colors: colors, nodata: nodata)
    }
}

extension cc_heif_header {
    /// A description for people.
    fileprivate var summary: String {
        let color =
            switch chroma {
            case CC_HEIF_GRAY: "gray"
            case CC_HEIF_420: "4:2:0"
            case CC_HEIF_422: "4:2:2"
            default: "4:4:4"
            }
        return [
            "\(is_av1 ? "AVIF" : "HEIC"), \(bits)-bit \(color)" + (has_alpha ? " with alpha" : ""),
            columns > 1 || rows > 1 ? "\(columns) x \(rows) tiles" : nil,
            images > 1 ? "the primary of \(images) images" : nil,
            has_movie ? "the still image of a sequence" : nil,
            has_gain_map ? "its gain map left out" : nil,
        ].compactMap { $0 }.joined(separator: ", ")
    }
}

extension cc_pixel_form {
    /// The pixels of a HEIC or AVIF file as they are converted.
    fileprivate init(_ header: cc_heif_header) {
        self.init(
            space: header.chroma == CC_HEIF_GRAY ? CC_SPACE_GRAY : CC_SPACE_RGB,
            samples: header.image.bytes_per_pixel, bits: header.bits > 8 ? 16 : 8)
    }
}

extension cc_heif_obstacle {
    /// What the user can do about it; nil if nothing.
    fileprivate func remedy(path: String) -> String? {
        let (file, png) = (ShellWord.quoted(path), ShellWord.quoted(ShellWord.stem(of: path) + ".png"))
        return switch self {
        case CC_HEIF_NO_LIBRARY: "install libheif: apt-get install libheif1, or brew install libheif"
        case CC_HEIF_NO_HEVC_DECODER: "install one: apt-get install libheif-plugin-libde265"
        case CC_HEIF_NO_AV1_DECODER: "install one: apt-get install libheif-plugin-dav1d"
        case CC_HEIF_SEQUENCE: "extract its first image: ffmpeg -i \(file) -frames:v 1 \(png)"
        default: nil
        }
    }
}

/// The brands in a file of the ISO base media format: the box `ftyp` (ISO/IEC 14496-12, 4.3).
private struct HEIFBrands {
    /// The major brand, then those that it is compatible with.
    private let brands: [String]

    /// Reads the brands in a file's first bytes; nil if it has none.
    init?(_ head: [UInt8]) {
        guard head.count >= 12, head[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        let size = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
        // A version follows the major brand.
        let compatible = stride(from: 16, to: min(size, head.count) - 3, by: 4)
        brands = ([8] + compatible).map { String(decoding: head[$0..<$0 + 4], as: UTF8.self) }
    }

    /// Whether it is an AVIF image or sequence.
    var isAVIF: Bool { !Self.heic.contains(brands[0]) && brands.contains { Self.avif.contains($0) } }

    /// Whether it is an image or a sequence of another coding, most likely HEVC.
    var isHEIC: Bool { !isAVIF && brands.contains { Self.heic.contains($0) || Self.any.contains($0) } }

    private static let avif: Set = ["avif", "avis", "avio"]
    private static let heic: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]
    /// Brands of images and sequences of any coding.
    private static let any: Set = ["mif1", "mif2", "mif3", "msf1", "miaf"]
}
