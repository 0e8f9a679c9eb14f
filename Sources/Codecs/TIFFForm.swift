import CCodec
import Diagnostics
import Raster

/// How the samples of a TIFF directory become pixels: what its tags say, and what is wanted.
struct TIFFForm {
    /// What the C fence is told.
    var form: cc_tiff_form
    /// Whether the sample values that become 0 and 255 have yet to be found in the data.
    let needsDataRange: Bool

    /// The range of values that needs no mention.
    let typeRange: ClosedRange<Double>

    private let isPalette: Bool
    private let header: cc_tiff_header

    /// Decides; an error names the file.
    init(_ header: cc_tiff_header, hasMask: Bool, options: ReadOptions, path: String) throws {
        let colors = try TIFFColors(header, bands: options.bands, path: path)
        self.header = header
        let nodata = options.nodata ?? (header.has_nodata ? header.nodata : nil)
        if options.range != nil, !colors.canBeScaled {
            throw Failure(
                .usage,
                "cannot rescale '\(path)': its colours are "
                    + (colors.isPremultiplied ? "multiplied by alpha" : "inks"),
                remedy: "choose bands, which are then taken as they stand, or leave the range out")
        }
        isPalette = colors.color == CC_TIFF_PALETTE
        typeRange = isPalette ? 0...255 : header.typeRange
        let hasTypeRange =
            typeRange == 0...255 || header.hasFewBits || !colors.canBeScaled
        needsDataRange = options.range == nil && !hasTypeRange
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
        setRange(options.range ?? typeRange)
    }

    /// Sets the sample values that become black and white.
    mutating func setRange(_ range: ClosedRange<Double>) {
        let isInverted = header.photometric == 0
        form.low = isInverted ? range.upperBound : range.lowerBound
        form.high = isInverted ? range.lowerBound : range.upperBound
    }

    /// The form of the pixels.
    var pixelFormat: PixelFormat {
        switch form.bytes_per_pixel {
        case 1: .gray8
        case 3: .rgb8
        default: .rgba8
        }
    }
}

extension cc_tiff_header {
    /// The smallest and the largest value of the samples' type; of floats, 0 and 1.
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

    /// Whether a sample can have a value.
    fileprivate func canHold(_ value: Double) -> Bool {
        kind == CC_TIFF_FLOAT || typeRange.contains(value) && value == value.rounded()
    }

    private func scalbn(_ value: Double, _ exponent: Int) -> Double {
        Double(sign: .plus, exponent: exponent, significand: value)
    }
}
