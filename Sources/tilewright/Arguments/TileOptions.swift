import ArgumentParser
import Codecs
import Diagnostics
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
        help: ArgumentHelp("Quality of JPEG, 1 to 100. (default: 85)", valueName: "1-100"))
    var quality: Int?

    @Option(
        help: ArgumentHelp(
            "How hard to try on the size of PNG: fast, default or small; always lossless. (default: default)",
            valueName: "LEVEL"))
    var pngLevel: PNGLevel?

    @Option(
        help: ArgumentHelp(
            "A colour behind the image. (default: none; white under JPEG)", valueName: "#rrggbb"),
        transform: { try PyramidOptions.Color(parsing: $0) })
    var background: PyramidOptions.Color?

    @Option(
        help: ArgumentHelp(
            "The kernel at the maximum zoom: nearest, bilinear, cubic, lanczos, area or mode. (default: area for PNG; cubic for JPEG, and where an image is clearly enlarged)",
            valueName: "KERNEL"))
    var resampling: ResamplingMethod?

    @Option(
        help: ArgumentHelp(
            "The kernel for the zooms below it. (default: area for PNG, cubic for JPEG; nearest and mode follow --resampling)",
            valueName: "KERNEL"))
    var overviewResampling: ResamplingMethod?

    @Option(
        help: ArgumentHelp("What happens to wholly transparent tiles.", valueName: "skip|write"))
    var empty: EmptyTiles = .skip

    @Option(
        help: ArgumentHelp("Row 0 in the north (xyz) or in the south (tms).", valueName: "xyz|tms"))
    var scheme: TileScheme = .xyz

    func validate() throws {
        if [.webp, .auto].contains(format) {
            throw ValidationError("this version cannot write tiles of \(format.rawValue)")
        }
        if let quality {
            guard format == .jpeg else {
                throw ValidationError(
                    "--quality has no meaning for PNG, which is lossless; see --png-level")
            }
            guard 1...100 ~= quality else {
                throw ValidationError("--quality \(quality) is not between 1 and 100")
            }
        }
        if pngLevel != nil, format != .png {
            throw ValidationError("--png-level has no meaning for JPEG; see --quality")
        }
    }

    /// What lies behind the image: JPEG knows no transparency.
    var effectiveBackground: PyramidOptions.Color? {
        background ?? (format == .jpeg ? .white : nil)
    }
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
    func makeEncoder() -> any TileEncoder {
        switch format {
        case .png: PNGTileEncoder(level: pngLevel ?? .standard)
        case .jpeg, .webp, .auto: JPEGTileEncoder(quality: quality ?? 85)
        }
    }
}
