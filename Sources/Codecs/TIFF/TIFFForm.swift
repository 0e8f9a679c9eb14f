import CCodec
import Platform
import Raster

/// How the samples of a TIFF directory become pixels: what its tags say, and what is wanted.
struct TIFFForm {
    /// The form as the C code takes it.
    var form: cc_tiff_form
    /// Whether the sample values that become 0 and 255 have yet to be found in the data.
    let needsDataRange: Bool

    /// The range of the sample type, which reports need not mention.
    let typeRange: ClosedRange<Double>
    /// What the file says about its colours, and the conversion of the pixels of `unconverted`.
    let fileColors: FileColors

    /// What samples stand for; ranges are of that.
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
                remedy: "choose bands, which are then taken as they stand, or leave the range out")
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
    var pixelFormat: PixelFormat {
        switch form.bytes_per_pixel {
        case 1: .gray8
        case 3: .rgb8
        default: .rgba8
        }
    }
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
        // Chosen bands are taken as they are.
        let keepsColors = options.keepsColors || options.bands != nil
        var tags = cc_color_tags()
        tags.profile = header.profile
        tags.profile_size = header.profile_size
        if header.profile != nil, header.kind != CC_TIFF_UNSIGNED, !keepsColors {
            self.init(
                unusable: "its profile cannot be meant for samples that are "
                    + (header.kind == CC_TIFF_FLOAT ? "floats" : "signed"), title: title)
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
