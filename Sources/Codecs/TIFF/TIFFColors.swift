import CCodec
import Platform

/// Which samples of a TIFF file are its colours, and which is alpha.
struct TIFFColors {
    /// What the samples of the colour are.
    let color: cc_tiff_color
    /// The colour's samples, counted from 0, as `cc_tiff_form` has them.
    let bands: (UInt16, UInt16, UInt16, UInt16)
    /// The sample of alpha, counted from 0; nil if there is none.
    let alpha: Int?
    /// Whether the colours were multiplied by alpha.
    let isPremultiplied: Bool

    /// Takes the colours that the tags name, or the `wanted` samples, counted from 1, as they are.
    init(_ header: cc_tiff_header, bands wanted: [Int]?, title: String) throws {
        if let wanted {
            self = try TIFFColors(wanted, of: header, title: title)
            return
        }
        let (color, count) = try Self.color(of: header, title: title)
        guard header.is_converted || Int(header.samples) >= count else {
            throw Failure(
                .badInput,
                "cannot read \(title): its colours need \(count) samples, and it has "
                    + "\(header.samples)")
        }
        let extra = header.is_converted ? nil : Self.alpha(of: header, colorCount: count)
        if color == CC_TIFF_LAB, extra?.isPremultiplied == true {
            throw Self.unsupported("its colours are CIELAB that was multiplied by alpha", title)
        }
        self.init(
            color: color, bands: (0, 1, 2, 3), alpha: extra?.sample,
            isPremultiplied: extra?.isPremultiplied ?? false)
    }

    private init(
        color: cc_tiff_color, bands: (UInt16, UInt16, UInt16, UInt16), alpha: Int?,
        isPremultiplied: Bool
    ) {
        self.color = color
        self.bands = bands
        self.alpha = alpha
        self.isPremultiplied = isPremultiplied
    }

    /// One band is gray, three are RGB; one more is alpha.
    private init(_ wanted: [Int], of header: cc_tiff_header, title: String) throws {
        if header.photometric == 3 {
            try self.init(paletteColumns: wanted, title: title)
            return
        }
        let count = header.is_converted ? 3 : Int(header.samples)
        try BandList.check(wanted, of: count, title: title)
        let samples = wanted.map { UInt16($0 - 1) }
        let isGray = wanted.count < 3
        self.init(
            color: isGray ? CC_TIFF_GRAY : CC_TIFF_RGB,
            bands: isGray ? (samples[0], 0, 0, 0) : (samples[0], samples[1], samples[2], 0),
            alpha: wanted.count % 2 == 0 ? Int(samples[wanted.count - 1]) : nil,
            isPremultiplied: false)
    }

    /// A palette's bands are its colours, not the codes that stand for them.
    private init(paletteColumns wanted: [Int], title: String) throws {
        try BandList.check(wanted, of: 3, title: title)
        let columns = (wanted.count < 3 ? [wanted[0], wanted[0], wanted[0]] : wanted)
            .map { UInt16($0 - 1) }
        guard wanted.count % 2 == 1 else {
            throw Self.unsupported("its palette has no band of alpha", title)
        }
        self.init(
            color: CC_TIFF_PALETTE, bands: (columns[0], columns[1], columns[2], 0), alpha: nil,
            isPremultiplied: false)
    }

    /// Whether sample values can be stretched. Inks, CIELAB, and colours that were multiplied by alpha, cannot:
    /// their scale is the range of their type.
    var canBeScaled: Bool { color != CC_TIFF_CMYK && color != CC_TIFF_LAB && !isPremultiplied }

    private static func color(
        of header: cc_tiff_header, title: String
    ) throws -> (color: cc_tiff_color, count: Int) {
        if header.is_converted { return (CC_TIFF_RGB, 3) }
        switch header.photometric {
        case 0, 1, 4: return (CC_TIFF_GRAY, 1)
        case 2: return (CC_TIFF_RGB, 3)
        case 3: return (CC_TIFF_PALETTE, 1)
        case 5 where header.ink_set <= 1: return (CC_TIFF_CMYK, 4)
        case 5: throw unsupported("its inks are not cyan, magenta, yellow and black", title)
        case 8...10: return (try lab(header, title: title), 3)
        default:
            throw unsupported(
                "its photometric interpretation \(header.photometric) is not one that is read", title)
        }
    }

    private static func lab(_ header: cc_tiff_header, title: String) throws -> cc_tiff_color {
        if header.kind == CC_TIFF_FLOAT {
            throw unsupported("its colours are CIELAB in floats: 8 or 16 bits are read", title)
        }
        guard header.bits == 8 || header.bits == 16 else {
            throw unsupported("its colours are CIELAB of \(header.bits) bits: 8 or 16 are read", title)
        }
        return CC_TIFF_LAB
    }

    /// The first sample beyond the colours that the file calls alpha. An unnamed sample does not count:
    /// it could be infrared.
    private static func alpha(
        of header: cc_tiff_header, colorCount: Int
    ) -> (sample: Int, isPremultiplied: Bool)? {
        let kinds = withUnsafeBytes(of: header.extra_samples) {
            Array($0.bindMemory(to: UInt16.self).prefix(Int(header.extra_count)))
        }
        guard let index = kinds.firstIndex(where: { $0 == 1 || $0 == 2 }),
            colorCount + index < Int(header.samples)
        else { return nil }
        return (colorCount + index, kinds[index] == 1)
    }

    private static func unsupported(_ reason: String, _ title: String) -> Failure {
        Failure(.badInput, "cannot read \(title): \(reason)")
    }
}
