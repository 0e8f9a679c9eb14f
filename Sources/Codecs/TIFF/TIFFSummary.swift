import CCodec

/// A description of a TIFF file for people: `TIFF, 8-bit RGB, tiles of 256 x 256, Deflate`.
struct TIFFSummary {
    /// The description.
    let text: String

    /// Describes a page of a file of `pages` pages.
    init(_ header: cc_tiff_header, form: cc_tiff_form, hasMask: Bool, page: Int, of pages: Int) {
        let parts = [
            header.is_big ? "BigTIFF" : "TIFF",
            Self.samples(header) + (form.alpha >= 0 ? " with alpha" : "")
                + (hasMask ? " with mask" : ""),
            Self.bands(header, form),
            header.is_tiled ? "tiles of \(header.block_width) x \(header.block_height)" : nil,
            Self.compression(header.compression),
            pages > 1 ? page == 1 ? "the first of \(pages) pages" : "page \(page) of \(pages)" : nil,
        ]
        text = parts.compactMap { $0 }.joined(separator: ", ")
    }

    private static func samples(_ header: cc_tiff_header) -> String {
        let kind =
            switch header.kind {
            case CC_TIFF_SIGNED: "signed "
            case CC_TIFF_FLOAT: "float "
            default: ""
            }
        return "\(header.bits)-bit \(kind)\(color(header.photometric))"
    }

    private static func color(_ photometric: UInt16) -> String {
        switch photometric {
        case 2: "RGB"
        case 3: "palette"
        case 5: "CMYK"
        case 6: "YCbCr"
        case 8...10: "CIELAB"
        default: "gray"
        }
    }

    /// Which bands are read, if some are left out or their order differs.
    private static func bands(_ header: cc_tiff_header, _ form: cc_tiff_form) -> String? {
        if header.is_converted || form.color == CC_TIFF_PALETTE { return nil }
        let all = [form.bands.0, form.bands.1, form.bands.2, form.bands.3].map { Int($0) + 1 }
        let count = form.color == CC_TIFF_CMYK ? 4 : [CC_TIFF_RGB, CC_TIFF_LAB].contains(form.color) ? 3 : 1
        let taken = all.prefix(count) + (form.alpha >= 0 ? [Int(form.alpha) + 1] : [])
        if Array(taken) == Array(1...Int(header.samples)) { return nil }
        let list = taken.map(String.init).joined(separator: ", ")
        return (taken.count == 1 ? "band " : "bands ") + "\(list) of \(header.samples)"
    }

    private static func compression(_ number: UInt16) -> String? {
        switch number {
        case 1: nil
        case 2, 3, 4, 32771: "CCITT"
        case 5: "LZW"
        case 6, 7: "JPEG"
        case 8, 32946: "Deflate"
        case 32773: "PackBits"
        case 34887: "LERC"
        case 34925: "LZMA"
        case 50000: "ZSTD"
        case 50001: "WebP"
        default: "compression \(number)"
        }
    }
}
