import CCodec
import Platform
import Raster

/// The colours of a file's pixels, and how they become sRGB.
struct FileColors {
    /// The conversion of its pixels; nil if they are taken as they are.
    private(set) var conversion: ColorConversion?
    /// What the file says about its colours, for people; nil if it says nothing.
    private(set) var profile: ColorProfile?
    /// Why what it says is ignored, as a line. An image is never refused for its metadata.
    private(set) var warning: String?

    /// Reads what a file says about its colours.
    ///
    /// - Parameters:
    ///   - form: how the pixels to convert lie in memory.
    ///   - title: what messages call the image.
    ///   - keepsColors: whether to leave the pixels as they are all the same.
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

    /// Ignores what a file says.
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
    /// Whether the file says anything but sRGB.
    fileprivate var saysSomething: Bool {
        profile != nil || transfer != CC_TRANSFER_SRGB || has_chromaticities
            || !problem.string.isEmpty
    }
}

extension RasterInfo {
    /// Adds what is known of the colours, and the format of the pixels after their conversion.
    mutating func add(_ colors: FileColors) {
        colorProfile = colors.profile
        if let warning = colors.warning { warnings.append(Warning("profile", warning)) }
        if let output = colors.conversion?.output { pixelFormat = output }
    }
}
