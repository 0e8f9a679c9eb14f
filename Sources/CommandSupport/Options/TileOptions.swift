public import ArgumentParser
package import Codecs
import Platform
package import Raster
package import Rendering
public import TilewrightKit
package import Tiling

/// The tiles to build.
package struct TileOptions: ParsableArguments {
    @Option(
        name: [.customShort("z", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp(
            "The zooms: 16-22, 18, 16- or -20. The default minimum is the overview, in which the image fits "
                + "into one tile's width; the default maximum is the zoom nearest to the image's resolution. "
                + "(default: overview to native)",
            valueName: "MIN-MAX"),
        transform: { try ZoomRange(parsing: $0) })
    package var zoom: ZoomRange?

    @OptionGroup package var form: TileFormOptions

    package init() {}

    package func validate() throws { try request.check() }

    /// The options as a request.
    package var request: PyramidRequest {
        var request = form.request
        request.zoom = zoom ?? ZoomRange()
        return request
    }

    /// The names of the options that were given.
    package var given: [String] { (zoom == nil ? [] : ["--zoom"]) + form.given }
}

/// The tiles to build, without the zooms: in a view, `--zoom` is the camera's.
package struct TileFormOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Pixels along a tile's edge. (default: 256)", valueName: "256|512"))
    package var tileSize: PyramidRequest.TileSize?

    @Option(
        help: ArgumentHelp(
            "The tiles' file type; auto: JPEG for opaque tiles, PNG for others. (default: png)",
            valueName: "png|jpeg|webp|auto"))
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
            "Time spent on making PNG files small: fast, default or small; always lossless. "
                + "(default: default)",
            valueName: "LEVEL"))
    package var pngLevel: PNGLevel?

    @Option(
        help: ArgumentHelp(
            "Time spent on making JPEG files small: default or small; the pixels are the same. "
                + "(default: default)",
            valueName: "LEVEL"))
    package var jpegLevel: JPEGLevel?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Reduce PNG tiles to N colours, 2 to 256; not with 'tile' or 'serve'. All tiles share the "
                + "palette; white, black and transparency stay.",
            valueName: "N"))
    package var palette: Int?

    @Option(
        help: ArgumentHelp(
            "The colour behind the image. (default: none; white for JPEG)", valueName: "#rrggbb"),
        transform: { try RGBColor(parsing: $0) })
    package var background: RGBColor?

    @Option(
        help: ArgumentHelp(
            "Polygons in longitude and latitude; all pixels outside become transparent.",
            valueName: "FILE.geojson"),
        completion: .file(extensions: ["geojson", "json"]))
    package var cutline: String?

    @Option(
        help: ArgumentHelp(
            "The kernel at the maximum zoom: \(ResamplingMethod.allCases.map(\.rawValue).listed("or")). "
                + "(default: area for lossless tiles and for snapshots; cubic for lossy tiles and for images "
                + "that are clearly enlarged)",
            valueName: "KERNEL"))
    package var resampling: ResamplingMethod?

    @Option(
        help: ArgumentHelp(
            "The kernel for the zooms below the maximum. (default: same as --resampling if that is nearest "
                + "or mode; otherwise area for lossless tiles, cubic for lossy ones)",
            valueName: "KERNEL"))
    package var overviewResampling: ResamplingMethod?

    @Option(
        help: ArgumentHelp(
            "How the zooms below the maximum are made from a PDF, SVG or CAD drawing: drawn, or halved from the next "
                + "finer zoom. (default: auto, which draws pages unless they are only a picture)",
            valueName: "auto|drawn|halved"))
    package var overviews: PyramidRequest.Overviews?

    @Option(
        help: ArgumentHelp(
            "Whether fully transparent tiles are skipped or written. (default: skip)",
            valueName: "skip|write"))
    package var empty: PyramidRequest.EmptyTiles?

    @Option(
        help: ArgumentHelp(
            "Whether row 0 is in the north (xyz) or in the south (tms); not with 'split'; only xyz with "
                + "'serve'. (default: xyz)",
            valueName: "xyz|tms"))
    package var scheme: TileScheme?

    package init() {}

    /// The options as a request; the caller checks it.
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
    /// Reads a name in upper or lower case; `jpg` means `jpeg`.
    public init?(argument: String) {
        let name = argument.lowercased()
        self.init(rawValue: name == "jpg" ? "jpeg" : name)
    }
}
extension TileScheme: ExpressibleByArgument {}
