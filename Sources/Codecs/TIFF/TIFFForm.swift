import CCodec
import Platform
import Raster

/// How the samples of a TIFF directory become pixels, by its tags and the options.
struct TIFFForm {
    /// The form as the C code takes it.
    var form: cc_tiff_form
    /// Whether the sample values that become 0 and 255 have yet to be found in the data.
    let needsDataRange: Bool

    /// The range of the sample type, which reports need not mention.
    let typeRange: ClosedRange<Double>
    /// What the file says about its colours, and the conversion of the pixels of `unconverted`.
    let fileColors: FileColors

    /// The scale from samples to values; ranges are in values.
    let scale: SampleScale
    private let isInverted: Bool

    /// Decides from the tags and the options.
    ///
    /// - Parameter metadata: what GDAL has written into the file.
    /// - Throws: `.usage` or `.badInput`; the message names the file.
    init(
        _ header: cc_tiff_header, _ metadata: GDALMetadata, hasMask: Bool, options: ReadOptions, title: String
    ) throws {
        let colors = try TIFFColors(header, bands: options.bands, title: title)
        isInverted = header.photometric == 0
        let nodata = options.nodata ?? (header.has_nodata ? header.nodata : nil)
        if options.range != nil, !colors.canBeScaled {
            throw Failure(
                .usage,
                "cannot rescale \(title): its colours are "
                    + (colors.isPremultiplied
                        ? "multiplied by alpha" : colors.color == CC_TIFF_LAB ? "CIELAB" : "inks"),
                remedy: "name the bands with --bands, to read them unconverted, or leave out --rescale")
        }
        let bands = [colors.bands.0, colors.bands.1, colors.bands.2].map { Int($0) }
        let isScaled = colors.canBeScaled && colors.color != CC_TIFF_PALETTE && !header.is_converted
        let scaledBands = colors.color == CC_TIFF_GRAY ? [bands[0]] : bands
        scale = isScaled ? options.scale ?? metadata.scale(of: scaledBands) : .identity
        typeRange = colors.color == CC_TIFF_PALETTE ? 0...255 : header.typeRange
        form = cc_tiff_form()
        form.color = colors.color
        form.bands = colors.bands
        form.alpha = Int32(colors.alpha ?? -1)
        form.is_premultiplied = colors.isPremultiplied
        form.has_nodata = nodata != nil
        form.nodata = nodata ?? 0
        let canBeTransparent =
            colors.alpha != nil || hasMask || header.kind == CC_TIFF_FLOAT
            || nodata.map(header.canHold) ?? false
        form.bytes_per_pixel = canBeTransparent ? 4 : colors.color == CC_TIFF_GRAY ? 1 : 3
        fileColors = try FileColors(header, form: form, options: options, title: title)
        // A profile refers to the type's full range: stretched samples would give wrong colours.
        let hasColors = fileColors.profile != nil && options.bands == nil
        let hasTypeRange =
            typeRange == 0...255 || header.hasFewBits || !colors.canBeScaled || hasColors
        if let range = options.range, range.values == nil, colors.color == CC_TIFF_PALETTE {
            throw Failure(
                .usage, "cannot rescale \(title) by percentages: its colours are a palette",
                remedy: "give values")
        }
        needsDataRange = options.range.map { $0.values == nil } ?? !hasTypeRange
        if let range = options.range?.values {
            setRange(range)
        } else {
            setEnds(typeRange.lowerBound, typeRange.upperBound)
        }
    }

    /// Sets the values that become black and white.
    mutating func setRange(_ range: ClosedRange<Double>) {
        setEnds(scale.sample(of: range.lowerBound), scale.sample(of: range.upperBound))
    }

    /// Sets the samples that become black and white.
    private mutating func setEnds(_ black: Double, _ white: Double) {
        (form.low, form.high) = isInverted ? (white, black) : (black, white)
    }

    /// The form of pixels that are read to be converted: inks are delivered as they are.
    var unconverted: cc_tiff_form {
        guard fileColors.conversion?.form.space == CC_SPACE_CMYK else { return form }
        var inks = form
        inks.color = CC_TIFF_INKS
        inks.bytes_per_pixel += 1
        return inks
    }

    /// The format of pixels that are not converted.
    var pixelFormat: PixelFormat { PixelFormat(bytesPerPixel: form.bytes_per_pixel) }
}

extension FileColors {
    /// Reads the profile of a directory.
    ///
    /// - Parameter form: how its samples become pixels; its range does not matter.
    fileprivate init(
        _ header: cc_tiff_header, form: cc_tiff_form, options: ReadOptions, title: String
    ) throws {
        if form.color == CC_TIFF_LAB {
            // It needs no profile, and its numbers are not those of any RGB.
            self.init(converted: "CIELAB")
            return
        }
        // Chosen bands are read unchanged.
        let keepsColors = options.keepsColors || options.bands != nil
        var tags = cc_color_tags()
        tags.profile = header.profile
        tags.profile_size = header.profile_size
        if header.profile != nil, header.kind != CC_TIFF_UNSIGNED, !keepsColors {
            self.init(
                unusable: "its ICC profile does not apply to "
                    + (header.kind == CC_TIFF_FLOAT ? "floating-point" : "signed") + " samples", title: title)
        } else {
            try self.init(tags, form: cc_pixel_form(form), title: title, keepsColors: keepsColors)
        }
    }
}

