package import ArgumentParser
package import Raster
package import TilewrightKit
package import Tiling

/// Which pixels of an image count, and how they are read.
package struct ImageOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Which page of a PDF or TIFF, or overlay of a KMZ, counted from 1; of several images, of each. "
                + "(default: 1)", valueName: "N"),
        transform: { try PageNumber(parsing: $0) })
    package var page: PageNumber?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Which layers of a PDF are shown. (default: those that the document shows)",
            valueName: "NAME,..."),
        transform: { try LayerNames(names: ImageRequest.layers(parsing: $0)) })
    package var layers: LayerNames?

    @Option(
        help: ArgumentHelp(
            "A file whose first line is the password of an encrypted PDF.", valueName: "FILE"),
        completion: .file())
    package var passwordFile: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Leaves out a sheet's margin and title block.", valueName: "COL,ROW,WIDTH,HEIGHT"),
        transform: { try PixelWindow(parsingCrop: $0) })
    package var crop: PixelWindow?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "A colour, in sRGB, that becomes transparent before any resampling.",
            valueName: "R,G,B[,TOLERANCE]"),
        transform: { try ColorKey(parsing: $0, as: "nodata colour") })
    package var nodata: ColorKey?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The colour, in sRGB, of the sheet that a drawing is lifted off: paper becomes transparent, "
                + "and edges become ink with partial alpha.",
            valueName: "R,G,B[,TOLERANCE]"),
        transform: { try ColorKey(parsing: $0, as: "colour of the paper") })
    package var paper: ColorKey?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Bands to take, counted from 1: one for gray, or three, and one more for alpha.",
            valueName: "N[,N,N[,N]]"),
        transform: { try BandNumbers(numbers: ImageRequest.bands(parsing: $0)) })
    package var bands: BandNumbers?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Sample values that become black and white, or percentages: 2%,98% leaves 2 % of the samples below and above. "
                + "(default: the type's range for up to 8 bits, the data's range for more)",
            valueName: "MIN,MAX"),
        transform: ImageRequest.range(parsing:))
    package var rescale: SampleRange?

    @Flag(help: "Take the file's numbers as sRGB, whatever it says about its colours.")
    package var keepColors = false

    package init() {}
}

/// The argument of `--page`.
package struct PageNumber: Hashable {
    /// Counted from 1.
    package var number: Int

    /// Reads a number.
    ///
    /// - Throws: `.usage`.
    package init(parsing text: String) throws { number = try ImageRequest.page(parsing: text) }
}

/// The argument of `--layers`.
package struct LayerNames: Hashable {
    /// At least one.
    package var names: [String]
}

/// The argument of `--bands`.
package struct BandNumbers: Hashable {
    /// Counted from 1: one, two, three or four of them.
    package var numbers: [Int]
}

extension ImageOptions {
    /// The names of the options that were given.
    package var given: [String] {
        [
            page.map { _ in "--page" }, layers.map { _ in "--layers" },
            passwordFile.map { _ in "--password-file" }, crop.map { _ in "--crop" },
            nodata.map { _ in "--nodata" }, paper.map { _ in "--paper" },
            bands.map { _ in "--bands" },
            rescale.map { _ in "--rescale" }, keepColors ? "--keep-colors" : nil,
        ].compactMap(\.self)
    }

    /// The request for one image.
    package func request(_ path: String, at position: PositionRequest) -> ImageRequest {
        var request = ImageRequest(path, at: position)
        request.page = page?.number
        request.layers = layers?.names
        request.passwordFile = passwordFile
        request.crop = crop
        request.nodata = nodata
        request.paper = paper
        request.bands = bands?.numbers
        request.rescale = rescale
        request.keepColors = keepColors
        return request
    }

    /// The requests for several images.
    ///
    /// - Throws: `.usage` if there are several, and an option is meant for one.
    package func requests(_ paths: [String], at position: PositionRequest) throws -> [ImageRequest] {
        try request("", at: position).repeated(for: paths)
    }
}
