public import ArgumentParser
package import Codecs
import Platform
package import Raster
package import Resampling
public import TilewrightKit
package import Tiling

/// What to build.
package struct TileOptions: ParsableArguments {
    @Option(
        name: [.customShort("z", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp(
            "16-22, 18, 16- (to the native zoom), -20 (from the overview). (default: overview to native)",
            valueName: "MIN-MAX"),
        transform: { try ZoomRange(parsing: $0) })
    package var zoom: ZoomRange?

    @OptionGroup package var form: TileFormOptions

    package init() {}

    package func validate() throws { try request.check() }

    /// The request that the options make.
    package var request: PyramidRequest {
        var request = form.request
        request.zoom = zoom ?? ZoomRange()
        return request
    }

    /// The names of the options that were given.
    package var given: [String] { (zoom == nil ? [] : ["--zoom"]) + form.given }
}

/// What to build, but for the zooms: `--zoom` is the camera's in a view.
package struct TileFormOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Pixels along a tile's edge. (default: 256)", valueName: "256|512"))
    package var tileSize: PyramidRequest.TileSize?

    @Option(help: ArgumentHelp("The tiles' file type. (default: png)", valueName: "png|jpeg|webp|auto"))
    package var format: TileFormat?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Quality of JPEG and of lossy WebP, 1 to 100. (default: 85)", valueName: "1-100"))
    package var quality: Int?

    @Flag(help: "Lossless WebP.")
    package var lossless = false

    @Option(
        help: ArgumentHelp(
            "How much time to spend on small PNG files: fast, default or small; always lossless. "
                + "(default: default)",
            valueName: "LEVEL"))
    package var pngLevel: PNGLevel?

    @Option(
        help: ArgumentHelp(
            "How much time to spend on small JPEG files: default or small; the pixels are the same. "
                + "(default: default)",
            valueName: "LEVEL"))
    package var jpegLevel: JPEGLevel?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Reduce PNG to N colours, 2 to 256, the same for all tiles; white, black and transparency stay.",
            valueName: "N"))
    package var palette: Int?

    @Option(
        help: ArgumentHelp(
            "A colour behind the image. (default: none; white for JPEG)", valueName: "#rrggbb"),
        transform: { try RGBColor(parsing: $0) })
    package var background: RGBColor?

    @Option(
        help: ArgumentHelp(
            "Polygons, in longitude and latitude; what is outside of them becomes transparent.",
            valueName: "FILE.geojson"),
        completion: .file(extensions: ["geojson", "json"]))
    package var cutline: String?

    @Option(
        help: ArgumentHelp(
            "The kernel at the maximum zoom: \(ResamplingMethod.allCases.map(\.rawValue).listed("or")). "
                + "(default: area for lossless tiles and for snapshots; cubic for others, and if an image is "
                + "clearly enlarged)",
            valueName: "KERNEL"))
    package var resampling: ResamplingMethod?

    @Option(
        help: ArgumentHelp(
            "The kernel for the zooms below it. (default: area for lossless tiles, cubic for others; "
                + "nearest and mode follow --resampling)",
            valueName: "KERNEL"))
    package var overviewResampling: ResamplingMethod?

    @Option(
        help: ArgumentHelp(
            "How zooms below the maximum are made from a PDF or SVG: drawn, or halved from the next finer "
                + "zoom. (default: auto, drawn unless a page is only a picture)",
            valueName: "auto|drawn|halved"))
    package var overviews: PyramidRequest.Overviews?

    @Option(
        help: ArgumentHelp(
            "Skip or write fully transparent tiles. (default: skip)", valueName: "skip|write"))
    package var empty: PyramidRequest.EmptyTiles?

    @Option(
        help: ArgumentHelp(
            "Row 0 in the north (xyz) or in the south (tms). (default: xyz)", valueName: "xyz|tms"))
    package var scheme: TileScheme?

    package init() {}

    /// The request that the options make; whoever asks checks it.
    package var request: PyramidRequest {
        var encoding = TileEncoding(format ?? .png, quality: quality)
        encoding.lossless = lossless
        encoding.pngLevel = pngLevel
        encoding.jpegLevel = jpegLevel
        encoding.palette = palette
        var request = PyramidRequest(encoding: encoding)
        request.tileSize = tileSize ?? .standard
        request.background = background
        request.cutline = cutline
        request.resampling = resampling
        request.overviewResampling = overviewResampling
        request.overviews = overviews ?? .auto
        request.empty = empty ?? .skip
        return request
    }

    /// The names of the options that were given.
    package var given: [String] {
        [
            tileSize.map { _ in "--tile-size" },
            format.map { _ in "--format" }, quality.map { _ in "--quality" },
            lossless ? "--lossless" : nil, pngLevel.map { _ in "--png-level" },
            jpegLevel.map { _ in "--jpeg-level" },
            palette.map { _ in "--palette" }, background.map { _ in "--background" },
            cutline.map { _ in "--cutline" }, resampling.map { _ in "--resampling" },
            overviewResampling.map { _ in "--overview-resampling" },
            overviews.map { _ in "--overviews" }, empty.map { _ in "--empty" },
            scheme.map { _ in "--scheme" },
        ].compactMap(\.self)
    }
}

extension PyramidRequest.TileSize: ExpressibleByArgument {
    /// Reads the number of pixels.
    public init?(argument: String) {
        guard let pixels = Int(argument) else { return nil }
        self.init(rawValue: pixels)
    }

    /// The number of pixels.
    public var defaultValueDescription: String { String(rawValue) }

    /// The numbers of pixels.
    public static var allValueStrings: [String] { allCases.map(\.defaultValueDescription) }
}

extension PyramidRequest.EmptyTiles: ExpressibleByArgument {}
extension PyramidRequest.Overviews: ExpressibleByArgument {}
extension PNGLevel: ExpressibleByArgument {}
extension JPEGLevel: ExpressibleByArgument {}
extension ResamplingMethod: ExpressibleByArgument {}
extension TileFormat: ExpressibleByArgument {
    /// Reads a name in either case, and the ending that most JPEG files have.
    public init?(argument: String) {
        let name = argument.lowercased()
        self.init(rawValue: name == "jpg" ? "jpeg" : name)
    }
}
extension TileScheme: ExpressibleByArgument {}
