import CCodec
import Platform
import Raster

/// The colours of a file's pixels, and how they become sRGB.
struct FileColors {
    /// The conversion of its pixels; nil if they are used unchanged.
    private(set) var conversion: ColorConversion?
    /// The colours that the file declares, for people; nil if it declares none.
    private(set) var profile: ColorProfile?
    /// Why that declaration is ignored, as a line. An image is never refused for its metadata.
    private(set) var warning: String?

    /// Reads the colours that a file declares.
    ///
    /// - Parameters:
    ///   - form: the layout of the pixels to convert.
    ///   - keepsColors: whether to leave the pixels unchanged nevertheless.
    ///   - nodata: the value that becomes transparent if pixels are converted.
    /// - Throws: if there is too little memory.
    init(
        _ tags: cc_color_tags, form: cc_pixel_form, title: String, keepsColors: Bool,
        nodata: NodataLevel? = nil
    ) throws {
        guard tags.saysSomething else { return }
        var (tags, form) = (tags, form)
        var (summary, message) = (cc_color_summary(), cc_message())
        var handle: OpaquePointer?
        let status = cc_color_create(&tags, form, &handle, &summary, &message)
        if status == CC_OUT_OF_MEMORY { try status.check("cannot read \(title)", message) }
        guard status == CC_OK else {
            if keepsColors { return }
            warning = Self.warning(message.string, of: title)
            return
        }
        form.bits = summary.bits
        let converted = PixelFormat(bytesPerPixel: summary.bytes_per_pixel)
        let made = handle.map {
            ColorConversion(owning: $0, form: form, converted: converted, nodata: nodata)
        }
        conversion = keepsColors ? nil : made
        profile = ColorProfile(
            description: String(terminated: summary.description),
            treatment: made == nil ? .isSRGB : keepsColors ? .kept : .converted)
    }

    /// Notes colours that the reader converts by itself.
    init(converted description: String) {
        profile = ColorProfile(description: description, treatment: .converted)
    }

    /// Ignores the declaration of a file.
    ///
    /// - Parameter reason: why, in one clause.
    init(unusable reason: String, title: String) {
        warning = Self.warning(reason, of: title)
    }

    private static func warning(_ reason: String, of title: String) -> String {
        "the colours of \(title) are taken as they are: \(reason)"
    }
}

extension cc_color_tags {
    /// Whether the file declares anything except sRGB.
    fileprivate var saysSomething: Bool {
        profile != nil || transfer != CC_TRANSFER_SRGB || has_chromaticities
            || !problem.string.isEmpty
    }
}

extension RasterInfo {
    /// Adds a description of the colours, and the format of the pixels after their conversion.
    mutating func add(_ colors: FileColors) {
        colorProfile = colors.profile
        if let warning = colors.warning { warnings.append(Warning("profile", warning)) }
        if let output = colors.conversion?.output { pixelFormat = output }
    }
}

/// The conversion of pixels to sRGB; see `cc_color_create`.
///
/// The input may have forms that `PixelFormat` lacks: inks, or 16-bit samples. Pixels with the nodata value
/// become transparent.
final class ColorConversion: PixelConversion, @unchecked Sendable {
    /// The format of the converted pixels.
    let output: PixelFormat

    /// The layout of the input pixels.
    let form: cc_pixel_form

    /// Bytes per input pixel.
    var bytesPerInput: Int { Int(form.samples * form.bits / 8) }

    // Unchecked: it never changes, so several threads may call `cc_color_convert` at the same time.
    private let handle: OpaquePointer

    private let converted: PixelFormat
    private let nodata: NodataLevel?

    /// Takes ownership of a handle of `cc_color_create`.
    ///
    /// - Parameter converted: the format of the pixels that the handle makes of them.
    init(
        owning handle: OpaquePointer, form: cc_pixel_form, converted: PixelFormat,
        nodata: NodataLevel?
    ) {
        self.handle = handle
        self.form = form
        self.converted = converted
        self.nodata = nodata
        output = nodata == nil ? converted : .rgba8
    }

    deinit {
        cc_color_destroy(handle)
    }

    /// Converts `count` adjacent pixels of `form`.
    func convert(
        _ pixels: UnsafeRawPointer, count: Int, into result: UnsafeMutableRawPointer
    ) {
        let size = converted.bytesPerPixel
        // At the end of the result: widening converted pixels in place then overwrites none still to be read.
        let place = result + count * (output.bytesPerPixel - size)
        cc_color_convert(handle, pixels, count, place)
        nodata?.widen(result, count: count, of: size, from: pixels, in: form)
    }
}

/// The nodata value of a PNG or JPEG file: a pixel is transparent if all its samples have this value in the
/// file.
struct NodataLevel {
    /// The value as a share of a sample's largest value.
    private let share: Double

    /// Takes the nodata value of the options. Nil if they have none that a sample can have, or if bands are
    /// chosen, since chosen bands are used unchanged.
    ///
    /// - Parameter largest: the largest value of a sample in the file, which is white; nil if samples
    ///   are not values but palette indices.
    init?(_ options: ReadOptions, largest: Double?) {
        guard let nodata = options.nodata, nodata == nodata.rounded(), options.bands == nil,
            let largest, 0...largest ~= nodata
        else { return nil }
        share = nodata / largest
    }

    /// The colour of nodata pixels if pixels are not converted.
    var color: ColorKey {
        let level = UInt8((share * 255).rounded())
        return ColorKey(red: level, green: level, blue: level, tolerance: 0)
    }

    /// Widens converted pixels to RGBA, and makes those transparent that had the nodata value before.
    ///
    /// - Parameter result: a buffer for `count` RGBA pixels. The converted pixels, of `size` bytes each, are
    ///   at its end.
    func widen(
        _ result: UnsafeMutableRawPointer, count: Int, of size: Int,
        from pixels: UnsafeRawPointer, in form: cc_pixel_form
    ) {
        let bytes = result.assumingMemoryBound(to: UInt8.self)
        if size < 4 { cc_expand_to_rgba(bytes + count * (4 - size), size, bytes, count) }
        for index in 0..<count where matches(pixels, at: index, in: form) { bytes[index * 4 + 3] = 0 }
    }

    private func matches(_ pixels: UnsafeRawPointer, at index: Int, in form: cc_pixel_form) -> Bool {
        let first = index * Int(form.samples)
        func sample(_ place: Int) -> Int {
            form.bits == 16
                ? Int(pixels.load(fromByteOffset: (first + place) * 2, as: UInt16.self))
                : Int(pixels.load(fromByteOffset: first + place, as: UInt8.self))
        }
        let level = Int((share * (form.bits == 16 ? 65535 : 255)).rounded())
        if form.space == CC_SPACE_CMYK {
            // The value was chosen from RGB, which was made of the inks without their profile.
            let paper = 255 - sample(3)
            return (0..<3).allSatisfy { ((255 - sample($0)) * paper + 127) / 255 == level }
        }
        return (0..<(form.samples == 1 ? 1 : 3)).allSatisfy { sample($0) == level }
    }
}