extension cc_pixel_form {
    /// The pixels of a TIFF file as they are converted.
    fileprivate init(_ form: cc_tiff_form) {
        let samples = form.bytes_per_pixel
        switch form.color {
        case CC_TIFF_GRAY: self.init(space: CC_SPACE_GRAY, samples: samples, bits: 8)
        case CC_TIFF_CMYK: self.init(space: CC_SPACE_CMYK, samples: samples + 1, bits: 8)
        default: self.init(space: CC_SPACE_RGB, samples: samples, bits: 8)
        }
    }
}

extension cc_tiff_header {
    /// The smallest and the largest value of the samples' type; 0 and 1 for floats.
    var typeRange: ClosedRange<Double> {
        if is_converted { return 0...255 }
        let bits = Int(bits)
        return switch kind {
        case CC_TIFF_FLOAT: 0...1
        case CC_TIFF_SIGNED: -scalbn(1, bits - 1)...scalbn(1, bits - 1) - 1
        default: 0...scalbn(1, bits) - 1
        }
    }

    /// Whether samples are unsigned integers of less than 8 bits.
    fileprivate var hasFewBits: Bool { kind == CC_TIFF_UNSIGNED && bits < 8 }

    /// Whether a sample can have this value.
    fileprivate func canHold(_ value: Double) -> Bool {
        kind == CC_TIFF_FLOAT || (typeRange.contains(value) && value == value.rounded())
    }

    private func scalbn(_ value: Double, _ exponent: Int) -> Double {
        Double(sign: .plus, exponent: exponent, significand: value)
    }
}

/// Tag 42112, in which GDAL stores metadata of a TIFF, such as
/// `<Item name="SCALE" sample="0" role="scale">0.1</Item>`.
struct GDALMetadata {
    /// The tag.
    static let tag: UInt32 = 42112

    private var factors: [Int: Double] = [:]
    private var offsets: [Int: Double] = [:]

    /// Reads the text of the tag; nil if the file has none.
    init(_ text: String?) {
        // GDAL writes each item in this form; items in other forms, from other programs, are ignored.
        let item = /<Item\b([^<>]*)>([^<>]*)<\/Item>/
        for match in (text ?? "").matches(of: item) {
            guard let sample = match.1.firstMatch(of: /\bsample="([0-9]+)"/).flatMap({ Int($0.1) }),
                let role = match.1.firstMatch(of: /\brole="([a-z]+)"/)?.1, let value = Double(match.2)
            else { continue }
            if role == "scale" { factors[sample] = value }
            if role == "offset" { offsets[sample] = value }
        }
    }

    /// The scale of some samples, counted from 0; the identity if they differ.
    func scale(of samples: [Int]) -> SampleScale {
        let all = Set(
            samples.map { SampleScale(factor: factors[$0] ?? 1, offset: offsets[$0] ?? 0) ?? .identity })
        return all.count == 1 ? all.first ?? .identity : .identity
    }
}

/// Which samples of a TIFF file are its colours, and which is alpha.
struct TIFFColors {
    /// The meaning of the colour's samples.
    let color: cc_tiff_color
    /// The colour's samples, counted from 0, as `cc_tiff_form` has them.
    let bands: (UInt16, UInt16, UInt16, UInt16)
    /// The sample of alpha, counted from 0; nil if there is none.
    let alpha: Int?
    /// Whether the colours were multiplied by alpha.
    let isPremultiplied: Bool
}

extension TIFFColors {
    /// Takes the colours that the tags name, or the `wanted` samples, counted from 1, unchanged.
    init(_ header: cc_tiff_header, bands wanted: [Int]?, title: String) throws {
        if let wanted {
            self = try TIFFColors(wanted, of: header, title: title)
            return
        }
        let (color, count) = try Self.color(of: header, title: title)
        guard header.is_converted || Int(header.samples) >= count else {
            throw Failure(
                .badInput,
                "cannot read \(title): its colours need \(count) samples, but it has "
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

    /// A palette's bands are its colours, not the indices.
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

    /// Whether sample values can be stretched. Inks, CIELAB and premultiplied colours cannot: their scale is
    /// the range of their type.
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
                "its photometric interpretation \(header.photometric) is not supported", title)
        }
    }

    private static func lab(_ header: cc_tiff_header, title: String) throws -> cc_tiff_color {
        if header.kind == CC_TIFF_FLOAT {
            throw unsupported("CIELAB is supported only with 8 or 16 bits, but it has floats", title)
        }
        guard header.bits == 8 || header.bits == 16 else {
            throw unsupported("CIELAB is supported only with 8 or 16 bits, but it has \(header.bits)", title)
        }
        return CC_TIFF_LAB
    }

    /// The first sample beyond the colours that the file calls alpha. An unnamed sample is ignored: it could
    /// be infrared.
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
