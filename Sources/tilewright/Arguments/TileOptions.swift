public import ArgumentParser
import Codecs
import Diagnostics
import Palettes
import Pyramid
import Raster
import Resampling
import Tiling

/// What to build.
struct TileOptions: ParsableArguments {
    @Option(
        name: [.customShort("z", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp(
            "16-22, 18, 16- (to the native zoom), -20 (from the overview). (default: overview to native)",
            valueName: "MIN-MAX"),
        transform: { try ZoomRange(parsing: $0) })
    var zoom: ZoomRange?

    @Option(help: ArgumentHelp("Pixels along a tile's edge.", valueName: "256|512"))
    var tileSize: TileSize = .standard

    @Option(help: ArgumentHelp("The tiles' file type.", valueName: "png|jpeg|webp|auto"))
    var format: TileFormat = .png

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Quality of JPEG and of lossy WebP, 1 to 100. (default: 85)", valueName: "1-100"))
    var quality: Int?

    @Flag(help: "Lossless WebP.")
    var lossless = false

    @Option(
        help: ArgumentHelp(
            "How hard to try on the size of PNG: fast, default or small; always lossless. (default: default)",
            valueName: "LEVEL"))
    var pngLevel: PNGLevel?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Round PNG to N colours, 2 to 256, the same for all tiles; white, black and transparency stay.",
            valueName: "N"))
    var palette: Int?

    @Option(
        help: ArgumentHelp(
            "A colour behind the image. (default: none; white under JPEG)", valueName: "#rrggbb"),
        transform: { try PyramidOptions.Color(parsing: $0) })
    var background: PyramidOptions.Color?

    @Option(
        help: ArgumentHelp(
            "The kernel at the maximum zoom: nearest, bilinear, cubic, lanczos, area or mode. (default: area where tiles are lossless; cubic where not, and where an image is clearly enlarged)",
            valueName: "KERNEL"))
    var resampling: ResamplingMethod?

    @Option(
        help: ArgumentHelp(
            "The kernel for the zooms below it. (default: area where tiles are lossless, cubic where not; nearest and mode follow --resampling)",
            valueName: "KERNEL"))
    var overviewResampling: ResamplingMethod?

    @Option(
        help: ArgumentHelp("What happens to wholly transparent tiles.", valueName: "skip|write"))
    var empty: EmptyTiles = .skip

    @Option(
        help: ArgumentHelp("Row 0 in the north (xyz) or in the south (tms).", valueName: "xyz|tms"))
    var scheme: TileScheme = .xyz

    func validate() throws {
        try validateQuality()
        try validatePalette()
        if lossless, format != .webp {
            throw ValidationError(
                format == .png
                    ? "--lossless has no meaning for PNG, which always is"
                    : "--lossless has no meaning for \(format.title); see --format png and webp")
        }
        if pngLevel != nil, format != .png, format != .auto {
            throw ValidationError(
                "--png-level has no meaning for \(format.title); see --quality")
        }
        if background != nil, format == .auto {
            throw ValidationError(
                "--background leaves no tile transparent, so that all would be JPEG; say --format "
                    + "jpeg")
        }
    }

    private func validateQuality() throws {
        guard let quality else { return }
        if format == .png {
            throw ValidationError(
                "--quality has no meaning for PNG, which is lossless; see --png-level")
        }
        if lossless { throw ValidationError("--quality has no meaning with --lossless") }
        guard 1...100 ~= quality else {
            throw ValidationError("--quality \(quality) is not between 1 and 100")
        }
    }

    private func validatePalette() throws {
        guard let palette else { return }
        guard format == .png else {
            throw ValidationError("--palette has no meaning for \(format.title), only for PNG")
        }
        guard 2...256 ~= palette else {
            throw ValidationError("--palette \(palette) is not between 2 and 256")
        }
    }

    /// What lies behind the image: JPEG knows no transparency.
    var effectiveBackground: PyramidOptions.Color? {
        background ?? (format == .jpeg ? .white : nil)
    }

    /// Whether tiles hold their pixels exactly, all of them.
    var isLossless: Bool { format == .png || lossless }

    /// The quality of tiles that are not lossless.
    var effectiveQuality: Int { quality ?? 85 }
}

/// Pixels along a tile's edge.
enum TileSize: Int, ExpressibleByArgument, CaseIterable, Sendable {
    case standard = 256
    case double = 512

    init?(argument: String) {
        guard let pixels = Int(argument) else { return nil }
        self.init(rawValue: pixels)
    }

    var defaultValueDescription: String { String(rawValue) }

    static var allValueStrings: [String] { allCases.map(\.defaultValueDescription) }
}

/// What happens to a wholly transparent tile.
enum EmptyTiles: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// It is not written.
    case skip
    /// It is written like any other.
    case write
}

extension PNGLevel: ExpressibleByArgument {}
extension ResamplingMethod: ExpressibleByArgument {}
extension TileFormat: ExpressibleByArgument {}
extension TileScheme: ExpressibleByArgument {}

extension PyramidOptions.Color {
    /// Reads `#rrggbb`, with or without the `#`.
    init(parsing text: String) throws {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.count == 6, digits.allSatisfy(\.isHexDigit),
            let value = UInt32(digits, radix: 16)
        else {
            throw Failure(
                .usage, "'\(text)' is no colour", remedy: "give it as #rrggbb, as '#ffffff'")
        }
        self.init(
            red: UInt8(value >> 16), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
    }
}

extension TileOptions {
    /// Makes the encoder of a job.
    ///
    /// - Parameter palette: the colours that pixels are rounded to, or nil where they stay.
    func makeEncoder(palette: Palette?) -> any TileEncoder {
        guard let palette else { return makeEncoder() }
        return PaletteTileEncoder(palette, before: makeEncoder())
    }

    private func makeEncoder() -> any TileEncoder {
        switch format {
        case .png: PNGTileEncoder(level: effectivePNGLevel)
        case .jpeg: JPEGTileEncoder(quality: effectiveQuality)
        case .webp: WebPTileEncoder(quality: lossless ? nil : effectiveQuality)
        case .auto:
            AutoTileEncoder(
                opaque: JPEGTileEncoder(quality: effectiveQuality),
                translucent: PNGTileEncoder(level: effectivePNGLevel))
        }
    }

    private var effectivePNGLevel: PNGLevel { pngLevel ?? .standard }
}

extension TileFormat {
    /// What people call it.
    fileprivate var title: String {
        switch self {
        case .png: "PNG"
        case .jpeg: "JPEG"
        case .webp: "WebP"
        case .auto: "--format auto"
        }
    }
}
